"""Miroir: one own visible card takes the value of an opponent's visible card; it stays the card it is (Decision 14)."""

from __future__ import annotations

from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.vingtsept.atouts.atout import Atout
from games.rules.vingtsept.events import AtoutPlayed, Effect
from games.rules.vingtsept.play import Play
from games.rules.vingtsept.state import State


class Miroir(Atout):
    key = "miroir"
    number = 15
    parameters = ("slot", "target", "target_slot")
    public = ("value",)

    def effect(self, state: State, seat: Seat, play: Play, draw: Stream) -> Effect:
        del seat, draw
        assert play.target is not None
        assert play.target_slot is not None
        return Effect(value=state.holdings[play.target].visible[play.target_slot].value)

    def apply(self, state: State, event: AtoutPlayed) -> State:
        assert event.slot is not None
        assert event.effect.value is not None
        own = state.holdings[event.seat].visible[event.slot]
        return state.with_visible(event.seat, event.slot, own.worth(event.effect.value))


ATOUT = Miroir()
