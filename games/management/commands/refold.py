"""`manage.py refold --since DATE`: would any stored game come out differently under the rules of today?

Exit 1 and the first such event of each game. What makes it safe to change the rules' code; the suite runs it over a
corpus of golden games (`--corpus tests/corpus`).
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import django
import msgspec
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from games.rules.proof import sentences
from games.rules.registry import listed
from games.services import corpus, refold
from games.services.refold import Refolded

AHEAD = 8  # pieces given to each process before the first is done


def moment(text: str) -> datetime:
    """A date or a time, UTC where it says nothing else."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"no date: {text}") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


class Command(BaseCommand):
    help = "Decide stored games once more under the present rules; name the first event that would be another one."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        wanted = parser.add_mutually_exclusive_group(required=True)
        wanted.add_argument("--since", type=moment, metavar="DATE", help="all games created since then (UTC)")
        wanted.add_argument("--corpus", type=Path, metavar="FOLDER", help="replays in files; needs no database")
        parser.add_argument("--ruleset", choices=[rules.key for rules in listed()], help="default: every ruleset")
        parser.add_argument("--processes", type=int, default=1, help="work side by side (default: 1)")
        parser.add_argument("--json", action="store_true", help="one JSON object for each game that differs")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["corpus"]:
            files = [str(path) for path in corpus.files(options["corpus"])]
            if not files:
                raise CommandError(f"no replays in {options['corpus']}")
            results = _worked(_of_corpus, files, options["processes"])
            total = len(files)
        else:
            chosen = options["since"], options["ruleset"]
            results, total = _worked(_of_game, refold.since(*chosen), options["processes"]), refold.count(*chosen)
        differing = self.report(results, total, options)
        if differing:
            sys.exit(1)

    def report(self, results: Iterable[list[Refolded]], total: int, options: dict[str, Any]) -> int:
        games = events = differing = 0
        with _progress(hidden=options["json"]) as progress:
            task = progress.add_task("refold", total=total)
            for piece in results:
                progress.advance(task)
                for each in piece:
                    if options["ruleset"] in {None, each.rules}:
                        games, events = games + 1, events + each.events
                        differing += each.difference is not None
                        self.say(each, as_json=options["json"])
        if not options["json"]:
            verdict = f"{differing} come out differently" if differing else "all come out the same"
            self.stdout.write(f"{games} games, {events} events: {verdict}")
        return differing

    def say(self, each: Refolded, *, as_json: bool) -> None:
        if each.difference is None:
            return
        if as_json:
            self.stdout.write(msgspec.json.encode(each).decode())
            return
        changed = each.stored_under != each.rules_version
        under = f" (stored under rules {each.stored_under}, now {each.rules_version})" if changed else ""
        self.stdout.write(f"{each.rules} {each.game_id}{under}: {sentences.found(each.difference, 'en')}")


def _of_game(game_id: str) -> list[Refolded]:
    return [refold.refold(game_id)]


def _of_corpus(path: str) -> list[Refolded]:
    return refold.of_corpus(path)


def _worked(work: Callable[[str], list[Refolded]], pieces: Iterable[str], processes: int) -> Iterator[list[Refolded]]:
    """The results in order; a bounded number of pieces is under way at a time."""
    if processes <= 1:
        yield from map(work, pieces)
        return
    with ProcessPoolExecutor(processes, get_context("spawn"), initializer=django.setup) as pool:
        waiting: list[Future[list[Refolded]]] = []
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) >= processes * AHEAD:
                yield waiting.pop(0).result()
        yield from (each.result() for each in waiting)


def _progress(*, hidden: bool) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), disable=hidden)
