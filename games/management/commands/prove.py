"""`manage.py prove`: what replays promise, tried out on random games in large numbers.

`prove fairness`: every replay of so many games of each ruleset verifies, and of so many with one value altered each is
found, with the place named. In memory, no server. `prove hindsight`: `state/?at=` shows every viewer what they saw
live; writes trial games to the database, so run it where that does no harm.
"""

from __future__ import annotations

import secrets
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, NamedTuple

import msgspec
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from games.management import hindsight
from games.rules.conformance.alterations import altered
from games.rules.conformance.playthrough import Case, played
from games.rules.conformance.replays import replay
from games.rules.conformance.violation import Violation
from games.rules.proof.verifying import verify
from games.rules.registry import listed, ruleset
from games.services import trials


class Command(BaseCommand):
    help = "Try out the proof of fairness, or looking back, on random games."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=("fairness", "hindsight"))
        parser.add_argument("--ruleset", choices=[rules.key for rules in listed()], help="default: every ruleset")
        parser.add_argument("--games", type=int, default=50, help="of each ruleset (default: 50)")
        parser.add_argument("--alterations", type=int, default=200, help="of each ruleset (default: 200)")
        parser.add_argument("--seed", type=int, help="to repeat a run (default: another one each time)")
        parser.add_argument("--processes", type=int, default=1, help="for fairness: work side by side (default: 1)")

    def handle(self, *_args: Any, **options: Any) -> None:
        chosen = [options["ruleset"]] if options["ruleset"] else [rules.key for rules in listed()]
        for rules in chosen:
            began = time.perf_counter()
            if options["what"] == "fairness":
                said = self.fairness(rules, options)
            else:
                said = self.hindsight(rules, options["games"])
            self.stdout.write(f"{rules}: {said} ({time.perf_counter() - began:.0f} s)")

    def fairness(self, rules: str, options: dict[str, Any]) -> str:
        seed = secrets.randbits(31) if options["seed"] is None else options["seed"]
        games, alterations = options["games"], options["alterations"]
        wanted = [
            Trial(rules, seed, number, alterations // games + (number < alterations % games)) for number in range(games)
        ]
        events = found = 0
        with _progress() as progress:
            task = progress.add_task(f"{rules}, seed {seed}", total=games)
            for seen in _tried(wanted, options["processes"]):
                if seen.missed:
                    raise CommandError("\n".join(seen.missed))
                events, found = events + seen.events, found + seen.found
                progress.advance(task)
        return f"{games} games verified, {events} events; {found} alterations, each found at its place"

    def hindsight(self, rules: str, games: int) -> str:
        compared = 0
        with _progress() as progress:
            task = progress.add_task(rules, total=games)
            for _ in range(games):
                try:
                    compared += hindsight.check(trials.made_up(ruleset(rules)))
                except Violation as violation:
                    raise CommandError(str(violation)) from violation
                progress.advance(task)
        return f"{games} games, {compared} states seen live, each the same afterwards"


class Trial(NamedTuple):
    """One game to verify, and how often to alter it."""

    rules: str
    seed: int
    number: int
    alterations: int


class Seen(NamedTuple):
    events: int
    found: int
    missed: list[str]


def tried(trial: Trial) -> Seen:
    """Play the game, verify its replay, and look for each alteration."""
    case = Case(ruleset(trial.rules), trial.seed, trial.number)
    shown = msgspec.json.decode(msgspec.json.encode(replay(played(case))))
    where = f"{trial.rules}, seed {trial.seed}, game {trial.number}"
    proof = verify(shown)
    missed = [] if proof.holds else [f"{where}: a good replay is refused: {proof.difference}"]
    noise = case.noise("alterations")
    for _ in range(trial.alterations):
        alteration = altered(shown, noise)
        difference = verify(alteration.replay).difference
        if difference is None:
            missed.append(f"{where}: not found: {alteration.what}")
        elif alteration.seq is not None and difference.seq != alteration.seq:
            missed.append(f"{where}: found at {difference.seq} instead of {alteration.seq}: {alteration.what}")
    return Seen(len(shown["events"]), trial.alterations, missed)


def _tried(wanted: list[Trial], processes: int) -> Iterator[Seen]:
    if processes <= 1:
        yield from map(tried, wanted)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        yield from pool.map(tried, wanted, chunksize=5)


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True))
