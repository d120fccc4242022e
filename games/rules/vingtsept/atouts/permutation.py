"""Permutation: the hidden card and one visible card change places, their values with them (Decision 14)."""

from __future__ import annotations

from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.vingtsept.atouts.atout import Atout
from games.rules.vingtsept.events import AtoutPlayed, Effect
from games.rules.vingtsept.play import Play
from games.rules.vingtsept.state import State


class Permutation(Atout):
    key = "permutation"
    number = 12
    parameters = ("slot",)
    public = ("card", "value")

    def effect(self, state: State, seat: Seat, play: Play, draw: Stream) -> Effect:
        del play, draw
        hidden = state.holdings[seat].hidden
        assert hidden is not None
        return Effect(card=hidden.card, value=hidden.mirrored)

    def apply(self, state: State, event: AtoutPlayed) -> State:
        holding = state.holdings[event.seat]
        assert event.slot is not None
        assert holding.hidden is not None
        state = state.with_hidden(event.seat, holding.visible[event.slot])
        state = state.with_visible(event.seat, event.slot, holding.hidden)
        return state.altered(sighted=state.sighted | {holding.hidden.card})


ATOUT = Permutation()
