"""Plain tables of stored rows: the columns that are named, and no others, a page at a time, by one filter.

For tables that nobody edits, many of which have a key of several columns. Nothing is counted and nothing sorted
otherwise, so that a page costs the same whatever the size of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest
from django.urls import reverse

PAGE = 100
DEEPEST = 10_000
PAGES_OF = {"game": "admin:games_game_change", "player": "admin:accounts_player_change"}
LINKS = {"game_id": "game", "player_id": "player", "owner_id": "player", "other_id": "player", "operator_id": "player"}


@dataclass(frozen=True, kw_only=True)
class Listing:
    """One table. `filters`: the query's names, each with the column that must equal the UUID given for it."""

    name: str
    title: str
    model: type[Model]
    columns: Sequence[str]
    order: Sequence[str]
    filters: dict[str, str]

    @property
    def permission(self) -> str:
        meta = self.model._meta  # noqa: SLF001  (Django's public name for it)
        return f"{meta.app_label}.view_{meta.model_name}"

    @property
    def url(self) -> str:
        return reverse("admin:record", args=[self.name])


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A value as it is shown, with the address of the page about it."""

    text: str
    url: str = ""


_listings: dict[str, Listing] = {}


def register(*listings: Listing) -> None:
    for listing in listings:
        _listings[listing.name] = listing


def visible(request: HttpRequest) -> list[Listing]:
    """Those that this member of the staff may look at."""
    return [listing for listing in _listings.values() if request.user.has_perm(listing.permission)]


def about(request: HttpRequest, kind: str, target_id: UUID | str) -> list[Cell]:
    """Links to the tables' rows about a game or a player."""
    return [
        Cell(text=listing.title, url=f"{listing.url}?{kind}={target_id}")
        for listing in visible(request)
        if kind in listing.filters
    ]


def page(request: HttpRequest, name: str) -> dict[str, Any]:
    """What the template needs: title, columns, rows, and the query of the next page."""
    listing = _listings.get(name)
    if listing is None:
        raise Http404
    if not request.user.has_perm(listing.permission):
        raise PermissionDenied
    chosen = {kind: _uuid(request.GET[kind]) for kind in listing.filters if request.GET.get(kind)}
    start = min(_number(request.GET.get("from", "0")), DEEPEST)
    rows = listing.model._default_manager.filter(  # noqa: SLF001  (Django's public name for it)
        **{listing.filters[kind]: value for kind, value in chosen.items()}
    )
    found = list(rows.order_by(*listing.order).values_list(*listing.columns)[start : start + PAGE + 1])
    query = "".join(f"{kind}={value}&" for kind, value in chosen.items())
    return {
        "title": listing.title,
        "columns": [column.replace("_", " ") for column in listing.columns],
        "rows": [[_cell(*pair) for pair in zip(listing.columns, row, strict=True)] for row in found[:PAGE]],
        "chosen": chosen,
        "filters": list(listing.filters),
        "next": f"?{query}from={start + PAGE}" if len(found) > PAGE and start + PAGE <= DEEPEST else None,
    }


def link(kind: str, target_id: Any) -> str:
    """The address of the page about a game or a player."""
    return reverse(PAGES_OF[kind], args=[target_id])


def shown(value: Any) -> str:
    """A value in words."""
    if value is None:
        return "–"
    return value.isoformat(sep=" ", timespec="milliseconds") if isinstance(value, datetime) else str(value)


def _cell(column: str, value: Any) -> Cell:
    kind = LINKS.get(column.rsplit("__", 1)[-1])
    return Cell(text=shown(value), url=link(kind, value) if kind and isinstance(value, UUID) and value.int else "")


def _uuid(given: str) -> UUID:
    try:
        return UUID(given)
    except ValueError:
        raise Http404 from ObjectDoesNotExist(given)


def _number(given: str) -> int:
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
