"""`manage.py storage`: bytes per event and per game of each ruleset, and the sizes of the tables that grow."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import IO, Any, cast

import msgspec
from django.core.management.base import BaseCommand
from rich.console import Console
from rich.table import Table

from games.store import storage
from games.store.storage import Storage

HEADS = ("ruleset", "games", "sampled", "events/game", "data bytes/event", "bytes/event", "bytes/game", "receipts/game")


class Command(BaseCommand):
    help = "Measure how much room events and games take in the database, with all indexes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sample", type=int, default=200, help="finished games of each ruleset to look at")
        parser.add_argument("--json", action="store_true", help="print one JSON document")
        parser.add_argument("--markdown", action="store_true", help="print the table of the README")

    def handle(self, *_args: Any, **options: Any) -> None:
        found = storage.measure(max(1, options["sample"]))
        if options["json"]:
            self.stdout.write(msgspec.json.encode(found).decode())
        elif options["markdown"]:
            self.stdout.write("\n".join(_markdown(found)))
        else:
            self._print(found)

    def _print(self, found: Storage) -> None:
        console = Console(file=cast("IO[str]", self.stdout), soft_wrap=True)
        rulesets = Table(
            *HEADS, title=f"{found.games:,} games, {found.events:,} events, {_size(found.database)} in all"
        )
        for row in _rows(found):
            rulesets.add_row(*row)
        tables = Table("table with its indexes", "rows, about", "size")
        for each in found.tables:
            tables.add_row(each.name, f"{each.rows:,}", _size(each.bytes))
        console.print(rulesets, tables)


def _rows(found: Storage) -> list[list[str]]:
    return [
        [
            each.rules,
            f"{each.games:,}",
            f"{each.sampled:,}",
            f"{each.events_per_game:,.0f}",
            f"{each.data_bytes_per_event:,.0f}",
            f"{each.bytes_per_event:,.0f}",
            f"{each.bytes_per_game:,.0f}",
            f"{each.receipt_bytes_per_game:,.0f}",
        ]
        for each in found.rules
    ]


def _markdown(found: Storage) -> list[str]:
    lines = [HEADS, ["---"] * len(HEADS), *_rows(found)]
    return ["| " + " | ".join(line) + " |" for line in lines]


def _size(number: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if number < 1024:
            return f"{number:,.1f} {unit}"
        number /= 1024
    return f"{number:,.1f} TiB"
