"""Who sits where in a trial, who else looks on, and what is done: the same in both worlds.

Must live here: what is fixed before the first world, and the steps that the first world writes down for the second.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from games.rules.conformance.playthrough import Case
from games.rules.errors import Invalid
from games.rules.registry import AnyRuleset
from games.rules.seats import Seat
from tests.api.client import Player, Visitor

LEVELS = ("easy", "normal", "hard")


class Viewer(NamedTuple):
    """Somebody who is sent something. `code` tells whether a private game's code is known."""

    name: str
    seat: Seat | None
    visitor: Visitor
    code: bool = True

    @property
    def player_id(self) -> str:
        assert isinstance(self.visitor, Player), "only players have one"
        return self.visitor.id

    @property
    def token(self) -> str | None:
        return self.visitor.headers.get("Authorization", "").removeprefix("Bearer ") or None


class Setting(NamedTuple):
    """The table before anybody is there."""

    seats: int
    options: dict[str, Any]
    visibility: str
    bots: dict[Seat, str]
    client_seeds: dict[Seat, str]


class Trial(NamedTuple):
    case: Case
    setting: Setting
    viewers: tuple[Viewer, ...]  # players by seat, then the others

    @property
    def players(self) -> tuple[Viewer, ...]:
        return tuple(viewer for viewer in self.viewers if viewer.seat is not None)


# --- what is done --------------------------------------------------------------------------------------------------


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """A player's move, over the socket or over REST."""

    seat: Seat
    action: dict[str, Any]
    by_socket: bool
    expecting: bool
    wait: int = 0  # milliseconds before


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """The clock is looked at: bots move, turns expire."""

    wait: int


class Resume(msgspec.Struct, frozen=True, kw_only=True):
    """A player takes the seat back."""

    seat: Seat
    wait: int = 0


class Peek(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody looks at the game in between."""

    viewer: str
    path: str


Step = Act | Look | Resume | Peek


class Request(NamedTuple):
    """A question over REST at the end."""

    method: str
    path: str
    body: Any = None
    key: str | None = None


class Message(NamedTuple):
    """A message over the viewer's open socket at the end; `command_id` is answered."""

    content: dict[str, Any]


class Reopened(NamedTuple):
    """A further socket of the viewer, opened with this query."""

    query: str


Question = Request | Message | Reopened


def trial(case: Case, most_seats: int = 8) -> Trial:
    """A trial with new accounts; seat 0 is always a player's. Blocks."""
    setting = _setting(case, most_seats)
    seats = [seat for seat in range(setting.seats) if seat not in setting.bots]
    players = [Viewer(f"seat {seat}", seat, Player(f"Player {seat}")) for seat in seats]
    others = [
        Viewer("spectator", None, Player("Spectator")),
        Viewer("stranger", None, Player("Stranger"), code=False),
        Viewer("anonymous", None, Visitor()),
    ]
    return Trial(case, setting, (*players, *others))


def _setting(case: Case, most_seats: int) -> Setting:
    noise = case.noise("setting")
    seats, options = _options(case, most_seats)
    bots = {seat: LEVELS[noise.below(3)] for seat in range(1, seats) if noise.below(4) == 0}
    given = {seat: f"seed-{noise.below(1000)}" for seat in range(seats) if seat not in bots and noise.below(3) == 0}
    return Setting(seats, options, "private" if noise.below(3) == 0 else "public", bots, given)


def _options(case: Case, most_seats: int) -> tuple[int, dict[str, Any]]:
    rules: AnyRuleset = case.rules
    noise = case.noise("options")
    while True:
        seats, given = rules.sample_options(noise)
        if seats > max(most_seats, rules.min_seats):
            continue
        try:
            rules.complete_options({**given, **case.options}, seats, "casual")
        except Invalid:
            continue
        return seats, {**given, **case.options}
