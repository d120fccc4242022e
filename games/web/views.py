"""Serves the pages; all that moves on them is the browser's own affair."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe


@require_safe
def table(request: HttpRequest) -> HttpResponse:
    """The table, in the browser's language; the same page serves every game (its id stands behind the `#`)."""
    return _page(request, "games/table.html")


@require_safe
def replay(request: HttpRequest, game_id: UUID | None = None) -> HttpResponse:  # noqa: ARG001  (the browser reads it)
    """The replay of a game that is over; without a game, the check of a replay file."""
    return _page(request, "games/replay.html")


def _page(request: HttpRequest, template: str) -> HttpResponse:
    language = "fr" if (get_language() or "en").startswith("fr") else "en"
    return render(request, template, {"language": language})
