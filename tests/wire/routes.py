"""A service with nothing but the wire: one view per thing that can go wrong."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import psycopg
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from rest_framework import exceptions
from rest_framework.decorators import api_view, authentication_classes, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from config.wire.problems import Problem
from config.wire.typed import body, query


class Point(msgspec.Struct, frozen=True, kw_only=True):
    x: int
    label: str = ""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    name: Annotated[str, msgspec.Meta(max_length=10)]
    count: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    kind: Literal["a", "b"] = "a"
    points: list[Point] = []
    extra: dict[str, Any] = {}


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    after: Annotated[int, msgspec.Meta(ge=0)] = 0
    mine: bool = False
    mode: Literal["casual", "ranked"] | None = None


SECRET = "QH 2C in hand of seat 3"

ERRORS: dict[str, type[Exception] | Exception] = {
    "internal": RuntimeError(SECRET),
    "pool": OperationalError(SECRET),
    "psycopg": psycopg.OperationalError(SECRET),
    "http404": Http404(SECRET),
    "denied": exceptions.PermissionDenied(SECRET),
    "anonymous": exceptions.NotAuthenticated(SECRET),
    "parse": exceptions.ParseError(SECRET),
    "throttled": exceptions.Throttled(wait=2.2),
    "stale": Problem("stale-version", version=17),
    "illegal": Problem("illegal-move", reason="must-follow-suit"),
}


def open_view(method: str) -> Any:
    def decorate(view: Any) -> Any:
        return api_view([method])(authentication_classes([])(permission_classes([])(view)))

    return decorate


@open_view("POST")
def echo(request: Request) -> Response:
    return Response(msgspec.to_builtins(body(request, Sample)))


@open_view("GET")
def ask(request: Request) -> Response:
    return Response(query(request, Asked))


@open_view("GET")
def fail(request: Request, key: str) -> Response:
    raise ERRORS[key]


def plain_failure(request: HttpRequest) -> HttpResponse:
    raise RuntimeError(SECRET)


urlpatterns = [
    path("echo/", echo),
    path("ask/", ask),
    path("fail/<key>/", fail),
    path("plain/", plain_failure),
]

handler400 = "config.wire.rest.bad_request"
handler403 = "config.wire.rest.forbidden"
handler404 = "config.wire.rest.not_found"
handler500 = "config.wire.rest.server_error"
