"""Enchère: the price of this round doubles, to at most 30, once a round."""

from __future__ import annotations

from games.rules.seats import Seat
from games.rules.vingtsept.atouts.atout import Atout, Board
from games.rules.vingtsept.events import AtoutPlayed
from games.rules.vingtsept.play import Play
from games.rules.vingtsept.state import State

HIGHEST = 30


class Enchere(Atout):
    key = "enchere"
    number = 4

    def refusal(self, board: Board, seat: Seat, play: Play) -> str | None:
        del seat, play
        return "already-raised" if self.key in board.round_effects else None

    def apply(self, state: State, event: AtoutPlayed) -> State:
        del event
        return state.altered(effects=state.effects | {self.key})

    def price(self, price: int) -> int:
        return min(2 * price, HIGHEST)


ATOUT = Enchere()
