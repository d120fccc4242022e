"""`manage.py verify_events`: recompute every game's hash chain; exit 1 and name the first bad version of each game."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO
from uuid import UUID

import msgspec
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from games.services import wake
from games.store import verify
from games.store.verify import Checked, Finding, Head


class Command(BaseCommand):
    help = "Verify the hash chains of all games, or of one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", type=UUID, help="this game only")
        parser.add_argument("--json", action="store_true", help="print one JSON document instead of sentences")
        parser.add_argument("--export-heads", type=Path, metavar="FILE", help="write each good game's chain head")
        parser.add_argument(
            "--compare-heads",
            type=Path,
            metavar="FILE",
            help="compare with heads exported before: lost tails and games",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        audit = _Audit(self.stdout, as_json=options["json"])
        with _progress(hidden=options["json"]) as progress:
            audit.chains(_checked(options["game"]), options["export_heads"], progress)
            if options["compare_heads"]:
                audit.heads(_read(options["compare_heads"], options["game"]), progress)
        audit.report()
        if options["game"] is None:
            wake.chains_checked(len({finding.game_id for finding in audit.findings}))
        if audit.findings:
            sys.exit(1)


class _Audit:
    """What has been looked at and found so far."""

    def __init__(self, out: Any, *, as_json: bool) -> None:
        self.out, self.as_json = out, as_json
        self.games = self.events = self.compared = 0
        self.findings: list[Finding] = []

    def chains(self, checked: Iterator[Checked], export: Path | None, progress: Progress) -> None:
        task = progress.add_task("chains", total=verify.count())
        file = export.open("w", encoding="utf-8") if export else None
        try:
            for each in checked:
                self.games += 1
                self.events += each.events
                self._note(each.finding)
                if file and each.head:
                    _write(file, each.head)
                progress.advance(task)
        finally:
            if file:
                file.close()

    def heads(self, kept: Iterator[Head], progress: Progress) -> None:
        task = progress.add_task("kept heads", total=None)
        for _, finding in verify.compare(kept):
            self.compared += 1
            self._note(finding)
            progress.advance(task)

    def _note(self, finding: Finding | None) -> None:
        if finding is None:
            return
        self.findings.append(finding)
        if not self.as_json:
            self.out.write(f"game {finding.game_id} version {finding.version}: {finding.problem}")

    def report(self) -> None:
        if self.as_json:
            summary = {
                "games": self.games,
                "events": self.events,
                "compared": self.compared,
                "findings": self.findings,
            }
            self.out.write(msgspec.json.encode(summary).decode())
            return
        verdict = f"{len(self.findings)} findings" if self.findings else "all is well"
        compared = f", {self.compared} kept heads compared" if self.compared else ""
        self.out.write(f"{self.games} games, {self.events} events{compared}: {verdict}")


def _checked(game: UUID | None) -> Iterator[Checked]:
    if game is None:
        yield from verify.check_all()
        return
    checked = verify.check_game(str(game))
    if checked is not None:
        yield checked


def _write(file: TextIO, head: Head) -> None:
    file.write(msgspec.json.encode(head).decode() + "\n")


def _read(path: Path, game: UUID | None) -> Iterator[Head]:
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                head = msgspec.json.decode(line, type=Head)
            except msgspec.DecodeError as error:
                raise CommandError(f"{path}, line {number}: {error}") from None
            if game is None or head.game_id == str(game):
                yield head


def _progress(*, hidden: bool) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), disable=hidden, transient=True)
