"""Measures the rating models against each other on simulated populations of known skill; no server, no database."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from statistics import fmean
from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.table import Table as Grid

from rankings.ratings.comparison import CHECKPOINTS, FORMATS, Format, Score, compare
from rankings.ratings.contenders import CONTENDERS


def formats(text: str) -> list[Format]:
    """`2,4,2v2`."""
    known = {form.name: form for form in FORMATS}
    names = text.split(",")
    if not set(names) <= set(known):
        raise ArgumentTypeError(f"choose from {', '.join(known)}")
    return [known[name] for name in names]


class Command(BaseCommand):
    help = "Compare the rating models: log-loss, Brier score, rank correlation with true skill, drift of the mean."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=96, help="in each population (default: 96)")
        parser.add_argument("--populations", type=int, default=3, help="of each format and kind of chance (default: 3)")
        parser.add_argument("--seed", type=int, default=1, help="same seed, same numbers (default: 1)")
        parser.add_argument("--formats", type=formats, default=list(FORMATS), help="as in 2,4,2v2 (default: all)")
        parser.add_argument("--markdown", action="store_true", help="for the README: only the means over the formats")

    def handle(self, **options: Any) -> None:
        asked: list[Format] = options["formats"]
        found: dict[str, list[Score]] = {contender.name: [] for contender in CONTENDERS}
        for form in asked:
            for contender, score in zip(CONTENDERS, self.measure(form, options), strict=True):
                found[contender.name].append(score)
        if options["markdown"]:
            self.stdout.write(markdown(found, asked))
            return
        console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 120)
        for place, form in enumerate(asked):
            console.print(grid(form.name, {name: scores[place] for name, scores in found.items()}))
        console.print(grid("mean of all formats", {name: overall(scores) for name, scores in found.items()}))

    def measure(self, form: Format, options: dict[str, Any]) -> list[Score]:
        """Each contender's score in one format, over all populations."""
        runs = [
            compare(CONTENDERS, form, players=options["players"], seed=options["seed"] * 1000 + population)
            for population in range(options["populations"])
        ]
        return [overall([run[place] for run in runs]) for place in range(len(CONTENDERS))]


def overall(scores: list[Score]) -> Score:
    """The mean of scores."""
    return Score(
        fmean(each.log_loss for each in scores),
        fmean(each.brier for each in scores),
        tuple(fmean(each.correlations[place] for each in scores) for place in range(len(CHECKPOINTS))),
        fmean(each.drift for each in scores),
    )


def cells(score: Score) -> list[str]:
    return [
        f"{score.log_loss:.4f}",
        f"{score.brier:.4f}",
        *(f"{correlation:.3f}" for correlation in score.correlations),
        f"{score.drift:+.1f}",
    ]


def grid(title: str, scores: dict[str, Score]) -> Grid:
    table = Grid(title=title if not title[0].isdigit() else f"{title} at the table")
    table.add_column("model")
    for name in ("log-loss", "Brier", *(f"rank corr. after {games}" for games in CHECKPOINTS), "drift"):
        table.add_column(name, justify="right")
    for name, score in scores.items():
        table.add_row(name, *cells(score))
    return table


def markdown(found: dict[str, list[Score]], asked: list[Format]) -> str:
    names = [*(f"log-loss {form.name}" for form in asked), "log-loss", "Brier"]
    names += [f"ρ {games}" for games in CHECKPOINTS] + ["drift"]
    lines = [f"| model | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for name, scores in found.items():
        by_format = [f"{score.log_loss:.3f}" for score in scores]
        lines.append(f"| {name} | {' | '.join([*by_format, *cells(overall(scores))])} |")
    return "\n".join(lines)
