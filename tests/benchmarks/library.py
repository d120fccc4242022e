"""The same work done by the `eventsourcing` library, on the same PostgreSQL: the baseline of rebuild and append.

Its tables are made in a schema of their own and dropped at the end. Optional: `uv sync --group bench`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import unquote, urlsplit
from uuid import UUID

import psycopg
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

SCHEMA = "benchmark_eventsourcing"


class Table(Aggregate):
    """A table where cards are played: about the least state that a trick needs."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.trick: tuple[tuple[int, str], ...] = ()
        self.turn = 0

    @event("CardPlayed")
    def play(self, seat: int, card: str) -> None:
        self.trick = (*self.trick, (seat, card)) if len(self.trick) < self.seats else ((seat, card),)
        self.turn = (seat + 1) % self.seats


class Library:
    """An application of the library: made by `library`."""

    def __init__(self, application: Application[UUID]) -> None:
        self._application = application

    def written(self, events: int) -> UUID:
        """A stored table with so many events; its id."""
        table = Table(seats=4)
        for number in range(events - 1):
            table.play(seat=number % 4, card="AH")
        self._application.save(table)
        table_id: UUID = table.id
        return table_id

    def rebuild(self, table_id: UUID) -> int:
        """Load and fold a table; how many events it had."""
        return int(self._application.repository.get(table_id).version)

    def append(self, table_ids: Sequence[UUID], each: int, threads: int) -> None:
        """Save `each` events to every table, one by one, from so many threads at once."""

        def play(table_id: UUID) -> None:
            table: Table = self._application.repository.get(table_id)
            for number in range(each):
                table.play(seat=number % 4, card="AH")
                self._application.save(table)

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, table_ids))


@contextmanager
def library(url: str, connections: int = 32) -> Iterator[Library]:
    """The library on the database at `url`, with a pool of so many connections."""
    parts = urlsplit(url)
    environment = {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": parts.path.removeprefix("/"),
        "POSTGRES_HOST": parts.hostname or "",
        "POSTGRES_PORT": str(parts.port or 5432),
        "POSTGRES_USER": unquote(parts.username or ""),
        "POSTGRES_PASSWORD": unquote(parts.password or ""),
        "POSTGRES_POOL_SIZE": str(connections),
        "POSTGRES_SCHEMA": SCHEMA,
    }
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
        connection.execute(f"CREATE SCHEMA {SCHEMA}")
        application: Application[UUID] = Application(env=environment)
        try:
            yield Library(application)
        finally:
            application.close()
            connection.execute(f"DROP SCHEMA {SCHEMA} CASCADE")
