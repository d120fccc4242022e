"""Lets a banned player log in again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from accounts import banning
from accounts.audit import Operator
from accounts.management.deed import Deed


class Command(Deed):
    help = "Let a banned player log in again. Kept for ever with author and reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("player_id", type=UUID)
        super().add_arguments(parser)

    def act(self, operator: Operator, reason: str, **options: Any) -> str:
        banning.unban(options["player_id"], operator, reason)
        return f"player {options['player_id']} may log in again"
