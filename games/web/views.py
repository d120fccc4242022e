"""Serves the page; all that moves on it is the browser's own affair."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe


@require_safe
def table(request: HttpRequest) -> HttpResponse:
    """The table, in the browser's language; the same page serves every game (its id stands behind the `#`)."""
    language = "fr" if (get_language() or "en").startswith("fr") else "en"
    return render(request, "games/table.html", {"language": language})
