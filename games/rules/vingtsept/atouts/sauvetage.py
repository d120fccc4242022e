"""Sauvetage: if this round would take the seat to 0 HP or below, it stays at 1. Not offered in teams."""

from __future__ import annotations

from games.rules.vingtsept.atouts.atout import Atout
from games.rules.vingtsept.events import AtoutPlayed
from games.rules.vingtsept.state import State


class Sauvetage(Atout):
    key = "sauvetage"
    number = 2
    in_teams = False

    def apply(self, state: State, event: AtoutPlayed) -> State:
        return state.with_effect(event.seat, self.key)

    def hp_left(self, hp: int) -> int:
        return max(hp, 1)


ATOUT = Sauvetage()
