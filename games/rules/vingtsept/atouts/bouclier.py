"""Bouclier: the seat's (team's) loss this round is halved, rounded up."""

from __future__ import annotations

from games.rules.vingtsept.atouts.atout import Atout
from games.rules.vingtsept.events import AtoutPlayed
from games.rules.vingtsept.state import State


class Bouclier(Atout):
    key = "bouclier"
    number = 3

    def apply(self, state: State, event: AtoutPlayed) -> State:
        return state.with_effect(event.seat, self.key)

    def loss(self, loss: int) -> int:
        return (loss + 1) // 2


ATOUT = Bouclier()
