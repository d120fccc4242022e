"""Makes the ratings anew from the recorded order, the games' events and the adjustments."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from rankings.ratings import follow


class Command(BaseCommand):
    help = "Make the ratings anew, bit by bit the same, in one transaction; what ends meanwhile is rated after it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rules", help="one ruleset's ratings alone (default: all)")

    def handle(self, *, rules: str | None, **_options: Any) -> None:
        began = time.perf_counter()
        made = follow.rebuild(rules, lambda place: self.stdout.write(f"  up to place {place} of the order"))
        self.stdout.write(f"{made} changes of ratings made anew in {time.perf_counter() - began:.1f} s")
