"""Brouillage: an opponent can play no Atout on its next turn."""

from __future__ import annotations

from games.rules.vingtsept.atouts.atout import Atout
from games.rules.vingtsept.events import AtoutPlayed
from games.rules.vingtsept.state import State


class Brouillage(Atout):
    key = "brouillage"
    number = 9
    parameters = ("target",)
    ends_with_turn = True
    bars_atouts = True

    def apply(self, state: State, event: AtoutPlayed) -> State:
        assert event.target is not None
        return state.with_effect(event.target, self.key)


ATOUT = Brouillage()
