"""The game host of a process: moves are decided on the games it keeps in memory and written many at a time.

On the way of a move that stands there is no query but its batch's statement. The cache, the sockets in this process,
the other processes and the clock hear of it from here.
Invariants: the host is a cache and a meeting point, never an authority. What is kept may be old: a move decided on it
stands only if the table is still at that version, and nobody is refused before the decision was made again on what
the table says now, nor before the first answer to an equal key was looked for. Answers are `command.run`'s to the
byte. Moves of one game wait for each other here, so that they do not overtake each other in vain; how many may wait
is bounded, and who finds no place is told so, with nothing done.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple
from weakref import WeakKeyDictionary

import msgspec
import structlog

from config.observability.figures import cache_lookups
from config.wire.problems import Problem
from games.services import command, entropy, follow
from games.services.command import Answer, Caller, Key, Step
from games.services.post import Post
from games.services.threads import in_thread
from games.services.watch import Telling
from games.store import cache
from games.store.cache import Loaded
from games.store.prepared import Append
from games.store.writer import Busy, Entry, Writer

log = structlog.get_logger(__name__)

_hit = cache_lookups("games", "hit")

MAX_AT_GAME = 128  # moves of one game that are decided, written or waiting

Listener = Callable[[Telling], None]  # told of each append that this host has made


class Moved(NamedTuple):
    """A move that stands, for the first time or again: its answer, and what an acknowledgement takes from it."""

    answer: Answer
    version: int
    receipt: str


class Ask(NamedTuple):
    """A command for the host. `stands` is called once it stands, before its events are told to anybody here; also
    when the one who waited for it has gone.
    """

    caller: Caller
    game_id: str
    key: Key | None
    step: Step
    stands: Callable[[Moved], None] | None = None


class _Note(NamedTuple):
    """What the follow-up wants to know of a move."""

    now: datetime
    telling: Telling
    moved: Moved
    stands: Callable[[Moved], None] | None


class _Done(msgspec.Struct, frozen=True, kw_only=True):
    """What is read in a move's first answer."""

    version: int
    receipt: str


_done = msgspec.json.Decoder(_Done).decode


class _Queue:
    """Those at one game."""

    __slots__ = ("lock", "number")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.number = 0


class Host:
    """One per event loop."""

    def __init__(self) -> None:
        self.post = Post()
        self.listeners: list[Listener] = []
        self.stood_at = 0.0  # when the batch that listeners are being told of was committed, by perf_counter
        self._writer = Writer(self._committed)
        self._queues: dict[str, _Queue] = {}

    async def move(self, ask: Ask) -> Moved:
        """Run a command that moves a game on. Raises Problem; psycopg.OperationalError: it may stand or not."""
        queue = self._queues.get(ask.game_id)
        if queue is None:
            queue = self._queues[ask.game_id] = _Queue()
        if queue.number >= MAX_AT_GAME:
            raise _too_busy()
        queue.number += 1
        try:
            return await self._move(ask, queue.lock)
        finally:
            queue.number -= 1
            if not queue.number:
                del self._queues[ask.game_id]

    async def stop(self) -> None:
        """Write and follow up what was taken in; then let go of all connections."""
        await self._writer.close()
        await self.post.close()

    async def _move(self, ask: Ask, lock: asyncio.Lock) -> Moved:
        seen: Loaded | None = None  # what the table said since this command arrived
        for attempt in range(command.ATTEMPTS):
            async with lock:
                loaded = _newest(cache.get(ask.game_id), seen)
                if loaded is not None and seen is None:
                    _hit.inc()
                outcome = None if loaded is None else await self._attempt(ask, loaded)
            if isinstance(outcome, Moved):
                return outcome
            if outcome is not None and seen is not None:
                if ask.key and (first := await in_thread(command.repeated, ask.caller, ask.game_id, ask.key)):
                    return _again(ask, first)
                raise outcome
            if seen is not None:
                await asyncio.sleep(random.uniform(0, 0.002 * (attempt + 1)))  # noqa: S311  (spreads retries)
            found = await in_thread(_look, ask)
            if isinstance(found, Answer):
                return _again(ask, found)
            seen = found
        raise _too_busy()

    async def _attempt(self, ask: Ask, loaded: Loaded) -> Moved | Problem | None:
        """The outcome on this state of the game: a refusal, or None if another command was faster."""
        now = entropy.utcnow()
        try:
            plan = ask.step(loaded, now)
        except Problem as refusal:
            return refusal
        made, answer = command.ready(ask.caller, ask.game_id, ask.key, loaded, plan)
        moved = Moved(answer, made.version, made.head.hex())
        telling = plan.telling or Telling(made.before.table, made.records, made.table)
        try:
            stands = await self._writer.append(made, _Note(now, telling, moved, ask.stands))
        except Busy:
            raise _too_busy() from None
        command.counted(plan, stands=stands)
        return moved if stands else None

    # --- what follows -------------------------------------------------------------------------------------------

    def _committed(self, batch: Sequence[Entry]) -> None:
        self.stood_at = time.perf_counter()
        wakes = []
        for entry in batch:
            try:
                self._tell(entry.made, entry.note)
            except Exception:
                log.exception("a move was not told in this process", game=entry.made.game_id)
            wakes += follow.wakes(entry.made.before.table, entry.made.table)
        self.post.say(wakes)

    def _tell(self, made: Append, note: _Note) -> None:
        cache.put(made.after)
        if note.stands is not None:
            note.stands(note.moved)
        for listener in self.listeners:
            listener(note.telling)
        if made.due_at is not None and follow.soon(made.table, made.due_at, note.now):
            self.post.hint(made.game_id, made.due_at, note.now)


def _newest(kept: Loaded | None, seen: Loaded | None) -> Loaded | None:
    if kept is None or (seen is not None and seen.version > kept.version):
        return seen
    return kept


def _look(ask: Ask) -> Answer | Loaded:
    """The first answer to this key, or else what the table says now. Raises Problem."""
    return command.repeated(ask.caller, ask.game_id, ask.key) or command.existing(ask.game_id)


def _again(ask: Ask, first: Answer) -> Moved:
    done = _done(first.body)
    moved = Moved(first, done.version, done.receipt)
    if ask.stands is not None:
        ask.stands(moved)
    return moved


def _too_busy() -> Problem:
    return Problem("unavailable", "too-busy", retry_after=1)


_hosts: WeakKeyDictionary[asyncio.AbstractEventLoop, Host] = WeakKeyDictionary()


def host() -> Host:
    """This process's host (one per event loop)."""
    loop = asyncio.get_running_loop()
    if loop not in _hosts:
        _hosts[loop] = Host()
    return _hosts[loop]


async def stop() -> None:
    """End this loop's host, if there is one; the next command begins another."""
    if (found := _hosts.pop(asyncio.get_running_loop(), None)) is not None:
        await found.stop()
