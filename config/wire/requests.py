"""One id per request: taken from the client or made, bound to every log line, and given back in `X-Request-Id`.

The outermost middleware, so an error in any other still answers as a problem document. Sync and async alike.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, cast

import structlog
from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponse

from config.observability import context, labels
from config.observability.http import ROUTE
from config.wire.ids import new_id
from config.wire.rest import http_problem

HEADER = "X-Request-Id"

log = structlog.get_logger(__name__)
_talkative = logging.getLogger(__name__)

Answer = HttpResponse | Awaitable[HttpResponse]


def request_id_of(given: str) -> str:
    """The client's own id for its request, if it gave a usable one; else a new one."""
    return context.request_id(given, str(new_id()))


def note_answer(method: str, route: str | None, status: int) -> None:
    """One line for a request, where all is to be told."""
    if _talkative.isEnabledFor(logging.DEBUG):
        log.debug("request answered", method=labels.closed("method", method), route=route, status=status)


class RequestId:
    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Answer]) -> None:
        self.get_response = get_response
        self.later = bool(iscoroutinefunction(get_response))
        if self.later:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Answer:
        request_id = request_id_of(request.headers.get(HEADER, ""))
        request.request_id = request_id  # type: ignore[attr-defined]
        if self.later:
            return self._later(request, request_id)
        with context.joined(request_id=request_id):
            return _signed(request, cast("HttpResponse", self.get_response(request)), request_id)

    def process_view(self, _request: HttpRequest, _view: Any, _args: Any, kwargs: dict[str, Any]) -> None:
        """Every line of a request about a game names the game."""
        if "game_id" in kwargs:
            context.learnt(game=str(kwargs["game_id"]))

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse:
        """What a view outside of REST could not handle: answered and logged here, without its message."""
        return http_problem(exception, request)

    async def _later(self, request: HttpRequest, request_id: str) -> HttpResponse:
        with context.joined(request_id=request_id):
            return _signed(request, await cast("Awaitable[HttpResponse]", self.get_response(request)), request_id)


def _signed(request: HttpRequest, response: HttpResponse, request_id: str) -> HttpResponse:
    """The response with the request's id; whoever counts requests learns their route."""
    route = request.resolver_match.route if request.resolver_match else None
    if route is not None and (scope := getattr(request, "scope", None)) is not None:
        scope[ROUTE] = route
    note_answer(str(request.method), route, response.status_code)
    response[HEADER] = request_id
    return response
