"""Recyclage: the top discard replaces one own visible card, which is discarded."""

from __future__ import annotations

from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.vingtsept.atouts.atout import Atout, Board
from games.rules.vingtsept.cards import Laid
from games.rules.vingtsept.events import AtoutPlayed, Effect
from games.rules.vingtsept.play import Play
from games.rules.vingtsept.state import State


class Recyclage(Atout):
    key = "recyclage"
    number = 17
    parameters = ("slot",)
    public = ("card", "discarded")

    def refusal(self, board: Board, seat: Seat, play: Play) -> str | None:
        del seat, play
        return None if board.has_discard else "no-discard"

    def effect(self, state: State, seat: Seat, play: Play, draw: Stream) -> Effect:
        del draw
        assert play.slot is not None
        return Effect(card=state.discards[-1], discarded=state.holdings[seat].visible[play.slot].card)

    def apply(self, state: State, event: AtoutPlayed) -> State:
        new, old = event.effect.card, event.effect.discarded
        assert event.slot is not None
        assert new is not None
        assert old is not None
        state = state.with_visible(event.seat, event.slot, Laid(new))
        return state.altered(discards=(*state.discards[:-1], old))


ATOUT = Recyclage()
