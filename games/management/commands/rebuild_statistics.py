"""`manage.py rebuild_statistics`: count every finished game again; `--check` only compares."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from games.statistics import following
from games.store.feed import followers


class Command(BaseCommand):
    help = "Make the players' statistics anew from the events, in the order that the feed has recorded."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where a row would be another")

    def handle(self, *_args: Any, **options: Any) -> None:
        total = next((each.place for each in followers() if each.consumer == following.CONSUMER), 0)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, console=Console(stderr=True)) as progress:
            task = progress.add_task("games", total=total)

            def advance(place: int) -> None:
                progress.update(task, completed=place)

            if options["check"]:
                wrong = following.compare(advance)
            else:
                made = following.rebuild(advance)
        if not options["check"]:
            self.stdout.write(f"{total} games, {made} rows made anew")
            return
        for player_id, rules in wrong:
            self.stdout.write(f"player {player_id}, {rules}: not what the events give")
        self.stdout.write(f"{total} games: {len(wrong)} rows differ")
        if wrong:
            sys.exit(1)
