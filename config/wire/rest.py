"""JSON in and out of Django REST framework, and every refusal as a problem document.

Must live here: rendering, and the mapping of exceptions to problems. Must not: a sentence, a status, a game.
Invariant: whatever goes wrong answers `application/problem+json` (api.md, General); an unforeseen error tells the
client its request's id and nothing else, and the log its place in the code without its message, which might quote a
card.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import IO, Any

import msgspec
import orjson
import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import RawPostDataException
from rest_framework import exceptions
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from config.outages import OUTAGES, named
from config.wire.languages import language_of
from config.wire.problems import Language, Problem, http_body
from games.rules.moments import rfc3339

log = structlog.get_logger(__name__)

PROBLEM_JSON = "application/problem+json"
RETRY_AFTER = 2


# --- JSON -------------------------------------------------------------------------------------------------------


def dumps(value: Any) -> bytes:
    """JSON of plain values, structs, ids and times (RFC 3339, milliseconds)."""
    return orjson.dumps(value, default=_plain, option=orjson.OPT_PASSTHROUGH_DATETIME)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return rfc3339(value)
    if isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value, builtin_types=(datetime,))
    if isinstance(value, str):  # lazy translations
        return str(value)
    raise TypeError(f"not a JSON value: {type(value).__name__}")


class JsonRenderer(BaseRenderer):
    media_type = "application/json"
    format = "json"
    charset = None
    render_style = "binary"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,  # noqa: ARG002  (DRF's signature)
        renderer_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> bytes:
        return b"" if data is None else dumps(data)


class RawJsonParser(BaseParser):
    """Leaves the body as bytes: `config.wire.typed` decodes it against the type that the view names."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002  (DRF's signature)
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Any:
        return stream.read()


class Lenient(DefaultContentNegotiation):
    """Answers JSON to whoever accepts none of our media types, rather than refusing."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        try:
            chosen: tuple[BaseRenderer, str] = super().select_renderer(request, renderers, format_suffix)
        except (exceptions.NotAcceptable, Http404):
            first = next(iter(renderers))
            return first, first.media_type or ""
        return chosen


# --- problems ---------------------------------------------------------------------------------------------------


def as_problem(error: BaseException) -> Problem | None:
    """The problem that an exception stands for; None if it was not foreseen."""
    match error:
        case Problem():
            return error
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return Problem("unauthenticated")
        case exceptions.PermissionDenied() | PermissionDenied():
            return Problem("forbidden")
        case exceptions.NotFound() | Http404():
            return Problem("not-found")
        case exceptions.MethodNotAllowed():
            return Problem("method-not-allowed")
        case exceptions.UnsupportedMediaType():
            return Problem("unsupported-media-type")
        case exceptions.Throttled():
            return Problem("throttled", retry_after=max(1, math.ceil(getattr(error, "wait", None) or 1)))
        case exceptions.ParseError() | exceptions.ValidationError() | RawPostDataException():
            return Problem("validation", errors={})
        case RequestDataTooBig():
            return Problem("too-large")
        case SuspiciousOperation():
            return Problem("validation", errors={})
        case _ if isinstance(error, OUTAGES):
            return Problem("unavailable", retry_after=RETRY_AFTER)
        case _:
            return None


def problem_response(error: Exception, context: Mapping[str, Any]) -> Response:
    """DRF's exception handler."""
    request: Request = context["request"]
    document, headers = document_of(error, *_of(request))
    response = Response(document, status=document["status"], headers=headers, content_type=PROBLEM_JSON)
    response.exception = True
    return response


def http_problem(error: BaseException, request: HttpRequest) -> HttpResponse:
    """The same outside DRF."""
    document, headers = document_of(error, *_of(request))
    return HttpResponse(dumps(document), status=document["status"], headers=headers, content_type=PROBLEM_JSON)


def _of(request: Request | HttpRequest) -> tuple[str, Language, str | None]:
    return request.path, language_of(request), getattr(request, "request_id", None)


def document_of(
    error: BaseException, path: str, language: Language, request_id: str | None
) -> tuple[dict[str, Any], dict[str, str]]:
    """The problem document of an error and the headers that go with it; what was not foreseen is logged."""
    problem = as_problem(error)
    if problem is None:
        frames = traceback.format_list(traceback.extract_tb(error.__traceback__))
        log.error("request failed", error=type(error).__qualname__, frames="".join(frames[-12:]), path=path)
        problem = Problem("internal")
    elif problem.code == "unavailable":
        log.warning("request not served", error=named(error), path=path)
    headers: dict[str, str] = {}
    if problem.code == "unauthenticated":
        headers["WWW-Authenticate"] = "Bearer"
    if "retry_after" in problem.facts:
        headers["Retry-After"] = str(problem.facts["retry_after"])
    headers["Content-Language"] = language
    return http_body(problem, language, request_id), headers


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """handler400: what Django itself refuses, such as an unknown host name."""
    return http_problem(as_problem(exception) or Problem("validation", errors={}), request)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001  (Django's signature)
    """handler404."""
    return http_problem(Problem("not-found"), request)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001  (Django's signature)
    """handler403."""
    return http_problem(Problem("forbidden"), request)


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500, where the exception is already on its way to Django's log."""
    return http_problem(Problem("internal"), request)
