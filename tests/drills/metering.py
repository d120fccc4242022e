"""What `/metrics` of the web processes said while a drill ran: first and last value of each figure, and whether it
moved.

The text form of Prometheus is read here as a scraper would, by names and labels alone.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import httpx

PAUSE = 1.0  # seconds between scrapes
SAMPLE = re.compile(r"^(?P<name>[a-zA-Z_:][\w:]*)(?:\{(?P<labels>.*)\})? (?P<value>\S+)")
LABEL = re.compile(r'(\w+)="([^"]*)"')


class Figure(NamedTuple):
    """A figure by words, the samples it is summed up from, and the labels that are told apart."""

    words: str
    name: str
    apart: tuple[str, ...] = ()


FIGURES = (
    Figure("moves", "repli_moves_total", ("rules", "result")),
    Figure("appends counted", "repli_append_seconds_count"),
    Figure("fan-outs counted", "repli_fanout_seconds_count"),
    Figure("open sockets", "repli_sockets"),
    Figure("deadlines overdue", "repli_deadlines_overdue"),
    Figure("seconds since the last sweep", "repli_beat_age_seconds", ("beat",)),
    Figure("seconds since a follower asked", "repli_follower_age_seconds", ("consumer",)),
    Figure("tasks in queues", "repli_queue_depth"),
    Figure("seconds of event-loop lag, summed", "repli_loop_lag_seconds_sum"),
    Figure("cache lookups", "repli_cache_lookups_total", ("cache", "found")),
)
MUST_MOVE = frozenset({"moves", "appends counted", "fan-outs counted", "open sockets", "seconds since the last sweep"})


class Row(NamedTuple):
    """One line of the report; `least` and `most` over all scrapes."""

    process: str
    figure: str
    labels: str
    first: float
    last: float
    least: float
    most: float

    @property
    def moved(self) -> bool:
        return self.least != self.most


class Meter:
    """Scrapes until it is cancelled. A process that was started anew counts from 0 again, as it does for a scraper."""

    def __init__(self, urls: Sequence[str]) -> None:
        self.urls = list(urls)
        self.scrapes = 0
        self.absent: set[str] = set()  # processes that have no such page
        self.refused: list[str] = []  # answers that were neither 200 nor those of a process that leaves
        self._seen: dict[tuple[str, Figure, str], list[float]] = defaultdict(list)

    async def run(self) -> None:
        async with httpx.AsyncClient(timeout=10) as http:
            while True:
                await asyncio.gather(*(self._scrape(http, number) for number in range(len(self.urls))))
                await asyncio.sleep(PAUSE)

    async def _scrape(self, http: httpx.AsyncClient, number: int) -> None:
        process = "web" if number == 0 else f"web-{number + 1}"
        try:
            answer = await http.get(f"{self.urls[number]}/metrics")
        except httpx.TransportError:
            return  # it is being restarted
        if answer.status_code == 404:
            self.absent.add(process)
        elif answer.status_code == 200:
            self.scrapes += 1
            self.take(process, answer.text)
        elif answer.status_code != 503:
            self.refused.append(f"{process}: /metrics answered {answer.status_code}")

    def take(self, process: str, text: str) -> None:
        """Add up one scrape's samples."""
        sums: dict[tuple[Figure, str], float] = defaultdict(float)
        figures = {figure.name: figure for figure in FIGURES}
        for found in filter(None, map(SAMPLE.match, text.splitlines())):
            figure = figures.get(found["name"])
            if figure is not None:
                labels = dict(LABEL.findall(found["labels"] or ""))
                sums[figure, _told_apart(figure, labels)] += float(found["value"])
        for (figure, apart), value in sums.items():
            self._seen[process, figure, apart].append(value)

    def rows(self) -> list[Row]:
        """By process and figure, in the order of the list."""
        places = {figure: place for place, figure in enumerate(FIGURES)}
        ordered = sorted(self._seen.items(), key=lambda item: (places[item[0][1]], item[0][2], item[0][0]))
        return [
            Row(process, figure.words, labels, values[0], values[-1], min(values), max(values))
            for (process, figure, labels), values in ordered
        ]

    def broken(self) -> list[str]:
        """Figures that should have moved while moves were made, and did not; nothing where there is no such page."""
        found = list(self.refused)
        if self.scrapes:
            moved = {row.figure for row in self.rows() if row.moved}
            found += [f"/metrics: {figure} never moved" for figure in sorted(MUST_MOVE - moved)]
        return found


def _told_apart(figure: Figure, labels: Mapping[str, str]) -> str:
    return ", ".join(labels.get(name, "") for name in figure.apart)


def shown(value: float) -> str:
    """A number as short as it can be read."""
    if not math.isfinite(value):
        return "never" if value > 0 else str(value)
    return f"{value:.0f}" if value == int(value) else f"{value:.3f}"
