"""A web process keeps a pool: when the server restarts, all its connections are dead at once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import psycopg
import pytest
from django.db import connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper

from games.store import watching
from games.store.append import append
from games.store.load import load
from tests.servers import TestServers
from tests.store.games import break_connection, current, running, saying

SIZE = 4


@pytest.fixture
def pooled() -> Iterator[ThreadPoolExecutor]:
    """Threads whose default connection comes from one pool."""
    settings: dict[str, Any] = connections["default"].settings_dict
    options = settings["OPTIONS"] | {"pool": {"min_size": SIZE, "max_size": SIZE, "timeout": 5}}
    own = settings | {"OPTIONS": options, "CONN_MAX_AGE": 0}

    def use_pool() -> None:
        connections["default"] = DatabaseWrapper(own, "default")

    with ThreadPoolExecutor(SIZE, initializer=use_pool) as threads:
        yield threads
        threads.submit(lambda: DatabaseWrapper(own, "default").close_pool()).result()


def _taken(together: Barrier) -> psycopg.Connection:
    """This thread's connection, while every other thread has one too; it goes back to the pool."""
    connection.ensure_connection()
    taken: psycopg.Connection = connection.connection
    together.wait(30)
    connection.close()
    return taken


def test_moves_and_reads_go_on_after_all_pooled_connections_broke(
    servers: TestServers, pooled: ThreadPoolExecutor
) -> None:
    games = [running() for _ in range(SIZE)]
    together = Barrier(SIZE)
    for each in list(pooled.map(lambda _: _taken(together), range(SIZE))):
        break_connection(servers, each)

    def move(game_id: str) -> bool:
        try:
            return bool(append([saying(current(game_id), "well")])) and load(game_id) is not None
        finally:
            connection.close()

    assert list(pooled.map(move, [game.table.id for game in games])) == [True] * SIZE


def test_figures_are_read_at_once_after_all_pooled_connections_broke(
    servers: TestServers, pooled: ThreadPoolExecutor
) -> None:
    together = Barrier(SIZE)
    for each in list(pooled.map(lambda _: _taken(together), range(SIZE))):
        break_connection(servers, each)

    found = pooled.submit(lambda: list(watching.read_samples())).result()

    assert "repli_deadlines_overdue" in {sample.name for sample in found}
