"""Lets a finished ranked game count for nothing, for ever; every rating behind it follows at once."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from accounts.audit import Operator
from accounts.management.deed import Deed
from rankings.ratings import voiding


class Command(Deed):
    help = "Let a finished ranked game count for nothing. Kept for ever with author and reason; cannot be taken back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game_id", type=UUID)
        super().add_arguments(parser)

    def act(self, operator: Operator, reason: str, **options: Any) -> str:
        made = voiding.void(str(options["game_id"]), operator, reason)
        return f"game {options['game_id']} is void; {made} changes of ratings were made anew behind it"
