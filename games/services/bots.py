"""A bot's choice: its seat's view goes in, an action comes out. It gets nothing else (rules/README.md)."""

from __future__ import annotations

from typing import Any

from games.rules.lifecycle import Level
from games.rules.seats import Seat
from games.rules.table import Table
from games.services import entropy

STAND_IN: Level = "normal"  # who plays for a player that is late or gone


def choose(table: Table, seat: Seat) -> Any:
    """What the bot in control of this seat does now."""
    chair = table.chairs[seat]
    assert chair is not None, "every seat of a running game is taken"
    view = table.ruleset.view(table.state, seat)
    return table.ruleset.bot(view, chair.bot or STAND_IN, entropy.noise())
