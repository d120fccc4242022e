"""The speed that Repli is held to: each target, the row that answers it, and whether it was met.

A target names a row by its figure, and by its baseline where a figure is compared with several. `by` says what is
judged, the row's value or its ratio to the baseline.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from tests.benchmarks.rows import Row


class Target(msgspec.Struct, frozen=True, kw_only=True):
    label: str
    benchmark: str
    figure: str
    baseline: str | None = None
    by: Literal["value", "ratio"] = "value"
    goal: float
    stretch: float | None = None
    better: Literal["more", "less"] = "more"
    unit: str = ""

    def answers(self, row: Row) -> bool:
        """Whether the row is this target's."""
        return row.figure == self.figure and (self.baseline is None or (row.baseline or "").startswith(self.baseline))

    def measured(self, rows: Sequence[Row]) -> float | None:
        """What was measured; None if the row is missing or its baseline was not run."""
        row = next((row for row in rows if self.answers(row)), None)
        if row is None:
            return None
        return row.value if self.by == "value" else row.ratio

    def met(self, measured: float, goal: float) -> bool:
        return measured >= goal if self.better == "more" else measured <= goal


_MOVES = "moves, 200 games"


def _against(label: str, baseline: str, goal: float, stretch: float) -> Target:
    return Target(
        label=label,
        benchmark="moves",
        figure=_MOVES,
        baseline=baseline,
        by="ratio",
        goal=goal,
        stretch=stretch,
        unit="×",
    )


def _latency(rate: str, part: str, goal: float, stretch: float | None = None) -> Target:
    return Target(
        label=f"latency move → all four delivered, {rate} moves/s over 200 games, {part}",
        benchmark="latency",
        figure=f"latency at {rate} moves/s over 200 games, {part}",
        goal=goal,
        stretch=stretch,
        better="less",
        unit="ms",
    )


def _decisions(rules: str, goal: float, stretch: float) -> Target:
    return Target(
        label=f"decisions/s, one core: {rules}",
        benchmark="rules",
        figure=f"rules {rules}, default options: decisions",
        goal=goal,
        stretch=stretch,
        unit="1/s",
    )


def _rebuild(rules: str) -> Target:
    return Target(
        label=f"rebuild of a 300-event game: {rules}",
        benchmark="rebuild",
        figure=f"rebuild {rules}",
        goal=200_000.0,
        stretch=285_000.0,
        unit="events/s",
    )


def _flat(what: str, figure: str) -> Target:
    return Target(label=what, benchmark="growth", figure=figure, goal=1.2, better="less", unit="×")


TARGETS = (
    _against("durable WebSocket moves/s at 200 games ÷ pgbench, 32 connections", "pgbench", 0.25, 0.4),
    _against("… ÷ boardgame.io in memory (not re-run)", "boardgame.io in memory", 1.7, 2.5),
    _against("… ÷ boardgame.io FlatFile (not re-run)", "boardgame.io FlatFile", 5.0, 8.0),
    _against("… ÷ Colyseus broadcast, not durable (not re-run)", "Colyseus", 0.4, 0.7),
    _against("… ÷ usual stack (ORM + channels_redis)", "usual stack", 12.0, 20.0),
    _latency("1,000", "p50", 2.5, 1.5),
    _latency("1,000", "p99", 10.0, 5.0),
    _latency("4,000", "p50", 8.0),
    _latency("4,000", "p99", 25.0),
    Target(
        label="memory per 1,000 idle sockets, all included",
        benchmark="sockets",
        figure="memory per 1,000 idle sockets",
        goal=30.0,
        stretch=22.0,
        better="less",
        unit="MiB",
    ),
    Target(
        label="append through the store ÷ `eventsourcing` library, 32 games at once",
        benchmark="append",
        figure="append, 32 games at once",
        baseline="eventsourcing",
        by="ratio",
        goal=5.0,
        stretch=15.0,
        unit="×",
    ),
    *map(_rebuild, ("gg", "plie", "barbu", "vingtsept")),
    _decisions("gg", 50_000.0, 100_000.0),
    _decisions("plie", 50_000.0, 100_000.0),
    _decisions("barbu", 50_000.0, 100_000.0),
    _decisions("vingtsept", 20_000.0, 50_000.0),
    Target(
        label="REST moves/s ÷ REST framework, sync, under WSGI",
        benchmark="rest",
        figure="REST moves, 50 connections",
        baseline="REST framework",
        by="ratio",
        goal=4.0,
        stretch=8.0,
        unit="×",
    ),
    Target(
        label="REST move p50 at 8 connections",
        benchmark="rest",
        figure="REST move, 8 connections, p50",
        goal=3.0,
        better="less",
        unit="ms",
    ),
    _flat("latency p50, 10,000 running games ÷ 100", "growth, latency p50: 10,000 running games ÷ 100"),
    _flat("memory per game, 10,000 running games ÷ 100", "growth, memory per game: 10,000 running games ÷ 100"),
    _flat("latency p50, 100,000 finished games ÷ none", "growth, latency p50: 100,000 finished games ÷ none"),
)
