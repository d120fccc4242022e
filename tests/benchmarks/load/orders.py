"""What the measuring process and its load process say to each other: one JSON line each way."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Step(msgspec.Struct, frozen=True, array_like=True):
    """A move that is known beforehand: the seat, the action as JSON, and the version that it is decided on."""

    seat: int
    action: str
    version: int


class Game(msgspec.Struct, frozen=True):
    """A running game; `tokens` in seat order, `script` if it is to be played by REST."""

    id: str
    tokens: Sequence[str]
    script: Sequence[Step] = ()


class Order(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Base of what the load can be told to do."""


class Connect(Order, frozen=True, kw_only=True):
    """Open sockets of these games: of all seats, or of the first ones only.

    With several `urls`, seat n goes to the (n mod k)-th; `by_game`: all of a game to one, as a proxy that hashes does.
    """

    urls: Sequence[str]
    games: Sequence[Game]
    seats: int = 99
    by_game: bool = False


class Add(Order, frozen=True, kw_only=True):
    """Games to be connected while the load plays, whenever another one is over."""

    urls: Sequence[str]
    games: Sequence[Game]


class Play(Order, frozen=True, kw_only=True):
    """Play `at_once` games for some seconds: each as fast as it goes, or all together `rate` moves a second."""

    seconds: float
    at_once: int
    rate: float | None = None


class Rest(Order, frozen=True, kw_only=True):
    """Play these scripts over REST, one request at a time on each connection."""

    url: str
    games: Sequence[Game]
    connections: int
    seconds: float


class ByRest(Order, frozen=True, kw_only=True):
    """Play the scripts of the connected games at `rate` moves a second by REST; their sockets listen."""

    url: str
    seconds: float
    rate: float


class Close(Order, frozen=True, kw_only=True):
    """Close all sockets."""


AnyOrder = Connect | Add | Play | Rest | ByRest | Close


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an order.

    `moves` were acknowledged and delivered to all sockets of their game within `seconds`. `times` are milliseconds at
    the median and the 99th percentile: from sending a move to its last delivery (REST: to the answer). `late` the
    same for how long after its moment in the pace a move was sent. `cpu` are this process's seconds of processor
    time. `ran_out`: there were not enough games, and `seconds` ended there.
    """

    moves: int = 0
    seconds: float = 0.0
    times: tuple[float, float] = (0.0, 0.0)
    late: tuple[float, float] = (0.0, 0.0)
    cpu: float = 0.0
    games_over: int = 0
    sockets: int = 0
    spare: int = 0
    ran_out: bool = False
    errors: dict[str, int] = {}

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds if self.seconds else 0.0

    @property
    def share(self) -> float:
        """How much of one core the load took, 0 to 1."""
        return self.cpu / self.seconds if self.seconds else 0.0


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which `part` (0 to 1) of the sorted `values` lie; 0 if there are none."""
    return values[min(len(values) - 1, int(part * len(values)))] if values else 0.0


def due(rate: float, elapsed: float) -> int:
    """How many moves a pace of `rate` a second has asked for after so many seconds; the first at once."""
    return int(rate * elapsed) + 1
