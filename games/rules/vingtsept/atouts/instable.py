"""Instable: the threshold becomes 18 or 36, drawn evenly from those two less the current one."""

from __future__ import annotations

from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.vingtsept.atouts.atout import Atout
from games.rules.vingtsept.events import AtoutPlayed, Effect
from games.rules.vingtsept.play import Play
from games.rules.vingtsept.state import State

THRESHOLDS = (18, 36)


class Instable(Atout):
    key = "instable"
    number = 1
    public = ("threshold",)

    def effect(self, state: State, seat: Seat, play: Play, draw: Stream) -> Effect:
        del seat, play
        others = [threshold for threshold in THRESHOLDS if threshold != state.threshold]
        return Effect(threshold=others[draw.below(len(others))])

    def apply(self, state: State, event: AtoutPlayed) -> State:
        assert event.effect.threshold is not None
        return state.altered(threshold=event.effect.threshold)


ATOUT = Instable()
