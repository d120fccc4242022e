"""Plays random games of a ruleset through the conformance suite; needs no server and no database."""

from __future__ import annotations

import gzip
import json
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as Grid

from games.rules.conformance.coverage import Coverage
from games.rules.conformance.golden import golden_cases, golden_text
from games.rules.conformance.playthrough import Case, started
from games.rules.conformance.runs import Result, Run, carry_out
from games.rules.conformance.suite import Effort, Tally
from games.rules.conformance.violation import Violation
from games.rules.errors import Invalid
from games.rules.registry import AnyRuleset, listed, ruleset

PIECE = 25  # games per piece of work


def seats_range(text: str) -> range:
    """`4` or `2-8`."""
    low, _, high = text.partition("-")
    try:
        found = range(int(low), int(high or low) + 1)
    except ValueError:
        found = range(0)
    if not found:
        raise ArgumentTypeError("give a number of seats, or two as in 2-8")
    return found


def json_object(text: str) -> dict[str, Any]:
    """Options as JSON."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise ArgumentTypeError(f"no JSON: {error}") from None
    if not isinstance(found, dict):
        raise ArgumentTypeError('give an object, as in {"lives": 3}')
    return found


class Command(BaseCommand):
    help = "Play random games of a ruleset through the conformance suite."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--ruleset", choices=[rules.key for rules in listed()], help="default: every ruleset")
        parser.add_argument("--games", type=int, default=1000, help="per ruleset (default: 1000)")
        parser.add_argument("--seed", type=int, default=0, help="same seed, same games (default: 0)")
        parser.add_argument("--first", type=int, default=0, help="number of the first game, to repeat a single one")
        parser.add_argument("--seats", type=seats_range, help="2-8 or 4 (default: all that the ruleset allows)")
        parser.add_argument("--options", type=json_object, default={}, help='JSON, as in {"lives": 3}')
        parser.add_argument("--out", type=Path, help="write each game's replay, one a line (.gz: compressed)")
        parser.add_argument("--no-chain", action="store_true", help="replays without their chains: half the size")
        parser.add_argument("--processes", type=int, default=1, help="work side by side (default: 1)")
        parser.add_argument("--positions", type=int, default=3, help="places per game where everything is tried")
        parser.add_argument("--golden", type=Path, help="write the golden playthroughs into this folder instead")

    def handle(self, *_args: Any, **options: Any) -> None:
        chosen = [ruleset(options["ruleset"])] if options["ruleset"] else list(listed())
        if options["golden"]:
            for rules in chosen:
                self.write_golden(rules, options["golden"])
            return
        try:
            for rules in chosen:
                self.simulate(rules, options)
        except Violation as violation:
            raise CommandError(str(violation)) from violation
        except Invalid as refusal:
            raise CommandError(f"no such game: {refusal.field} {refusal.code}") from refusal

    def simulate(self, rules: AnyRuleset, options: dict[str, Any]) -> None:
        run = Run(
            rules=rules.key,
            games=options["games"],
            first=options["first"],
            seed=options["seed"],
            seats=options["seats"],
            options=options["options"],
            effort=Effort(positions=options["positions"]),
            keep_replays=options["out"] is not None,
            chained=not options["no_chain"],
        )
        started(Case(rules, run.seed, run.first, run.seats, run.options))  # raises Invalid before anything is written
        began, total = time.perf_counter(), Tally()
        out = _open(options["out"]) if options["out"] else None
        try:
            with _progress() as progress:
                task = progress.add_task(f"simulate {rules.key}", total=run.games)
                for result in _results(run, options["processes"]):
                    total.add(result.tally)
                    progress.advance(task, result.tally.games)
                    if out is not None:
                        out.writelines(line + b"\n" for line in result.replays)
        finally:
            if out is not None:
                out.close()
        self.report(rules, total, time.perf_counter() - began)

    def report(self, rules: AnyRuleset, total: Tally, seconds: float) -> None:
        console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 160)
        console.print(_grid(rules, total.coverage))
        unmet = total.coverage.unmet
        expected = len(total.coverage.expected)
        console.print(f"coverage: {expected - len(unmet)} of {expected} (option, phase, refusal) met")
        for cell in unmet:
            console.print(f"  not met: {cell.option}={cell.value}, {cell.phase}, {cell.refusal}")
        console.print(
            f"{rules.key}: {total.games} games, {total.events} events, {total.positions} positions tried out, "
            f"{total.swaps} swaps of hidden cards, no violation; {total.games / seconds:.1f} games/s"
        )

    def write_golden(self, rules: AnyRuleset, folder: Path) -> None:
        target = folder / rules.key
        target.mkdir(parents=True, exist_ok=True)
        for name, case in golden_cases(rules).items():
            (target / f"{name}.txt").write_text(golden_text(case), "utf-8")
            self.stdout.write(f"{target / name}.txt")


def _open(path: Path) -> IO[bytes]:
    """Compressed files hold no time, so that equal games give equal files."""
    return cast("IO[bytes]", gzip.GzipFile(path, "wb", mtime=0)) if path.name.endswith(".gz") else path.open("wb")


def _results(run: Run, processes: int) -> Iterator[Result]:
    """The run's pieces in order, whoever works on them."""
    if processes <= 1:
        yield from map(carry_out, run.pieces(PIECE))
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        yield from pool.map(carry_out, run.pieces(PIECE))


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True))


def _grid(rules: AnyRuleset, coverage: Coverage) -> Grid:
    grid = Grid(title=f"{rules.key}: how often each refusal was met (– : ruled out by the options)")
    grid.add_column("option")
    grid.add_column("value")
    for phase, refusal in coverage.columns():
        grid.add_column(f"{phase}\n{refusal}", justify="right", overflow="fold")
    for option, value, counts in coverage.rows():
        grid.add_row(option, value, *counts)
    return grid
