"""Django's connection, used as psycopg's own: parameters bound by the server, statements prepared where allowed.

Errors come out as `django.db` ones, and a connection that broke is closed here so that the next use opens a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import InterfaceError, OperationalError, connection

LOST = (OperationalError, InterfaceError)


@contextmanager
def _cursor() -> Iterator[psycopg.Cursor[Any]]:
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        yield cursor


def rows(statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Run one statement and return all its rows. Raises django.db errors; see `LOST` for a connection that broke."""
    try:
        with _cursor() as cursor:
            return cursor.execute(statement, parameters).fetchall()
    except LOST:
        if not connection.in_atomic_block:
            connection.close()
        raise


def row(statement: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...] | None:
    """The only row, or None."""
    found = rows(statement, parameters)
    return found[0] if found else None


def execute(statement: str, parameters: Sequence[Any] = ()) -> int:
    """Run a statement that returns no rows; the number of rows that it changed."""
    with _cursor() as cursor:
        return cursor.execute(statement, parameters).rowcount


def in_transaction() -> bool:
    return connection.in_atomic_block
