"""What a socket says, in order: at once while its reader keeps up, from a queue while it does not.

Invariants: nothing else sends on the socket while it is open, so messages keep their order; nobody who pushes is ever
held up; who does not take a message within `SEND_SECONDS`, or is `MOST_BEHIND` bytes behind, is given up.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any

import structlog

from config.sockets import Say

log = structlog.get_logger(__name__)

SEND_SECONDS = 5.0
MOST_BEHIND = 4 * 1024 * 1024

Send = Callable[[dict[str, Any]], Coroutine[Any, Any, None]]


class Outbox:
    def __init__(self, send: Send, give_up: Callable[[], None], say: Say | None = None) -> None:
        self._send = send
        self._say_now = say  # the server's short way, if it has one
        self._give_up = give_up  # called once, when the reader is let go
        self._waiting: deque[bytes] = deque()
        self._behind = 0  # bytes in it
        self._task: asyncio.Task[None] | None = None  # while the reader is behind
        self._closed = False

    @property
    def idle(self) -> bool:
        """Whether all has been said, or nothing more will be."""
        return self._task is None or self._closed

    def push(self, *payloads: bytes) -> None:
        """Say these. What is pushed together is never cut; a reader who is too far behind is given up before."""
        if self._closed:
            return
        if self._behind > MOST_BEHIND:
            self._let_go()
            return
        for payload in payloads:
            if self._task is None:
                if self._say_now is None or not self._say_now(payload):
                    self._say(payload)
            else:
                self._waiting.append(payload)
                self._behind += len(payload)

    def close(self) -> None:
        """Nothing more is said."""
        self._closed = True
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()

    def _say(self, payload: bytes) -> None:
        try:
            rest = begun(self._send(_message(payload)))
        except Exception as error:  # noqa: BLE001  (the server raises its own kinds when the peer is gone)
            self._lost(error)
        else:
            if rest is not None:
                self._task = asyncio.create_task(self._catch_up(rest))

    async def _catch_up(self, rest: Awaitable[None]) -> None:
        """Say what waits, as fast as the reader takes it."""
        try:
            while True:
                async with asyncio.timeout(SEND_SECONDS):
                    await rest
                if not self._waiting:
                    self._task = None
                    return
                payload = self._waiting.popleft()
                self._behind -= len(payload)
                rest = self._send(_message(payload))
        except TimeoutError:
            self._let_go()
        except Exception as error:  # noqa: BLE001  (as above)
            self._lost(error)

    def _let_go(self) -> None:
        self.close()
        self._give_up()

    def _lost(self, error: Exception) -> None:
        log.debug("send failed", error=type(error).__name__)
        self._closed = True
        self._waiting.clear()


def _message(payload: bytes) -> dict[str, Any]:
    return {"type": "websocket.send", "text": payload.decode()}


def begun(work: Coroutine[Any, Any, None]) -> Awaitable[None] | None:
    """Run `work` at once as far as it goes without waiting; what is left of it to be awaited, or None.

    Python 3.12 has this as eager tasks. While it runs, `asyncio.current_task` is the caller's.
    """
    try:
        waits_for = work.send(None)
    except StopIteration:
        return None
    return _Rest(work, waits_for)


class _Rest:
    """Work that has been begun: waits for what it waits for, then goes on."""

    def __init__(self, work: Coroutine[Any, Any, None], waits_for: Any) -> None:
        self._work, self._waits_for = work, waits_for

    def __await__(self) -> Generator[Any, Any, None]:
        waits_for = self._waits_for
        step: Callable[[Any], Any]
        while True:
            try:
                value = yield waits_for
            except BaseException as error:  # noqa: BLE001  (the work decides what becomes of it)
                step, value = self._work.throw, error
            else:
                step = self._work.send
            try:
                waits_for = step(value)
            except StopIteration:
                return
