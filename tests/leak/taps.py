"""Sockets that note everything they are sent, byte for byte, and can be waited for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

from tests.games import Client, socket_to

WAIT = 10.0


class Tap:
    """One socket in the test's own loop."""

    def __init__(self, path: str, token: str | None, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
        self.client: Client = socket_to(path, token, headers)
        self.frames: list[bytes] = []
        self.closed_with: int | None = None
        self._arrived = asyncio.Event()
        self._reader: asyncio.Task[None] | None = None

    async def open(self) -> Tap:
        accepted, _ = await self.client.connect()
        assert accepted, "sockets are accepted first and refused by a close code"
        self._reader = asyncio.create_task(self._read())
        return self

    async def _read(self) -> None:
        while True:
            output = await self.client.inner.output_queue.get()
            if output["type"] == "websocket.send":
                self.frames.append(output["text"].encode())
            else:
                self.closed_with = output.get("code")
            self._arrived.set()

    async def until(self, found: Callable[[], Any]) -> None:
        """Wait until this holds; a crashed socket is told by its own exception."""
        async with asyncio.timeout(WAIT):
            while not found():
                self._arrived.clear()
                await self._arrived.wait()

    async def until_version(self, version: int) -> None:
        await self.until(lambda: any(m["type"] == "events" and m["version"] >= version for m in self.messages()))

    async def until_answered(self, command_id: str) -> None:
        await self.until(lambda: any(m.get("command_id") == command_id for m in self.messages()))

    async def until_type(self, kind: str) -> None:
        await self.until(lambda: any(m["type"] == kind for m in self.messages()))

    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(frame) for frame in self.frames]

    async def send(self, **message: Any) -> None:
        await self.client.send(**message)

    async def close(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.wait([self._reader])
        await self.client.disconnect()
