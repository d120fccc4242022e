"""`manage.py replay GAME`: a game that is over, told in the terminal move by move."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from games.rules.retelling import Line
from games.rules.table import Table
from games.services import replays
from games.services.watch import OVER
from games.store.load import load

WORDS = {
    "en": {
        "version": "version", "time": "time", "thought": "thought", "what": "what happened", "scores": "Scores",
        "seat": "seat", "place": "place", "score": "score", "moves": "moves", "average": "average",
        "longest": "longest",
    },
    "fr": {
        "version": "version", "time": "temps", "thought": "réflexion", "what": "ce qui s’est passé",
        "scores": "Comptes",
        "seat": "siège", "place": "place", "score": "score", "moves": "coups", "average": "moyenne",
        "longest": "le plus long",
    },
}  # fmt: skip


class Command(BaseCommand):
    help = "Print a game that is over: every move in words, scores per deal, and how long each seat thought."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", type=UUID)
        parser.add_argument("--language", choices=("en", "fr"), default="en")

    def handle(self, *_args: Any, **options: Any) -> None:
        loaded = load(str(options["game"]))
        if loaded is None:
            raise CommandError(f"there is no game {options['game']}")
        if loaded.table.status not in OVER:
            raise CommandError(f"game {options['game']} is not over: its cards are still hidden")
        language = options["language"]
        names, lines = replays.lines(loaded, language)
        words = WORDS[language]
        out: Any = self.stdout._out  # noqa: SLF001  (Django's wrapper adds line ends of its own)
        console = Console(file=out, width=None if out.isatty() else 160)
        console.print(f"{loaded.table.ruleset.texts[language].title} · {loaded.table.id}", highlight=False)
        console.print(_moves(lines, words))
        console.print(f"\n{words['scores']}")
        for line in lines:
            if line.scores:
                console.print(Text(f"{line.last:>6}  {line.scores}"))
        console.print(_seats(loaded.table, names, lines, words))


def _moves(lines: Sequence[Line], words: dict[str, str]) -> Grid:
    grid = Grid(box=None)
    for name in ("version", "time", "thought"):
        grid.add_column(words[name], justify="right")
    grid.add_column(words["what"])
    began = lines[0].at
    for line in lines:
        grid.add_row(str(line.last), _clock(line.at - began), _thought(line.thought), Text(line.words))
    return grid


def _seats(table: Table, names: Sequence[str], lines: Iterable[Line], words: dict[str, str]) -> Grid:
    """Place, score and thinking times of each seat."""
    thoughts: dict[int, list[timedelta]] = {seat: [] for seat in range(table.seats)}
    for line in lines:
        if line.seat is not None and line.thought is not None:
            thoughts[line.seat].append(line.thought)
    places = {place.seat: place for place in table.standing or ()}
    grid = Grid()
    for name in ("seat", "place", "score", "moves", "average", "longest"):
        grid.add_column(words[name], justify="left" if name == "seat" else "right")
    for seat, spent in thoughts.items():
        place = places.get(seat)
        average = sum(spent, timedelta()) / len(spent) if spent else None
        told = ("", "") if place is None else (str(place.place), str(place.score))
        grid.add_row(Text(names[seat]), *told, str(len(spent)), _thought(average), _thought(max(spent, default=None)))
    return grid


def _clock(span: timedelta) -> str:
    minutes, seconds = divmod(max(0.0, span.total_seconds()), 60)
    return f"{minutes:.0f}:{seconds:04.1f}"


def _thought(span: timedelta | None) -> str:
    return "" if span is None else f"{span.total_seconds():.1f} s"
