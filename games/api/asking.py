"""Who asks what: the caller and the key of a request, and a service's answer as a response.

Invariants: the answer to a repeat leaves byte for byte as it is stored; whoever repeats a key is answered before the
body is looked at (details.md, Shapes: the check comes right after authentication).
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec
from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request
from rest_framework.views import APIView

from config.wire import typed
from config.wire.faults import invalid
from config.wire.problems import Problem
from games.api.requests import CodeQuery, Empty
from games.services import command, presence, sentences  # noqa: F401  (sentences registers what people read)
from games.services.command import Answer, Caller, Key
from games.store.receipts import NO_GAME

Body = TypeVar("Body", bound=msgspec.Struct)


class _Versioned(msgspec.Struct):
    version: int


_version = msgspec.json.Decoder(_Versioned)
_VERSION = re.compile(r'(?:W/)?"(\d{1,10})"')  # proxies that compress weaken tags


class GameView(APIView):
    """Base of the views at games: a request of a player at a game is a sign of life of that player there.

    Every answer, refusals too, is for this caller alone: no cache may show one player's cards to the next.
    """

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.auth is not None and "game_id" in kwargs:
            presence.active(str(kwargs["game_id"]), str(request.user.pk))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        final = super().finalize_response(request, response, *args, **kwargs)
        final["Cache-Control"] = "private, no-cache"
        patch_vary_headers(final, ["Authorization", "Accept-Language"])
        return final


def caller(request: Request, code: str | None = None) -> Caller:
    """Who sent this request, with the private game's code from its body or else from its query string."""
    return known(request, code or typed.query(request, CodeQuery).code)


def known(request: Request, code: str | None) -> Caller:
    """Who sent this request, whose query string has been read already."""
    return Caller(player_id=None if request.auth is None else str(request.user.pk), code=code)


def keyed(request: Request, operation: str, kind: type[Body], game_id: object = NO_GAME) -> tuple[Body, Key | None]:
    """The typed body and the command's key, if the client gave one. Raises Problem."""
    key = _key(request, operation)
    try:
        return typed.body(request, kind), key
    except Problem as fault:
        if fault.code == "validation":
            command.repeated(Caller(player_id=str(request.user.pk)), str(game_id), key)
        raise


def plain(request: Request, operation: str, game_id: object) -> Key | None:
    """The key of a command without a body."""
    return keyed(request, operation, Empty, game_id)[1]


def _key(request: Request, operation: str) -> Key | None:
    given = request.headers.get("Idempotency-Key")
    return None if given is None else key_of(operation, given, typed.raw(request))


def key_of(operation: str, given: str, raw: bytes) -> Key | None:
    """The key that a header gives to a command with this body. Raises Problem `validation`."""
    try:
        content = msgspec.json.decode(raw) if raw else {}
    except (msgspec.DecodeError, ValueError, RecursionError):
        content = raw.hex()  # never stored: such a body is refused, but a repeat with it is told apart
    return command.key(operation, _text(given), content)


def _text(header: str) -> str:
    """A header's text, which arrives as Latin-1: what is UTF-8 is meant so, and equals a socket's `command_id`."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header


def expected(request: Request, version: int | None) -> int | None:
    """The version that the client decided on, from the body or from `If-Match`. Raises Problem `validation`."""
    return expected_of(request.headers.get("If-Match"), version)


def expected_of(given: str | None, version: int | None) -> int | None:
    """The same from the header's text."""
    if given is None or given.strip() == "*":
        return version
    found = _VERSION.fullmatch(given.strip())
    if found is None or (version is not None and version != int(found[1])):
        raise invalid(if_match="value")
    return int(found[1])


def answered(answer: Answer) -> HttpResponse:
    """A service's answer, its bytes untouched."""
    return reply(answer.body, answer.status, _version.decode(answer.body).version)


def shown(document: msgspec.Struct, version: int | None = None) -> HttpResponse:
    """A document as a 200 response."""
    return reply(msgspec.json.encode(document), 200, version)


def reply(body: bytes, status: int, version: int | None) -> HttpResponse:
    """JSON; `ETag` is the game's version, which `If-Match` understands."""
    response = HttpResponse(body, status=status, content_type="application/json")
    if version is not None:
        response["ETag"] = f'"{version}"'
    return response


def gone() -> HttpResponse:
    """204: done, nothing to say."""
    return HttpResponse(status=204)
