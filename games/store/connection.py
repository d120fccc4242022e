"""Django's connection, used as psycopg's own: parameters bound by the server, statements prepared where allowed.

Errors come out as `django.db` ones. Invariant: a connection that broke is closed at once, and a pool is asked to drop
the others that broke with it, so that the next use gets one that works if there is any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import InterfaceError, OperationalError, connection

Parameters = Sequence[Any] | Mapping[str, Any]
Rows = list[tuple[Any, ...]]
LOST = (OperationalError, InterfaceError)  # the outcome of the statement is not known


def rows(statement: str, parameters: Parameters = ()) -> Rows:
    """Run one statement that returns rows."""
    with _cursor() as cursor:
        return cursor.execute(statement, parameters).fetchall()


def execute(statement: str, parameters: Parameters = ()) -> int:
    """Run a statement that returns no rows; the number of rows that it changed."""
    with _cursor() as cursor:
        return cursor.execute(statement, parameters).rowcount


def read(statement: str, parameters: Parameters = ()) -> Rows:
    """Run a statement that changes nothing; once more on a new connection if this one broke."""
    connect()
    try:
        return rows(statement, parameters)
    except LOST:
        if in_transaction():
            raise
        return rows(statement, parameters)


def read_one(statement: str, parameters: Parameters = ()) -> tuple[Any, ...] | None:
    """The only row, or None."""
    found = read(statement, parameters)
    return found[0] if found else None


def connect() -> None:
    """Be connected. Raises django.db.OperationalError: then nothing has been sent."""
    connection.ensure_connection()


def in_transaction() -> bool:
    return connection.in_atomic_block


@contextmanager
def _cursor() -> Iterator[psycopg.Cursor[Any]]:
    connection.ensure_connection()
    try:
        with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
            yield cursor
    except LOST:
        if not in_transaction():
            connection.close()
            if (pool := getattr(connection, "pool", None)) is not None:
                pool.check()
        raise
