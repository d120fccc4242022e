"""One id per request: taken from the client or made, bound to every log line, and given back in `X-Request-Id`.

The outermost middleware, so an error in any other still answers as a problem document. Sync and async alike.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import cast

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bound_contextvars

from config.wire.ids import new_id
from config.wire.rest import http_problem

HEADER = "X-Request-Id"
_ACCEPTABLE = re.compile(r"[A-Za-z0-9_.\-]{1,64}")

Answer = HttpResponse | Awaitable[HttpResponse]


def request_id_of(given: str) -> str:
    """The client's own id for its request, if it gave a usable one; else a new one."""
    return given if _ACCEPTABLE.fullmatch(given) else str(new_id())


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
        with bound_contextvars(request_id=request_id):
            response = cast("HttpResponse", self.get_response(request))
        response[HEADER] = request_id
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse:
        """What a view outside of REST could not handle: answered and logged here, without its message."""
        return http_problem(exception, request)

    async def _later(self, request: HttpRequest, request_id: str) -> HttpResponse:
        with bound_contextvars(request_id=request_id):
            response = await cast("Awaitable[HttpResponse]", self.get_response(request))
        response[HEADER] = request_id
        return response
