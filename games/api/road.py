"""`POST games/{id}/moves/` without Django's request cycle: the game host's road for REST.

Must live here: the usual request of a player with a good token, and its answers, which are those of the view
(`turns.Moves`) in status, body and headers. Must not: anything out of the ordinary. Whatever is not plainly such a
request (no or unknown token, another media type, a body that is not right, foreign origins, odd headers, a database
that does not answer for the token) goes to the view as it came, which documents the endpoint and answers it alone
where there is no such road. A bare ASGI application and not a consumer: Channels would read a body of any size and
make tasks for each of its parts.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import lru_cache, partial
from typing import Any

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host

from accounts import tokens
from accounts.tokens import AuthenticatedToken
from config.observability import context
from config.observability.http import ROUTE
from config.outages import OUTAGES
from config.wire import gathered, typed
from config.wire.languages import language_of
from config.wire.problems import Language, Problem
from config.wire.requests import note_answer, request_id_of
from config.wire.rest import PROBLEM_JSON, document_of, dumps
from games.api.asking import expected_of, key_of
from games.api.requests import MakeMove
from games.services import play
from games.services.command import Caller
from games.services.host import Ask, host
from games.services.threads import in_thread

Message = Any  # a scope or an event of ASGI
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

_PATH = re.compile(r"/api/v1/games/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/moves/")
TEMPLATE = "api/v1/games/<uuid:game_id>/moves/"  # as Django tells the view's
_CODE = re.compile(rb"code=([A-Za-z0-9]{1,16})")
# What the road reads itself, each at most once; a cookie may choose a language, and a proxy's word another host.
_READ = {
    b"accept-language", b"authorization", b"content-length", b"content-type", b"host", b"idempotency-key", b"if-match",
    b"origin", b"x-request-id",
}  # fmt: skip
_ODD = {b"cookie", b"expect", b"x-forwarded-host", b"x-http-method-override"}
_LONGEST = 1024  # bytes of a header that is read here: some are kept (`lru_cache`), and nobody needs more


class Asked:
    """A request that fits."""

    __slots__ = ("body", "caller", "expected", "game_id", "key", "language", "request_id")

    def __init__(
        self, game_id: str, headers: dict[bytes, str], body: bytes, who: AuthenticatedToken, query: bytes
    ) -> None:
        move = typed.decode(body, MakeMove)
        code = _CODE.fullmatch(query)
        given = headers.get(b"idempotency-key")
        self.game_id = game_id
        self.body = move
        self.caller = Caller(player_id=str(who.player_id), code=code[1].decode() if code else None)
        self.key = None if given is None else key_of("move", given, body)
        self.expected = expected_of(headers.get(b"if-match"), move.expected_version)
        self.language = _language(headers.get(b"accept-language", ""))
        self.request_id = request_id_of(headers.get(b"x-request-id", ""))


def moves_by_road(django: Application) -> Application:
    """`django`, before which moves of players take the road."""

    async def serve(scope: Message, receive: Receive, send: Send) -> None:
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        headers = _read(scope) if found is not None else None
        if found is None or headers is None:
            await django(scope, receive, send)
            return
        heard = await _hear(receive)
        asked = await _asked(found[1], headers, heard, scope["query_string"])
        if asked is None:
            await django(scope, _again(heard, receive), send)
            return
        scope[ROUTE] = TEMPLATE
        # This request's own task, so its own context.
        context.learnt(request_id=asked.request_id, game=asked.game_id, player=str(asked.caller.player_id))
        status, body, more = await _answer(asked, scope["path"])
        note_answer("POST", TEMPLATE, status)
        start = {"type": "http.response.start", "status": status, "headers": _headers(asked, body, more)}
        await send(start)
        await send({"type": "http.response.body", "body": body})

    return serve


# --- what came --------------------------------------------------------------------------------------------------


def _read(scope: Message) -> dict[bytes, str] | None:
    """The headers that count, or None where there is something for Django to see to."""
    query = scope["query_string"]
    if scope.get("root_path") or (query and not _CODE.fullmatch(query)):
        return None
    headers: dict[bytes, str] = {}
    for name, value in scope["headers"]:
        if name in _ODD or (name in _READ and (name in headers or len(value) > _LONGEST)):
            return None
        if name in _READ:
            headers[name] = value.decode("latin-1")
    length = headers.get(b"content-length", "0")
    fits = (
        length.isdecimal()
        and int(length) <= settings.MAX_BODY_BYTES
        and typed.is_json(headers.get(b"content-type", ""))
        and headers.get(b"origin") not in settings.CORS_ALLOWED_ORIGINS
        and _known_host(headers.get(b"host", ""))
    )
    return headers if fits else None


async def _hear(receive: Receive) -> list[Message]:
    """The request's messages, until it ends or is too large."""
    heard, size = [], 0
    while True:
        message = await receive()
        heard.append(message)
        size += len(message.get("body", b""))
        if not message.get("more_body") or size > settings.MAX_BODY_BYTES:
            return heard


