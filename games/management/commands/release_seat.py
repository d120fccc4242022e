"""Hands a player's seat to a bot until the player takes it back."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from accounts.audit import Operator
from accounts.management.deed import Deed
from games.services import operating


class Command(Deed):
    help = "Hand a stuck seat to a bot until its player is back. Kept for ever with author and reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game_id", type=UUID)
        parser.add_argument("seat", type=int)
        super().add_arguments(parser)

    def act(self, operator: Operator, reason: str, **options: Any) -> str:
        version = operating.release(str(options["game_id"]), options["seat"], operator, reason)
        return f"a bot plays on seat {options['seat']} of game {options['game_id']} from version {version} on"
