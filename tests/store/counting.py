"""The least ruleset that the store can be tried with: seats say words in turn until enough were said.

Every `say` causes two events, so that half a move can be told from a whole one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar, cast

import msgspec

from games.rules.errors import NotYourTurn
from games.rules.lifecycle import Event, Place
from games.rules.registry import AnyRuleset, register
from games.rules.ruleset import Choice, Setup
from games.rules.stream import Stream


class Options(msgspec.Struct, frozen=True, kw_only=True):
    until: int = 1000


class Say(Choice, frozen=True, kw_only=True, tag="say"):
    words: str


class Said(Event, frozen=True, kw_only=True, omit_defaults=True):
    """Schema 1 had a single `word`."""

    type: ClassVar[str] = "said"
    schema: ClassVar[int] = 2
    seat: int
    words: list[str]


class Tallied(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "tallied"
    counts: dict[int, int]
    drawn: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    counts: dict[int, int]
    until: int
    last: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return sum(self.counts.values())


class Counting:
    key: ClassVar[str] = "counting"
    rules_version: ClassVar[int] = 7
    options_type = Options
    action_type = Say
    event_types: ClassVar[dict[str, type[Event]]] = {"said": Said, "tallied": Tallied}

    def initial(self, setup: Setup[Options]) -> State:
        return State(counts=dict.fromkeys(range(setup.seats), 0), until=setup.options.until)

    def start(self, state: State, now: datetime, draw: Stream) -> tuple[Event, ...]:
        return (Tallied(counts=state.counts, drawn=draw.below(100)),)

    def decide(self, state: State, seat: int, action: Say, now: datetime, draw: Stream) -> tuple[Event, ...]:
        if seat not in self.to_act(state):
            raise NotYourTurn
        counts = state.counts | {seat: state.counts[seat] + 1}
        return Said(seat=seat, words=action.words.split(" ")), Tallied(counts=counts, drawn=draw.below(100))

    def evolve(self, state: State, event: Event, at: datetime) -> State:
        if isinstance(event, Said):
            return msgspec.structs.replace(state, last=tuple(event.words))
        assert isinstance(event, Tallied)
        return msgspec.structs.replace(state, counts=event.counts)

    def action_in(self, events: Sequence[Event], state: State) -> tuple[int, Say] | None:
        return (events[0].seat, Say(words=" ".join(events[0].words))) if isinstance(events[0], Said) else None

    def deeds(self, event: Event, state: State) -> dict[int, dict[str, int]]:
        return {event.seat: {"words": len(event.words)}} if isinstance(event, Said) else {}

    def to_act(self, state: State) -> tuple[int, ...]:
        return () if state.total >= state.until else (state.total % len(state.counts),)

    def turn(self, state: State, seat: int) -> int:
        return state.total

    def time_limit(self, state: State, seat: int) -> float:
        return 30

    def standing(self, state: State) -> tuple[Place, ...] | None:
        if state.total < state.until:
            return None
        return tuple(Place(seat=seat, place=seat + 1, score=count) for seat, count in state.counts.items())


COUNTING = cast("AnyRuleset", cast("Any", Counting()))
register(COUNTING)
