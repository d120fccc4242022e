"""How fast moves become durable through the store: 32 games at once, one batch of one move each.

`prepare` (bytes, chain, meta) and `append` are timed, deciding is not. Beside it, in turn, on the same PostgreSQL:
the `eventsourcing` library's saves from 32 threads and from one, and pgbench's one-row transactions.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from time import perf_counter
from typing import Any

from games.rules import play
from games.rules.table import advance
from tests.benchmarks import database, pgbench
from tests.benchmarks.games import long_game, stored
from tests.benchmarks.rows import Row, middle

RUNS = 3
GAMES = 32
TARGET = 5.0  # times the library
RULES, EVENTS = "plie", 300


def run(quick: bool) -> list[Row]:
    database.connect()
    moves, seconds = (10, 1) if quick else (60, 3)
    ours, theirs, disk = [], [], []
    with ExitStack() as held:
        saved = _library(held)
        for _ in range(RUNS):
            ours.append(_batches(moves))
            if saved:
                theirs.append(max(saved(moves // 2, GAMES), saved(moves // 2, 1)))
            if found := pgbench.transactions_per_second(database.superuser_url(), clients=GAMES, seconds=seconds):
                disk.append(found)
    value, spread = middle(ours)
    library, floor = middle(theirs)[0] if theirs else None, middle(disk)[0] if disk else None
    shared: dict[str, Any] = {
        "figure": f"append, {GAMES} games at once",
        "value": value,
        "unit": "events/s",
        "spread": spread,
    }
    return [
        Row(
            **shared,
            target=None if library is None else TARGET * library,
            baseline="eventsourcing library",
            ratio=value / library if library else None,
            note=f"the library {library:,.0f} events/s; target {TARGET:g} times" if library else "not installed",
        ),
        Row(
            **shared,
            baseline=f"pgbench, {GAMES} clients",
            ratio=value / floor if floor else None,
            note=f"pgbench {floor:,.0f} transactions/s" if floor else "pgbench was not found",
        ),
    ]


def _batches(moves: int) -> float:
    """Events per second of so many batches."""
    from games.store.append import append, prepare

    seed, played = long_game(RULES, EVENTS)
    first = next(place for place, records in enumerate(played) if records[0].event.type == "game_started")
    games = [stored(seed, played[:first]) for _ in range(GAMES)]
    tables = [game.table for game in games]
    batches = []
    for records in played[first : first + moves]:
        tables = [advance(table, records) for table in tables]
        batches.append([play.Move(records=records, table=table) for table in tables])
    began = perf_counter()
    for batch in batches:
        prepared = [prepare(game, move, due_at=None) for game, move in zip(games, batch, strict=True)]
        assert len(append(prepared)) == GAMES
        games = [each.after for each in prepared]
    spent = perf_counter() - began
    return sum(len(move.records) for batch in batches for move in batch) / spent


def _library(held: ExitStack) -> Callable[[int, int], float] | None:
    """Events per second of the library: so many saves to each game, from so many threads."""
    try:
        from tests.benchmarks.library import library
    except ImportError:
        return None
    theirs = held.enter_context(library(database.superuser_url(), connections=GAMES))

    def saved(moves: int, threads: int) -> float:
        ids = [theirs.written(1) for _ in range(GAMES)]
        began = perf_counter()
        theirs.append(ids, moves, threads)
        return GAMES * moves / (perf_counter() - began)

    return saved
