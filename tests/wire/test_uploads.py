"""Bodies are stopped while they arrive."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from config.wire.uploads import limited

LIMIT = 100


async def reader(scope: Any, receive: Any, send: Any) -> None:
    """Reads all, as Django does, and answers how much it was; drops the request when the client is gone."""
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


def client(*headers: tuple[bytes, bytes]) -> Any:
    scope = {"type": "http", "method": "POST", "path": "/", "headers": list(headers)}
    communicator: Any = ApplicationCommunicator
    return communicator(limited(reader, LIMIT), scope)


async def test_a_body_within_the_limit_arrives_whole() -> None:
    caller = client((b"content-length", b"100"))
    await caller.send_input({"type": "http.request", "body": b"x" * 60, "more_body": True})
    await caller.send_input({"type": "http.request", "body": b"x" * 40})

    assert (await caller.receive_output())["status"] == 200
    assert (await caller.receive_output())["body"] == b"100"
    await caller.wait()


@pytest.mark.parametrize("language,title", [(b"fr", "Requête trop volumineuse"), (b"en", "Too large")])
async def test_a_declared_size_beyond_the_limit_is_refused_unread(language: bytes, title: str) -> None:
    caller = client((b"content-length", b"101"), (b"accept-language", language))

    start, body = await caller.receive_output(), await caller.receive_output()

    assert start["status"] == 413
    headers = dict(start["headers"])
    assert headers[b"content-type"] == b"application/problem+json"
    problem = json.loads(body["body"])
    assert (problem["code"], problem["title"]) == ("too-large", title)
    assert problem["request_id"].encode() == headers[b"x-request-id"]
    await caller.wait()


async def test_a_body_that_grows_beyond_the_limit_is_refused_while_it_arrives() -> None:
    caller = client()
    await caller.send_input({"type": "http.request", "body": b"x" * 60, "more_body": True})
    await caller.send_input({"type": "http.request", "body": b"x" * 60, "more_body": True})

    assert (await caller.receive_output())["status"] == 413
    assert json.loads((await caller.receive_output())["body"])["code"] == "too-large"
    await caller.wait()
    assert await caller.receive_nothing()
