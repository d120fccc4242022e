"""Lets bots of two levels play against each other, and says how sure the result is."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress

from games.rules.arena import Match, share_of_wins, wilson
from games.rules.lifecycle import Level
from games.rules.registry import listed, ruleset


class Command(BaseCommand):
    help = "Let bots of two levels play against each other."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        levels = get_args(Level)
        parser.add_argument("--ruleset", choices=[rules.key for rules in listed()], required=True)
        parser.add_argument("--games", type=int, default=1000)
        parser.add_argument("--seats", type=int, default=2)
        parser.add_argument("--a", choices=levels, default="normal")
        parser.add_argument("--b", choices=levels, default="easy")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--alone", action="store_true", help="level A on one seat only")

    def handle(self, *_args: Any, **options: Any) -> None:
        rules = ruleset(options["ruleset"])
        seats, games = options["seats"], options["games"]
        if not rules.min_seats <= seats <= rules.max_seats or games < 1:
            raise CommandError(f"{rules.key} takes {rules.min_seats} to {rules.max_seats} seats, and at least one game")
        match = Match(rules, seats, options["a"], options["b"], options["seed"], options["alone"])
        wins = 0.0
        with Progress(console=Console(stderr=True)) as progress:
            for number in progress.track(range(games), description=f"arena {rules.key}"):
                wins += share_of_wins(match, number)
        low, high = wilson(wins, games)
        cycle = [(seat, number) for seat in range(seats) for number in range(2 * seats)]
        even = sum(match.level_of(seat, number) == match.a for seat, number in cycle) / len(cycle)
        sys.stdout.write(
            f"{rules.key}, {seats} seats, {games} games, seed {match.seed}, seats rotated: "
            f"{f'one {match.a} among' if match.alone else f'{match.a} against'} {match.b} "
            f"wins {wins / games:.1%} (95 % interval {low:.1%} to {high:.1%}; equals would win {even:.1%})\n"
        )
