"""How late the event loop is: the first thing to suffer when somebody blocks it or the machine is too busy."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from config.observability.figures import loop_lag

EVERY = 0.2  # seconds


def watched() -> Callable[[], Awaitable[None]]:
    """Begin to look, in the running loop; what ends it."""
    task = asyncio.create_task(_watch())

    async def end() -> None:
        task.cancel()
        await asyncio.wait({task})

    return end


async def _watch() -> None:
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(EVERY)
        loop_lag.observe(max(0.0, time.perf_counter() - begun - EVERY))
