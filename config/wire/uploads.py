"""Stops a body that is too large while it arrives, before Django would keep it.

Django writes a whole body to memory or disk before any view runs; this wraps the ASGI application and answers 413 as
soon as the declared or the received length passes the limit.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from config.wire.ids import new_id
from config.wire.problems import Language, Problem, http_body
from config.wire.rest import PROBLEM_JSON, dumps

Message = Any  # a scope or an event of ASGI
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


def limited(application: Application, limit: int) -> Application:
    """`application`, for HTTP bodies of at most `limit` bytes."""

    async def serve(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
        elif _declared(scope) > limit:
            await _refuse(scope, send, limit)
        else:
            await application(scope, _counted(scope, receive, send, limit), send)

    return serve


def _declared(scope: Message) -> int:
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(length) if length.isdigit() else 0


def _counted(scope: Message, receive: Receive, send: Send, limit: int) -> Receive:
    received = 0

    async def counted() -> Message:
        nonlocal received
        if received > limit:
            return {"type": "http.disconnect"}
        message = await receive()
        received += len(message.get("body", b""))
        if received <= limit:
            return message
        await _refuse(scope, send, limit)
        return {"type": "http.disconnect"}  # Django drops the request

    return counted


async def _refuse(scope: Message, send: Send, limit: int) -> None:
    request_id = str(new_id())
    asked = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
    language: Language = "fr" if asked.strip().lower().startswith(b"fr") else "en"
    content = dumps(http_body(Problem("too-large", limit=limit), language, request_id))
    headers = [
        (b"content-type", PROBLEM_JSON.encode()),
        (b"content-length", str(len(content)).encode()),
        (b"x-request-id", request_id.encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": content})
