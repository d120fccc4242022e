"""A connection of our own to the database for statements on the event loop, opened at first need and after each loss.

Parameters are bound by the server and statements prepared where that is allowed. Plans kept from when tables were
young must go by index, and a lock must not hold up those who wait behind it for long; where prepared statements are
off, a pooler may stand between (pgbouncer in transaction mode, which takes neither options at the start nor settings
that outlive a transaction), so there the settings travel with each statement, in the same words and transaction.
Invariant: a statement has an answer, or raises within `SECONDS`; after an error without an answer nobody uses that
connection again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import psycopg
from django.conf import settings

LOST = (psycopg.OperationalError, psycopg.InterfaceError)  # the outcome of the statement is not known
SECONDS = 10.0  # a statement's; a lock is waited for at most LOCK_SECONDS
CONNECT_SECONDS = 5
LOCK_SECONDS = 5

Rows = list[tuple[Any, ...]]


class Line:
    """One connection, for one statement at a time; each is a transaction of its own."""

    def __init__(self, lock_seconds: int = LOCK_SECONDS) -> None:
        self._settings = {"enable_seqscan": "off", "jit": "off", "lock_timeout": f"{lock_seconds}s"}
        self._set_local = "".join(f"SET LOCAL {name} = '{value}';\n" for name, value in self._settings.items())
        self._prepared: bool = settings.REPLI.prepared_statements
        self._connection: psycopg.AsyncConnection[Any] | None = None

    @property
    def pid(self) -> int | None:
        """The server's process behind it, while connected."""
        return self._connection.info.backend_pid if self._connection else None

    async def connect(self) -> None:
        """Be connected. Raises psycopg.OperationalError: then nothing has been sent."""
        if self._connection is None or self._connection.closed:
            self._connection = await psycopg.AsyncConnection.connect(**self._arguments())

    async def rows(self, statement: str, parameters: Sequence[Any] = ()) -> Rows:
        """Run one statement that returns rows."""
        await self.connect()
        assert self._connection is not None, "just connected"
        try:
            async with asyncio.timeout(SECONDS):
                return await self._run(self._connection, statement, parameters)
        except TimeoutError:
            await self.close()
            raise psycopg.OperationalError("no answer") from None
        except LOST:
            if self._connection.broken:
                await self.close()
            raise
        except asyncio.CancelledError:
            await self.close()
            raise

    async def _run(self, connection: psycopg.AsyncConnection[Any], statement: str, parameters: Sequence[Any]) -> Rows:
        if self._prepared:
            return await (await connection.execute(statement, parameters)).fetchall()
        cursor = await connection.execute(self._set_local + statement, parameters)
        while cursor.nextset():
            pass
        return await cursor.fetchall()

    async def close(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            with contextlib.suppress(psycopg.Error):
                await connection.close()

    def _arguments(self) -> dict[str, Any]:
        """As Django connects, without its pool."""
        database = settings.DATABASES["default"]
        options = {name: value for name, value in database["OPTIONS"].items() if name != "pool"}
        if self._prepared:
            more = " ".join(f"-c {name}={value}" for name, value in self._settings.items())
            options["options"] = f"{options.get('options', '')} {more}".strip()
        else:
            options["cursor_factory"] = psycopg.AsyncClientCursor  # several statements in one go take no parameters
        return {
            "dbname": database["NAME"],
            "user": database["USER"],
            "password": database["PASSWORD"],
            "host": database["HOST"],
            "port": database["PORT"],
            "autocommit": True,
            "connect_timeout": CONNECT_SECONDS,
            **options,
        }
