"""Database work for the event loop: whole transactions in one bounded set of threads, never one thread per socket.

Each thread gives its connection back to the pool after every call (stack.md, database calls in consumers).
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import connections

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 8
_executor = ThreadPoolExecutor(THREADS, thread_name_prefix="loop-db")


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a service call in one of the threads. Cancelling the waiter does not stop what has begun."""
    context = contextvars.copy_context()
    call = partial(context.run, _clean, partial(function, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(_executor, call)


def _clean(call: Callable[[], T]) -> T:
    try:
        return call()
    finally:
        connections.close_all()
