"""Lets a finished ranked game count for nothing, for ever; every rating behind it follows at once."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from rankings.ratings import follow


class Command(BaseCommand):
    help = "Let a finished ranked game count for nothing. Kept for ever with author and reason; cannot be taken back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game_id", type=UUID)
        parser.add_argument("--author", required=True, help="who decides, at most 100 letters")
        parser.add_argument("--reason", required=True, help="why, at most 500 letters")

    def handle(self, *, game_id: UUID, author: str, reason: str, **_options: Any) -> None:
        if not 0 < len(author.strip()) <= 100 or not 0 < len(reason.strip()) <= 500:
            raise CommandError("give an author (at most 100 letters) and a reason (at most 500)")
        try:
            made = follow.void(str(game_id), author.strip(), reason.strip(), timezone.now())
        except follow.Refused as refusal:
            raise CommandError(f"{game_id}: {refusal}") from refusal
        self.stdout.write(f"game {game_id} is void; {made} changes of ratings were made anew behind it")
