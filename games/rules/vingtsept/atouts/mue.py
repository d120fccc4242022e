"""Mue: the hidden card is replaced by the top card of the pile, still hidden; the old one is discarded face up."""

from __future__ import annotations

from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.vingtsept.atouts.atout import Atout
from games.rules.vingtsept.cards import Laid
from games.rules.vingtsept.events import AtoutPlayed, Effect
from games.rules.vingtsept.play import Play
from games.rules.vingtsept.state import State


class Mue(Atout):
    key = "mue"
    number = 11
    cards_needed = 1
    public = ("discarded",)
    private = ("card",)

    def effect(self, state: State, seat: Seat, play: Play, draw: Stream) -> Effect:
        del play, draw
        old = state.holdings[seat].hidden
        assert old is not None
        return Effect(card=state.pile[0], discarded=old.card)

    def apply(self, state: State, event: AtoutPlayed) -> State:
        new, old = event.effect.card, event.effect.discarded
        assert new is not None
        assert old is not None
        state = state.with_hidden(event.seat, Laid(new))
        state = state.with_seat(event.seat, sighted=state.holdings[event.seat].sighted | {new})
        return state.altered(pile=state.pile[1:], discards=(*state.discards, old), sighted=state.sighted | {old})


ATOUT = Mue()
