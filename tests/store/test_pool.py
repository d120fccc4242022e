"""A web process keeps a pool: when the server restarts, all its connections are dead at once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper

from games.store.append import append
from games.store.load import load
from tests.servers import TestServers
from tests.store.games import current, running, saying, superuser

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


def _backend() -> int:
    """This thread's backend; the connection goes back to the pool."""
    connection.ensure_connection()
    pid: int = connection.connection.info.backend_pid
    connection.close()
    return pid


def test_moves_and_reads_go_on_after_all_pooled_connections_broke(
    servers: TestServers, pooled: ThreadPoolExecutor
) -> None:
    games = [running() for _ in range(SIZE)]
    backends = {each for _ in range(8) for each in pooled.map(lambda _: _backend(), range(SIZE))}
    with superuser(servers) as other:
        other.execute("SELECT pg_terminate_backend(pid, 5000) FROM unnest(%s::int[]) AS pid", [list(backends)])

    def move(game_id: str) -> bool:
        try:
            return bool(append([saying(current(game_id), "well")])) and load(game_id) is not None
        finally:
            connection.close()

    assert list(pooled.map(move, [game.table.id for game in games])) == [True] * SIZE
