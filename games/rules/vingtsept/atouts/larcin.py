"""Larcin: take one Atout drawn at random from an opponent. Thief and victim see which."""

from __future__ import annotations

from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.vingtsept.atouts.atout import Atout, Board
from games.rules.vingtsept.events import AtoutPlayed, Effect
from games.rules.vingtsept.play import Play
from games.rules.vingtsept.state import State, without


class Larcin(Atout):
    key = "larcin"
    number = 8
    parameters = ("target",)
    private = ("atout", "place")

    def refusal(self, board: Board, seat: Seat, play: Play) -> str | None:
        del seat
        assert play.target is not None
        return None if board.held(play.target) else "target-empty"

    def effect(self, state: State, seat: Seat, play: Play, draw: Stream) -> Effect:
        del seat
        assert play.target is not None
        hand = state.holdings[play.target].atouts
        place = draw.below(len(hand))
        key = hand[place]
        return Effect(atout=key, place=None if place == hand.index(key) else place)

    def apply(self, state: State, event: AtoutPlayed) -> State:
        key = event.effect.atout
        assert event.target is not None
        assert key is not None
        left = without(state.holdings[event.target].atouts, key, event.effect.place)
        state = state.with_seat(event.target, atouts=left)
        return state.with_seat(event.seat, atouts=(*state.holdings[event.seat].atouts, key))

    def insiders(self, event: AtoutPlayed, member: str) -> tuple[Seat, ...]:
        """The order in which the victim's Atouts arrived is its own affair."""
        assert event.target is not None
        return (event.target,) if member == "place" else (event.seat, event.target)


ATOUT = Larcin()
