"""How long players wait and how even their tables are, by the real matcher on a virtual clock."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.rules.registry import listed
from rankings.matchmaking.plot import Panel, draw
from rankings.matchmaking.simulation import HOUR, Seated, quantile, simulate
from rankings.matchmaking.terms import terms_of


class Command(BaseCommand):
    help = "Simulate players who arrive over an hour; print waits and rating spreads, and draw them (PNG)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rules", choices=[known.key for known in listed()], default="gg")
        parser.add_argument("--players", type=int, default=10_000)
        parser.add_argument("--seconds", type=float, default=HOUR, help="over which they arrive")
        parser.add_argument("--parties", type=float, default=0.05, help="share of players who come in twos")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--plot", type=Path, help="file to draw to: blue everybody, orange the top decile")

    def handle(self, **given: Any) -> None:
        began = time.monotonic()
        outcome = simulate(
            terms_of(given["rules"], "ranked"),
            players=given["players"],
            duration=given["seconds"],
            parties=given["parties"],
            seed=given["seed"],
        )
        self.stdout.write(
            f"{given['players']} players over {given['seconds']:.0f} s, seed {given['seed']}: {len(outcome.seated)}"
            f" seated at {outcome.tables} tables of {given['rules']}, {outcome.left_over} still wait"
            f" ({time.monotonic() - began:.1f} s of computing)"
        )
        self.stdout.write(f"{'':>12} {'wait, s':>16} {'spread, points':>16}")
        self.stdout.write(f"{'':>12} {'median':>8}{'95 %':>8} {'median':>8}{'95 %':>8}")
        for name, group in (("all", outcome.seated), ("top decile", outcome.top())):
            self.stdout.write(f"{name:>12} {_line(group)}")
        if given["plot"]:
            draw(given["plot"], _panels(outcome.seated, outcome.top()))
            self.stdout.write(f"{given['plot']} drawn: waits in seconds, spreads in points, heights in per cent")


def _line(group: list[Seated]) -> str:
    waits, spreads = [each.waited for each in group], [each.spread for each in group]
    found = [quantile(values, share) for values in (waits, spreads) for share in (0.5, 0.95)]
    return "{:8.1f}{:8.1f} {:8.1f}{:8.1f}".format(*found)


def _panels(everybody: list[Seated], top: list[Seated]) -> list[Panel]:
    return [
        Panel(series=[[each.waited for each in group] for group in (everybody, top)], most=60, step=10),
        Panel(series=[[each.spread for each in group] for group in (everybody, top)], most=300, step=50),
    ]
