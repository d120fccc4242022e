"""Counts requests around the whole HTTP application, so that also what never reaches Django is counted.

Whoever answers writes the route's template into the scope, under ROUTE: the address itself holds ids.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

from config.observability.figures import request_seconds, requests
from config.observability.labels import NONE, OTHER, add
from config.observability.tracing import span
from config.wire.uploads import Application, Message, Receive, Send

ROUTE = "repli.route"
SERVER_ERROR = 500
METHOD_NOT_ALLOWED = 405


def measured(application: Application) -> Application:
    """`application`, counted by route, method and class of status."""

    async def serve(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        begun, status = time.perf_counter(), 0

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with span("http request") as told:
            try:
                await application(scope, receive, noting)
            except Exception:
                status = status or SERVER_ERROR  # what the server answers for us
                raise
            finally:
                route, method = _where(scope), scope["method"]
                told.note("http.route", route)
                told.note("http.request.method", method)
                told.note("http.response.status_code", status)
                _count(route, method, status, time.perf_counter() - begun)

    return serve


def _where(scope: Message) -> str:
    routes()
    route: str | None = scope.get(ROUTE)
    if route is not None:
        return route
    return "static" if scope["path"].startswith(settings.STATIC_URL) else "unmatched"


def _count(route: str, method: str, status: int, seconds: float) -> None:
    if status == METHOD_NOT_ALLOWED:
        method = OTHER
    requests(route, method, f"{status // 100}xx" if status else NONE).inc()
    request_seconds(route, method).observe(seconds)


@cache
def routes() -> frozenset[str]:
    """Every route's template, as `ResolverMatch.route` tells it; they become the label's closed set."""
    found = frozenset(_below(get_resolver(), ""))
    add("route", found)
    return found


def _below(resolver: Any, before: str) -> Iterator[str]:
    for each in resolver.url_patterns:
        here = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _below(each, here)
        elif isinstance(each, URLPattern):
            yield here
