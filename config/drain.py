"""Leaving in good order: how a web process that was asked to end lets go of its clients, without losing their moves.

Must live here: the state "leaving", and the ASGI wrapper that tells sockets and connections of it. Must not: signals
and servers (config/web.py), databases. A socket is told between two messages, never within one: a move that has begun
is answered first, a message that has not been begun is left for the next process, to which the client comes back.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

log = structlog.get_logger(__name__)

Message = Any  # a scope or an event of ASGI
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

SERVICE_RESTART = 1012
RESTART = "service.restart"  # what a socket's application receives: close with 1012, once all is said


class Drain:
    """One per process: whether it is leaving, who is still connected, and what is to be closed at the very end."""

    def __init__(self) -> None:
        self.begun = False
        self.sockets = 0
        self._empty = asyncio.Event()
        self._listening: set[asyncio.Task[Any]] = set()  # those that wait for a client's next message
        self._openers: list[Callable[[], Awaitable[None]]] = []
        self._closers: list[Callable[[], Awaitable[None]]] = []

    def at_start(self, begin: Callable[[], Awaitable[None]]) -> None:
        """Await `begin` before anybody is served; if it fails, the process does not start."""
        self._openers.append(begin)

    def at_end(self, close: Callable[[], Awaitable[None]]) -> None:
        """Await `close` once no client is left; in the order opposite to the one in which they were named."""
        self._closers.append(close)

    async def open(self) -> None:
        """Begin what was named by `at_start`."""
        for begin in self._openers:
            await begin()

    def begin(self) -> None:
        """Tell every socket to go; from now on nobody is kept, and `/readyz` says no."""
        self.begun = True
        listening, self._listening = self._listening, set()
        for task in listening:
            task.cancel()

    async def emptied(self, seconds: float) -> bool:
        """Wait until every socket is gone, at most so many seconds; whether they are."""
        if self.sockets:
            self._empty.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._empty.wait(), seconds)
        return not self.sockets

    async def close(self) -> None:
        """Close what was named by `at_end`; one that fails does not keep the others from it."""
        while self._closers:
            try:
                await self._closers.pop()()
            except Exception:
                log.exception("not closed in good order")

    def around(self, application: Application) -> Application:
        """`application`, whose clients are let go when the process leaves."""

        async def serve(scope: Message, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                await application(scope, receive, self._last_answer(send))
            elif self.begun:
                await _elsewhere(scope, receive, send)
            else:
                self.sockets += 1
                try:
                    await application(scope, self._interruptible(receive), send)
                finally:
                    self.sockets -= 1
                    if not self.sockets:
                        self._empty.set()

        return serve

    def _last_answer(self, send: Send) -> Send:
        """Connections end with the answer that they are given while the process leaves."""

        async def answer(message: Message) -> None:
            if self.begun and message["type"] == "http.response.start":
                message = message | {"headers": [*message.get("headers", ()), (b"connection", b"close")]}
            await send(message)

        return answer

    def _interruptible(self, receive: Receive) -> Receive:
        """`receive` that says RESTART, once, as soon as the process leaves; no task more per message."""
        told = False

        async def hear() -> Message:
            nonlocal told
            if told:
                return await receive()
            if not self.begun:
                task = asyncio.current_task()
                assert task is not None
                self._listening.add(task)
                try:
                    return await receive()
                except asyncio.CancelledError:
                    if task in self._listening or task.uncancel():  # somebody else's wish, not that of `begin`
                        raise
                finally:
                    self._listening.discard(task)
            told = True
            return {"type": RESTART}

        return hear


async def lifespan(_scope: Message, receive: Receive, send: Send) -> None:
    """ASGI's lifespan: at its start all that was named begins, at its end all that was named is closed."""
    while (await receive())["type"] != "lifespan.shutdown":
        await DRAIN.open()
        await send({"type": "lifespan.startup.complete"})
    await DRAIN.close()
    await send({"type": "lifespan.shutdown.complete"})


async def _elsewhere(scope: Message, receive: Receive, send: Send) -> None:
    """Send a socket on that came over a kept connection, in the word that its client knows: 1012."""
    await receive()
    chosen = next((name for name in scope.get("subprotocols", ()) if not name.startswith("bearer.")), None)
    await send({"type": "websocket.accept", "subprotocol": chosen})
    await send({"type": "websocket.close", "code": SERVICE_RESTART})


DRAIN = Drain()
