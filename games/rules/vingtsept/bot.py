"""What a bot does with a view; for now any legal action."""

from __future__ import annotations

from games.rules.lifecycle import Level
from games.rules.stream import Stream
from games.rules.vingtsept.actions import Action
from games.rules.vingtsept.legal import legal_actions
from games.rules.vingtsept.view import View


def choose(view: View, level: Level, noise: Stream) -> Action:
    del level
    legal = legal_actions(view)
    return legal[noise.below(len(legal))]
