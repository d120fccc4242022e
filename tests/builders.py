"""Games from short text: hands as `"QH 2C | AS TD"`, and a ruleset's state from the events given to it.

Invariant: nothing here knows how a state looks inside; everything comes about through events.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from games.rules.cards import Card
from games.rules.lifecycle import Event
from games.rules.registry import AnyRuleset
from games.rules.ruleset import Events, Setup
from games.rules.seats import Seat
from games.rules.stream import Stream

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SEED = bytes(range(32))


class _NoDraw(Stream):
    def word(self) -> int:
        raise AssertionError("nothing is to be drawn here")


NO_DRAW = _NoDraw(SEED, "no-game", ())


def some_draw(position: int = 0) -> Stream:
    """A stream that anybody may draw from, the same every time."""
    return Stream(SEED, "some-game", (), position)


def cards(text: str) -> tuple[Card, ...]:
    """`"QH 2C"` as cards."""
    return tuple(text.split())


def hands(text: str) -> dict[Seat, tuple[Card, ...]]:
    """`"QH 2C | AS TD"` as the hands of seats 0, 1, …; an empty part is a seat that is not in the deal."""
    return {seat: cards(part) for seat, part in enumerate(text.split("|")) if part.strip()}


class Story:
    """A game of one ruleset as its events have told it so far; `do` lets a seat act and goes on from there."""

    def __init__(self, rules: AnyRuleset, seats: int, **given: Any) -> None:
        self.rules = rules
        self.options = rules.complete_options(given, seats, "casual")
        self.seats = seats
        self.state: Any = rules.initial(Setup(seats=seats, options=self.options, mode="casual"))

    def given(self, *events: Event) -> Story:
        """Take events as facts."""
        for event in events:
            self.state = self.rules.evolve(self.state, event, NOON)
        return self

    def when(self, seat: Seat, draw: Stream = NO_DRAW, /, **action: Any) -> Events:
        """What the action, in wire form with `kind` for `type` and `named` for `as`, would cause."""
        wire = {WIRE_NAMES.get(name, name): value for name, value in action.items()}
        parsed = self.rules.parse_action(wire, self.options, self.seats)
        return self.rules.decide(self.state, seat, parsed, NOON, draw)

    def do(self, seat: Seat, /, **action: Any) -> Events:
        """Let the seat act, and go on from the events that it causes."""
        events = self.when(seat, some_draw(), **action)
        self.given(*events)
        return events


WIRE_NAMES = {"kind": "type", "named": "as"}


def types(events: Iterable[Event]) -> list[str]:
    """The events' types, in order."""
    return [event.type for event in events]


def only(kind: str, events: Iterable[Event]) -> Any:
    """The one event of this type."""
    found = [event for event in events if event.type == kind]
    assert len(found) == 1, f"{len(found)} events of type {kind}"
    return found[0]
