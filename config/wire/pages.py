"""Lists: cursor pages `{"results", "next", "previous"}` with `?limit=` up to 200 (api.md, General)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any

import msgspec
from django.core.exceptions import ValidationError
from django.db import DataError
from django.db.models import QuerySet
from rest_framework import exceptions
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

from config.wire.faults import invalid
from config.wire.typed import query

MAX_LIMIT = 200
DEFAULT_LIMIT = 50

Limit = Annotated[int, msgspec.Meta(ge=1, le=MAX_LIMIT)]


class PageQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of every list; lists with filters extend it."""

    limit: Limit = DEFAULT_LIMIT
    cursor: Annotated[str, msgspec.Meta(max_length=500)] | None = None


class _Cursor(CursorPagination):
    page_size_query_param = "limit"
    max_page_size = MAX_LIMIT

    def __init__(self, limit: int, ordering: Sequence[str]) -> None:
        self.limit = limit
        self.ordering = tuple(ordering)

    def get_page_size(self, request: Request) -> int:  # noqa: ARG002  (DRF's signature)
        return self.limit


def page(
    request: Request,
    rows: QuerySet[Any],
    show: Callable[[Any], Any],
    *,
    asked: PageQuery | None = None,
    ordering: Sequence[str] = ("-id",),
) -> Response:
    """One page of `rows`, each as `show` gives it. `ordering` begins with a unique or nearly unique column."""
    asked = asked or query(request, PageQuery)
    cursor = _Cursor(asked.limit, ordering)
    try:
        found = cursor.paginate_queryset(rows, request) or []
    except (exceptions.NotFound, ValidationError, DataError, ValueError, TypeError):  # whatever a forged one leads to
        raise invalid(cursor="cursor") from None
    return envelope([show(row) for row in found], cursor.get_next_link(), cursor.get_previous_link())


def envelope(results: list[Any], following: str | None, previous: str | None) -> Response:
    return Response({"results": results, "next": following, "previous": previous})


@cache
def page_of(row: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The type of a page of such rows, for the OpenAPI document."""
    members = [("results", list[row]), ("next", str | None), ("previous", str | None)]  # type: ignore[valid-type]
    return msgspec.defstruct(f"{row.__name__}Page", members, frozen=True, kw_only=True)
