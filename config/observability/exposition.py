"""`/metrics` of a web process, and the same by a small server of its own for the worker.

Outside of REST: no token of a player, no throttle, no place in the API's document.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import structlog
from asgiref.sync import async_to_sync, iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from prometheus_client.exposition import choose_encoder

from config.observability.access import may_read
from config.observability.families import REGISTRY
from config.observability.http import ROUTE
from config.wire.problems import Problem
from config.wire.rest import http_problem

log = structlog.get_logger(__name__)

PATH = "/metrics"

Answer = HttpResponse | Awaitable[HttpResponse]


async def metrics(request: HttpRequest) -> HttpResponse:
    """The figures of this process and of the installation, in Prometheus' text form."""
    if request.method not in {"GET", "HEAD"}:
        return http_problem(Problem("method-not-allowed"), request)
    headers = {name.lower(): value for name, value in request.headers.items()}
    verdict = may_read(settings.REPLI, request.META.get("REMOTE_ADDR"), headers)
    if verdict != "yes":
        return http_problem(Problem("not-found" if verdict == "off" else "forbidden"), request)
    body, kind = await asyncio.to_thread(rendered, headers.get("accept", ""))
    return HttpResponse(body, content_type=kind, headers={"Cache-Control": "no-store"})


class Metrics:
    """Answers `/metrics` before anything else looks at the request: Prometheus names no host that we allow."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Answer]) -> None:
        self.get_response = get_response
        self.later = bool(iscoroutinefunction(get_response))
        if self.later:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Answer:
        if request.path_info != PATH:
            return self.get_response(request)
        getattr(request, "scope", {})[ROUTE] = PATH.removeprefix("/")
        return metrics(request) if self.later else async_to_sync(metrics)(request)


def rendered(accept: str) -> tuple[bytes, str]:
    """The figures and their media type, for an Accept header. May wait for the installation's sources."""
    encode, kind = choose_encoder(accept)
    return encode(REGISTRY), kind


class _Handler(BaseHTTPRequestHandler):
    timeout = 5  # seconds that a peer may keep a thread waiting
    server_version, sys_version = "repli", ""

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        verdict = may_read(settings.REPLI, str(self.client_address[0]), headers)
        if self.path.partition("?")[0] != PATH or verdict == "off":
            self.send_error(404)
        elif verdict == "no":
            self.send_error(403)
        else:
            body, kind = rendered(headers.get("accept", ""))
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (the base's signature)
        """Addresses stay out of the log."""


def serve(host: str, port: int) -> ThreadingHTTPServer | None:
    """Serve the figures of this process in the background; None, and a line in the log, where that cannot be.

    End it by `shutdown` and `server_close`.
    """
    try:
        server = ThreadingHTTPServer((host, port), _Handler)
    except OSError as error:
        log.warning("figures are not served", port=port, error=type(error).__name__)
        return None
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
