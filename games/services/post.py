"""What this process says to others through Valkey and the broker, without anybody waiting until it is said.

Must live here: sending from the event loop. Invariants: nothing here may refuse, delay or fail a command; while one
message is on its way all that is to be said next gathers, so a busy process says much in few words; what is lost, or
too much to be kept, only delays: sockets and the sweep find it in the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
from collections.abc import Iterable
from datetime import datetime

import msgspec
import redis.asyncio
import structlog
from django.conf import settings
from redis.exceptions import RedisError

from config.observability.figures import lost
from games.services import presence, wake
from games.services.threads import in_thread
from games.services.wake import CHANNEL, PATIENCE, Wake

log = structlog.get_logger(__name__)

GATHER_SECONDS = 0.002  # from one message to the next: each costs its listeners far more than a word in it
MOST = 20_000  # wake-ups that are kept while Valkey does not answer
MOST_HINTS = 64  # on their way at once; a game without one is found by the sweep

_encode = msgspec.json.encode


class Post:
    """One per event loop."""

    def __init__(self) -> None:
        self._wakes: list[Wake] = []
        self._signs: set[tuple[str, str]] = set()
        self._hints: set[asyncio.Task[None]] = set()
        self._carrier: asyncio.Task[None] | None = None
        self._clients: dict[str, redis.asyncio.Redis] = {}  # by address

    def say(self, wakes: Iterable[Wake]) -> None:
        """Send wake-ups to every process, this one too."""
        self._wakes += wakes
        if len(self._wakes) > MOST:
            lost("wake").inc(len(self._wakes) - MOST)
            log.warning("wake-ups lost", number=len(self._wakes) - MOST)
            del self._wakes[:-MOST]
        self._carry()

    def sign_of_life(self, game_id: str, player_id: str) -> None:
        """A request of a player at a game (`presence.active`)."""
        if len(self._signs) < MOST:
            self._signs.add((game_id, player_id))
        self._carry()

    def hint(self, game_id: str, due: datetime, now: datetime) -> None:
        """Ask a worker to look at a game when something is due there."""
        if len(self._hints) < MOST_HINTS:
            task = asyncio.create_task(in_thread(wake.hint, game_id, due, now))
            self._hints.add(task)
            task.add_done_callback(self._hints.discard)

    async def close(self) -> None:
        """Say what is still to be said, if it can be said soon."""
        pending = [task for task in (*self._hints, self._carrier) if task is not None]
        if pending:
            _, late = await asyncio.wait(pending, timeout=2 * PATIENCE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        while self._clients:
            _, client = self._clients.popitem()
            with contextlib.suppress(RedisError, OSError):
                await client.aclose()

    def _carry(self) -> None:
        if self._carrier is None or self._carrier.done():
            nobody = contextvars.Context()  # what it carries is that of many
            self._carrier = asyncio.create_task(self._deliver(), context=nobody)

    async def _deliver(self) -> None:
        while self._wakes or self._signs:
            wakes, self._wakes = self._wakes, []
            signs, self._signs = self._signs, set()
            try:
                await self._send(wakes, signs)
            except (RedisError, OSError) as error:
                lost("wake").inc(len(wakes))
                log.warning("wake-ups lost", number=len(wakes), signs=len(signs), error=type(error).__name__)
            await asyncio.sleep(GATHER_SECONDS)

    async def _send(self, wakes: list[Wake], signs: set[tuple[str, str]]) -> None:
        if wakes:
            await self._client(settings.REPLI.bus).publish(CHANNEL, _encode(wakes))
        if signs:
            pipe = self._client(settings.REPLI.redis).pipeline(transaction=False)
            presence.stretch(pipe, signs)
            await pipe.execute()

    def _client(self, url: str) -> redis.asyncio.Redis:
        if url not in self._clients:
            self._clients[url] = redis.asyncio.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
        return self._clients[url]
