"""What is the same in every ruleset where each seat plays for itself and one seat at a time has to move.

Here: the members of the protocol that follow from that alone. Not here: any rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from games.rules.lifecycle import Event, Mode
from games.rules.ruleset import Events, Options, Seats
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.wire import read


class Timed(Protocol):
    @property
    def move_seconds(self) -> int: ...


class OneTurn(Protocol):
    """A state with one open turn at most. `moves` counts the moves made, so that every move has its own clock."""

    @property
    def turn(self) -> Seat | None: ...
    @property
    def moves(self) -> int: ...
    @property
    def options(self) -> Timed: ...


S = TypeVar("S", bound=OneTurn)
A = TypeVar("A")
V = TypeVar("V")


class TakingTurns(Generic[Options, A, S, V]):
    """Base of such rulesets."""

    options_type: type[Options]
    event_types: Mapping[str, type[Event]]
    rules_version: ClassVar[int] = 1

    def complete_options(self, given: Mapping[str, Any], seats: int, mode: Mode) -> Options:
        options: Options = read(given, self.options_type)
        return options

    def team_of(self, options: Options, seat: Seat) -> int | None:
        return None

    def to_act(self, state: S) -> Seats:
        return () if state.turn is None else (state.turn,)

    def may_act(self, state: S, seat: Seat) -> bool:
        return seat == state.turn

    def turn(self, state: S, seat: Seat) -> int:
        return state.moves

    def time_limit(self, state: S, seat: Seat) -> float:
        return state.options.move_seconds

    def alarm(self, state: S) -> datetime | None:
        return None

    def ring(self, state: S, now: datetime, draw: Stream) -> Events:
        raise AssertionError("this game never moves by itself")

    def completions(self, action: A, view: V) -> tuple[A, ...]:
        return (action,)