def _again(heard: list[Message], receive: Receive) -> Receive:
    """`receive`, which begins with what was heard already."""
    waiting = iter(heard)

    async def next_one() -> Message:
        for message in waiting:
            return message
        return await receive()

    return next_one


async def _asked(game_id: str, headers: dict[bytes, str], heard: list[Message], query: bytes) -> Asked | None:
    """The request, if it is in order and its token good."""
    body = b"".join(message.get("body", b"") for message in heard)
    if heard[-1]["type"] != "http.request" or heard[-1].get("more_body") or len(body) > settings.MAX_BODY_BYTES:
        return None
    scheme, _, token = headers.get(b"authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    token = token.strip()
    try:
        who = tokens.known(token) or await in_thread(tokens.authenticate, token)
        return None if who is None else Asked(game_id, headers, body, who, query)
    except Problem:
        return None
    except OUTAGES:
        return None


@lru_cache(maxsize=256)
def _known_host(host_header: str) -> bool:
    domain, _ = split_domain_port(host_header)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


@lru_cache(maxsize=1024)
def _language(accept: str) -> Language:
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = accept
    return language_of(request)


# --- what goes out ----------------------------------------------------------------------------------------------


async def _answer(asked: Asked, path: str) -> tuple[int, bytes, Headers]:
    """Status, body, and the headers that depend on the outcome."""
    caller = asked.caller
    assert caller.player_id is not None, "checked"
    try:
        await gathered.spend("write", caller.player_id)
        host().post.sign_of_life(asked.game_id, caller.player_id)
        step = play.step(caller, asked.body.action, asked.expected)
        with play.Counted(asked.game_id) as counted:
            moved = await host().move(Ask(caller, asked.game_id, asked.key, step))
            counted.told(moved.answer)
    except Exception as error:  # noqa: BLE001  (whatever goes wrong is answered)
        document, named = document_of(error, path, asked.language, asked.request_id)
        more = [(name.lower().encode(), value.encode()) for name, value in named.items()]
        return document["status"], dumps(document), [(b"content-type", PROBLEM_JSON.encode()), *more]
    etag = b'"%d"' % moved.version
    language = asked.language.encode()
    more = [(b"content-type", b"application/json"), (b"etag", etag), (b"content-language", language)]
    return moved.answer.status, moved.answer.body, more


def _headers(asked: Asked, body: bytes, more: Headers) -> Headers:
    length = (b"content-length", b"%d" % len(body))
    return [*_always(), length, (b"x-request-id", asked.request_id.encode()), *more]


@lru_cache(maxsize=1)
def _always() -> Headers:
    """What Django's middleware and the view say on every answer."""
    policy = CSPMiddleware(partial(HttpResponse)).process_response(HttpRequest(), HttpResponse())
    headers = {
        "allow": "POST, OPTIONS",
        "cache-control": "private, no-cache",
        "content-security-policy": policy["Content-Security-Policy"],
        "cross-origin-opener-policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
        "referrer-policy": settings.SECURE_REFERRER_POLICY,
        "vary": "Authorization, Accept-Language, origin",
        "x-content-type-options": "nosniff",
        "x-frame-options": settings.X_FRAME_OPTIONS,
    }
    return [(name.encode(), value.encode()) for name, value in headers.items()]
