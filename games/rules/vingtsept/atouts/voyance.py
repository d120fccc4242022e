"""Voyance: the seat alone sees an opponent's hidden card, as long as that card lies there (Decision 22)."""

from __future__ import annotations

from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.vingtsept.atouts.atout import Atout
from games.rules.vingtsept.events import AtoutPlayed, Effect
from games.rules.vingtsept.play import Play
from games.rules.vingtsept.state import State


class Voyance(Atout):
    key = "voyance"
    number = 5
    parameters = ("target",)
    private = ("card", "value")

    def effect(self, state: State, seat: Seat, play: Play, draw: Stream) -> Effect:
        del seat, draw
        assert play.target is not None
        hidden = state.holdings[play.target].hidden
        assert hidden is not None
        return Effect(card=hidden.card, value=hidden.mirrored)

    def apply(self, state: State, event: AtoutPlayed) -> State:
        assert event.target is not None
        assert event.effect.card is not None
        state = state.with_seat(event.target, seen_by=state.holdings[event.target].seen_by | {event.seat})
        return state.with_seat(event.seat, sighted=state.holdings[event.seat].sighted | {event.effect.card})


ATOUT = Voyance()
