"""The drills' own requests: none is left half done when its caller goes away, and no refusal goes unseen."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import random

import pytest

from tests.drills.journal import Journal
from tests.drills.wire import Wire

MOMENTS = 20  # turns of the loop after which the caller may go away: some while connecting, some while reading


async def test_a_request_is_ended_although_its_caller_was_cancelled_at_whatever_moment() -> None:
    answered = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal answered
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(0.05)
        answered += 1
        writer.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, Wire([f"http://127.0.0.1:{port}"], Journal(), random.Random(1)) as wire:
        for moment in range(MOMENTS):
            caller = asyncio.create_task(wire.once("GET", "/", None))
            for _ in range(moment + 1):
                await asyncio.sleep(0)
            caller.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await caller

    gc.collect()  # a socket left open would be a warning, and so a failure
    assert answered == MOMENTS


@pytest.mark.parametrize(
    "body, broken",
    [
        (b'{"code":"unavailable"}', []),
        (b"<html>Bad", ["GET /a answered 503, no problem: '<html>Bad'"]),
        (b"[]", ["GET /a answered 503, no problem: '[]'"]),
    ],
)
async def test_a_refusal_that_is_no_problem_is_a_broken_promise(body: bytes, broken: list[str]) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 503 No\r\nRetry-After: 1\r\nConnection: close\r\n\r\n" + body)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port, journal = server.sockets[0].getsockname()[1], Journal()
    async with server, Wire([f"http://127.0.0.1:{port}"], journal, random.Random(1)) as wire:
        answer = await wire.once("GET", "/a", None)

    assert (answer is None) == bool(broken)
    assert journal.broken == broken
