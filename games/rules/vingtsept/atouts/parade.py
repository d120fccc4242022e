"""Parade: the next Atout with this seat as its target has no effect; lasts until then or the end of the round."""

from __future__ import annotations

from games.rules.vingtsept.atouts.atout import Atout
from games.rules.vingtsept.events import AtoutPlayed
from games.rules.vingtsept.state import State


class Parade(Atout):
    key = "parade"
    number = 16
    parries = True

    def apply(self, state: State, event: AtoutPlayed) -> State:
        return state.with_effect(event.seat, self.key)


ATOUT = Parade()
