"""How fast a stored game of 300 events stands again: one query, decoded, upcast and folded, with nothing cached.

Through the store's own `load`, on a real database; beside it the `eventsourcing` library's rebuild of as many events,
run for run in turn. Time on the wall, as who opens a game waits for it; a second row counts this process alone.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from time import perf_counter, process_time

from games.rules.registry import RULESETS
from tests.benchmarks import database
from tests.benchmarks.games import long_game, stored
from tests.benchmarks.rows import Row, middle

RUNS = 3
EVENTS = 300
TARGET = 200_000.0  # events/s: 1.5 ms for the game
BASELINE = "eventsourcing library"


def run(quick: bool) -> list[Row]:
    database.connect()
    loads = 20 if quick else 200
    rows = []
    with ExitStack() as held:
        rebuilt = _library(held)
        for rules in RULESETS:
            rows += _figures(rules.key, loads, rebuilt)
    return rows


def _figures(key: str, loads: int, rebuilt: Callable[[], int] | None) -> list[Row]:
    from games.store import cache
    from games.store.load import load

    game = stored(*long_game(key, EVENTS))
    game_id, events = game.table.id, game.version

    def rebuild() -> int:
        cache.clear()
        found = load(game_id)
        assert found is not None
        return found.version

    rebuild()
    ours, theirs, inside = [], [], []
    for _ in range(RUNS):
        ours.append(_per_second(rebuild, loads, perf_counter))
        inside.append(1e6 / _per_second(rebuild, loads, process_time))
        if rebuilt:
            theirs.append(_per_second(rebuilt, max(loads // 10, 5), perf_counter))
    value, spread = middle(ours)
    baseline = middle(theirs)[0] if theirs else None
    note = f"a game of {events} events in {1000 * events / value:.2f} ms"
    if baseline:
        note += f"; the library {baseline:,.0f} events/s"
    own, own_spread = middle(inside)
    return [
        Row(
            figure=f"rebuild {key}",
            value=value,
            unit="events/s",
            spread=spread,
            target=TARGET,
            baseline=BASELINE,
            ratio=value / baseline if baseline else None,
            note=note if baseline else f"{note}; the library is not installed",
        ),
        Row(
            figure=f"rebuild {key}: this process alone",
            value=own,
            unit="µs per event",
            spread=own_spread,
            better="less",
        ),
    ]


def _per_second(work: Callable[[], int], times: int, clock: Callable[[], float]) -> float:
    """Events per second by that clock."""
    began, events = clock(), 0
    for _ in range(times):
        events += work()
    return events / (clock() - began)


def _library(held: ExitStack) -> Callable[[], int] | None:
    try:
        from tests.benchmarks.library import library
    except ImportError:
        return None
    theirs = held.enter_context(library(database.superuser_url(), connections=1))
    table_id = theirs.written(EVENTS)
    return lambda: theirs.rebuild(table_id)
