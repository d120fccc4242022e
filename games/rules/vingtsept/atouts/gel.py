"""Gel: an opponent's next turn is skipped."""

from __future__ import annotations

from games.rules.vingtsept.atouts.atout import Atout
from games.rules.vingtsept.events import AtoutPlayed
from games.rules.vingtsept.state import State


class Gel(Atout):
    key = "gel"
    number = 10
    parameters = ("target",)
    ends_with_turn = True
    skips_turn = True

    def apply(self, state: State, event: AtoutPlayed) -> State:
        assert event.target is not None
        return state.with_effect(event.target, self.key)


ATOUT = Gel()
