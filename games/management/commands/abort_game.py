"""Ends a waiting or running game for everybody, without a result."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from accounts.audit import Operator
from accounts.management.deed import Deed
from games.services import operating


class Command(Deed):
    help = "End a game that is not over, without a result. Kept for ever with author and reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game_id", type=UUID)
        super().add_arguments(parser)

    def act(self, operator: Operator, reason: str, **options: Any) -> str:
        version = operating.abort(str(options["game_id"]), operator, reason)
        return f"game {options['game_id']} was aborted at version {version}"
