"""The same limits as `config.wire.limits`, spent on the event loop: those who ask at once share one round trip.

The counters, their script and their answers are `limits`' own. Fails open like them.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import hashlib
from typing import Any
from weakref import WeakKeyDictionary

import redis.asyncio
from django.conf import settings
from limits.storage import RedisStorage
from redis.exceptions import NoScriptError, RedisError

from config.wire.limits import Kind, limit_of, limiter
from config.wire.problems import Problem

_SCRIPT: bytes = RedisStorage.SCRIPT_ACQUIRE_SLIDING_WINDOW
_SHA = hashlib.sha1(_SCRIPT, usedforsecurity=False).hexdigest()
_SECONDS = 0.5  # that the counters may take to answer

Use = tuple[str, str, int, int]  # two keys, how often, in how many seconds


class Gathered:
    """One per event loop."""

    def __init__(self) -> None:
        self._asked: list[tuple[Use, asyncio.Future[bool]]] = []
        self._asking: asyncio.Task[None] | None = None
        self._client: redis.asyncio.Redis | None = None

    async def spend(self, kind: Kind, who: str) -> None:
        """Count one use of that kind by a player's id. Raises Problem `throttled`."""
        if not settings.REPLI.throttle or limiter().paused:
            return
        limit = limit_of(kind)
        use = (*limiter().windows_of(limit, kind, who), limit.amount, limit.get_expiry())
        within = asyncio.get_running_loop().create_future()
        self._asked.append((use, within))
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask(), context=contextvars.Context())
        if not await within:
            seconds = await asyncio.to_thread(limiter().retry_after, limit, kind, who, count=False)
            raise Problem("throttled", retry_after=max(1, seconds))

    async def close(self) -> None:
        if self._asking is not None:
            await asyncio.wait({self._asking})
        if self._client is not None:
            client, self._client = self._client, None
            with contextlib.suppress(RedisError, OSError):
                await client.aclose()

    async def _ask(self) -> None:
        while self._asked:
            asked, self._asked = self._asked, []
            try:
                answers = await self._counted([use for use, _ in asked])
            except (RedisError, OSError) as error:
                limiter().pause(error)
                answers = [True] * len(asked)
            for (_, within), answer in zip(asked, answers, strict=True):
                if not within.done():
                    within.set_result(bool(answer))

    async def _counted(self, uses: list[Use]) -> list[Any]:
        if self._client is None:
            self._client = redis.asyncio.from_url(
                settings.REPLI.cache, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS
            )
        try:
            return await self._run(self._client, "EVALSHA", _SHA, uses)
        except NoScriptError:  # the store has been restarted; nothing was counted
            return await self._run(self._client, "EVAL", _SCRIPT, uses)

    async def _run(self, client: redis.asyncio.Redis, how: str, script: str | bytes, uses: list[Use]) -> list[Any]:
        pipe = client.pipeline(transaction=False)
        for last, present, amount, expiry in uses:
            pipe.execute_command(how, script, 2, last, present, amount, expiry, 1)
        answers: list[Any] = await pipe.execute()
        return answers


_gathered: WeakKeyDictionary[asyncio.AbstractEventLoop, Gathered] = WeakKeyDictionary()


async def spend(kind: Kind, who: str) -> None:
    """Count one use of that kind by a player's id. Raises Problem `throttled`."""
    loop = asyncio.get_running_loop()
    if loop not in _gathered:
        _gathered[loop] = Gathered()
    await _gathered[loop].spend(kind, who)


async def stop() -> None:
    """Let go of this loop's connection."""
    if (found := _gathered.pop(asyncio.get_running_loop(), None)) is not None:
        await found.close()
