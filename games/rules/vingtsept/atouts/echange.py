"""Échange: one own visible card and one of an opponent's change places, their values with them (Decision 14)."""

from __future__ import annotations

from games.rules.vingtsept.atouts.atout import Atout
from games.rules.vingtsept.events import AtoutPlayed
from games.rules.vingtsept.state import State


class Echange(Atout):
    key = "echange"
    number = 7
    parameters = ("slot", "target", "target_slot")

    def apply(self, state: State, event: AtoutPlayed) -> State:
        assert event.slot is not None
        assert event.target is not None
        assert event.target_slot is not None
        own = state.holdings[event.seat].visible[event.slot]
        other = state.holdings[event.target].visible[event.target_slot]
        return state.with_visible(event.seat, event.slot, other).with_visible(event.target, event.target_slot, own)


ATOUT = Echange()
