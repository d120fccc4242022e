"""Which errors mean that a server we depend on is away for a moment: not our fault, over by itself, worth one line.

Must live here: the classes alone, so that REST, sockets and logs agree. Whoever meets such an error answers
`unavailable`, or tries again later; the outcome of what was asked may be unknown.
"""

from __future__ import annotations

import kombu.exceptions
import psycopg
import redis
from celery.beat import SchedulingError
from django.db.utils import InterfaceError, OperationalError

OUTAGES: tuple[type[BaseException], ...] = (
    OperationalError,
    InterfaceError,
    psycopg.OperationalError,
    psycopg.InterfaceError,
    redis.ConnectionError,
    redis.TimeoutError,
    kombu.exceptions.OperationalError,
    SchedulingError,
    ConnectionError,
)


def outage(error: BaseException, *, behind: bool = False) -> BaseException | None:
    """The error if it is an outage; with `behind` also the one that it was raised from or while handling."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OUTAGES):
            return seen
        seen = (seen.__cause__ or seen.__context__) if behind else None
    return None


def named(error: BaseException) -> str:
    """An outage's kind, with the database's own code where there is one; never its message, which may quote data."""
    state = getattr(error.__cause__, "sqlstate", None) or getattr(error, "sqlstate", None)
    return f"{type(error).__name__} {state}" if state else type(error).__name__
