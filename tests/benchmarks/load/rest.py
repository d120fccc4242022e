"""Moves by REST: keep-alive connections that speak just enough HTTP/1.1, and take answers apart with httptools."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

import httptools

from tests.benchmarks.load.orders import Game, Step

Answered = Callable[[int, bytes], None]


def request(host: str, game: Game, step: Step) -> bytes:
    """One move as a request."""
    body = f'{{"action":{step.action},"expected_version":{step.version}}}'
    return (
        f"POST /api/v1/games/{game.id}/moves/ HTTP/1.1\r\nHost: {host}\r\n"
        f"Authorization: Bearer {game.tokens[step.seat]}\r\nIdempotency-Key: {step.version}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


class Connection(asyncio.Protocol):
    """One connection; one request at a time."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self._answered: Answered | None = None
        self._fresh()

    def _fresh(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._body = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answered is not None:
            answered, self._answered = self._answered, None
            answered(0, b"")

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        status, body, answered = self._parser.get_status_code(), self._body, self._answered
        self._answered = None
        self._fresh()
        if answered is not None:
            answered(status, body)

    def send(self, data: bytes, answered: Answered) -> None:
        """Send a request; `answered` gets the status (0: the connection broke) and the body."""
        assert self._answered is None, "one request at a time"
        if self.transport is None or self.transport.is_closing():
            answered(0, b"")
            return
        self._answered = answered
        self.transport.write(data)

    def close(self) -> None:
        self._answered = None
        if self.transport is not None:
            self.transport.close()


async def connections(url: str, count: int) -> list[Connection]:
    """So many open connections to one server."""
    parts, loop = urlsplit(url), asyncio.get_running_loop()
    host, port = parts.hostname or "", parts.port or 80
    made = []
    for _ in range(count):
        _, connection = await loop.create_connection(Connection, host, port)
        made.append(connection)
    return made
