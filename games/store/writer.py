"""Group commit: moves decided on the event loop are appended in batches, two at a time in flight, without a timer.

While a batch is on its way the next one gathers, so batches grow with the load and a lone move waits for nobody.
Invariants: a batch holds at most one append of a game, and no two batches in flight hold the same one; a move that
was taken in is written or answered with an error, and followed up if it stands, whether or not somebody still waits
for it; one move's trouble (a locked game, something that cannot be stored) is not its batch's. The statement is
`append`'s own, and so is the way to find out what became of a batch whose answer was lost.
"""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from weakref import WeakSet

import psycopg
import structlog

from config.observability.figures import append_batch, append_seconds, writer_waiting
from config.observability.tracing import span
from games.store import parameters
from games.store.line import LOCK_SECONDS, LOST, Line
from games.store.prepared import Append

log = structlog.get_logger(__name__)

LINES = 2  # batches in flight
MAX_BATCH = 32  # larger ones only add latency (performance.md)
MAX_WAITING = 4096


class Busy(Exception):
    """More moves wait than can be written soon; nothing of this one was done."""


class Entry(NamedTuple):
    """A move that waits; `note` is its owner's affair."""

    made: Append
    note: Any
    stands: asyncio.Future[bool]


class Writer:
    """One per event loop. `committed` is told of each batch's moves that stand, before their waiters are."""

    def __init__(
        self,
        committed: Callable[[Sequence[Entry]], None],
        *,
        lines: int = LINES,
        max_batch: int = MAX_BATCH,
        max_waiting: int = MAX_WAITING,
        lock_seconds: int = LOCK_SECONDS,
    ) -> None:
        self._committed = committed
        self._max_batch, self._max_waiting = max_batch, max_waiting
        self._lines = [Line(lock_seconds) for _ in range(lines)]
        self._waiting: deque[Entry] = deque()
        self._in_flight: set[str] = set()
        self._resting: list[asyncio.Future[None]] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._calling = False  # a line has been called and has not looked yet
        self._closing = False
        _writers.add(self)

    async def append(self, made: Append, note: Any = None) -> bool:
        """Whether the move stands; if not, it was overtaken or its receipt's key is known. Raises Busy.

        psycopg.OperationalError means that the outcome stays unknown. Cancelling the wait cancels nothing else.
        """
        if self._closing or len(self._waiting) >= self._max_waiting:
            raise Busy
        entry = Entry(made, note, asyncio.get_running_loop().create_future())
        self._waiting.append(entry)
        if not self._tasks:
            nobody = contextvars.Context()  # a batch is nobody's: else its lines and spans would be the first one's
            self._tasks = [asyncio.create_task(self._serve(line), context=nobody.copy()) for line in self._lines]
        self._call()
        return await entry.stands

    async def close(self) -> None:
        """Write what was taken in, then end; nothing more is taken in."""
        self._closing = True
        while self._resting:
            self._wake()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    @property
    def waiting(self) -> int:
        """Moves that no batch has taken yet."""
        return len(self._waiting)

    # --- lines --------------------------------------------------------------------------------------------------

    def _call(self) -> None:
        if self._resting and not self._calling:
            self._calling = True
            self._wake()

    def _wake(self) -> None:
        resting = self._resting.pop()
        if not resting.done():
            resting.set_result(None)

    async def _serve(self, line: Line) -> None:
        try:
            while True:
                if batch := self._take():
                    await self._settle(line, batch)
                elif self._closing:
                    return
                else:
                    resting = asyncio.get_running_loop().create_future()
                    self._resting.append(resting)
                    await resting
        finally:
            await line.close()

    def _take(self) -> list[Entry]:
        """The oldest moves, at most one of a game and none of a game that is in flight."""
        self._calling = False
        taken: list[Entry] = []
        passed: list[Entry] = []
        while self._waiting and len(taken) < self._max_batch:
            entry = self._waiting.popleft()
            if entry.made.game_id in self._in_flight:
                passed.append(entry)
            else:
                taken.append(entry)
                self._in_flight.add(entry.made.game_id)
        more = bool(self._waiting)
        self._waiting.extendleft(reversed(passed))
        if more:
            self._call()
        return taken

    # --- batches ------------------------------------------------------------------------------------------------

    async def _settle(self, line: Line, batch: Sequence[Entry]) -> None:
        try:
            await self._write(line, batch)
        finally:
            self._in_flight.difference_update(entry.made.game_id for entry in batch)
            for entry in batch:
                entry.stands.cancel()  # only where this task was cancelled: all others have their answer

    async def _write(self, line: Line, batch: Sequence[Entry]) -> None:
        try:
            standing = await self._measured(line, [entry.made for entry in batch])
        except Exception as error:  # noqa: BLE001  (whoever waits is told)
            away = isinstance(error, LOST) and error.sqlstate is None
            if away or len(batch) == 1:
                self._fail(batch, error)
                return
            for entry in batch:  # the server or the encoder refused one of them
                await self._write(line, [entry])
        else:
            self._answer(batch, standing)

    async def _measured(self, line: Line, moves: Sequence[Append]) -> set[str]:
        begun = time.perf_counter()
        with span("append") as told:
            standing = await self._standing(line, moves)
            told.note("repli.batch_size", len(moves))
            told.note("repli.stood", len(standing))
        append_seconds.observe(time.perf_counter() - begun)
        append_batch.observe(len(moves))
        return standing

    async def _standing(self, line: Line, moves: Sequence[Append]) -> set[str]:
        """The games whose move stands. When the answer is lost, the outcome is found out over a new connection."""
        asked = parameters.moving(moves)
        await line.connect()
        try:
            found = await line.rows(*asked)
        except psycopg.errors.LockNotAvailable:  # certainly not written
            raise
        except LOST:
            found = await line.rows(*asked)
            found += await line.rows(*parameters.looking_back(moves))
        return {game_id for game_id, _ in found}

    def _answer(self, batch: Sequence[Entry], standing: set[str]) -> None:
        written = [entry for entry in batch if entry.made.game_id in standing]
        if written:
            try:
                self._committed(written)
            except Exception:
                log.exception("a batch was not followed up")
        for entry in batch:
            if not entry.stands.done():
                entry.stands.set_result(entry.made.game_id in standing)

    def _fail(self, batch: Sequence[Entry], error: Exception) -> None:
        for entry in batch:
            if not entry.stands.done():
                entry.stands.set_exception(error)


_writers: WeakSet[Writer] = WeakSet()
writer_waiting.set_function(lambda: sum(writer.waiting for writer in list(_writers)))
