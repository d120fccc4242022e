"""One move under way: its events as they come about, and the state after them."""

from __future__ import annotations

from datetime import datetime

from games.rules.lifecycle import Event
from games.rules.stream import Stream
from games.rules.vingtsept.evolve import evolve
from games.rules.vingtsept.state import State


class Unfolding:
    """What follows without another choice is decided on the state that the events so far have made."""

    __slots__ = ("draw", "events", "now", "state")

    def __init__(self, state: State, now: datetime, draw: Stream) -> None:
        self.state = state
        self.now = now
        self.draw = draw
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        """Let this happen next."""
        self.events.append(event)
        self.state = evolve(self.state, event, self.now)
