"""Ajustement: −2 … 2, not 0, is added to the seat's total; public; adds up."""

from __future__ import annotations

from games.rules.vingtsept.atouts.atout import Atout
from games.rules.vingtsept.events import AtoutPlayed
from games.rules.vingtsept.state import State


class Ajustement(Atout):
    key = "ajustement"
    number = 13
    parameters = ("delta",)

    def apply(self, state: State, event: AtoutPlayed) -> State:
        assert event.delta is not None
        return state.with_seat(event.seat, adjustment=state.holdings[event.seat].adjustment + event.delta)


ATOUT = Ajustement()
