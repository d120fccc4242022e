"""How a bot plays Barbu."""

from __future__ import annotations

from games.rules.barbu.actions import Action
from games.rules.barbu.view import View, legal_actions
from games.rules.lifecycle import Level
from games.rules.stream import Stream


def choose(view: View, level: Level, noise: Stream) -> Action:
    """One of the legal actions."""
    legal = legal_actions(view)
    return legal[noise.below(len(legal))]
