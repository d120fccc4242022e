"""Which language an answer is in: the best that `Accept-Language` asks for, English where nothing fits."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import get_language_from_request
from rest_framework.request import Request

from config.wire.problems import Language


def language_of(request: Request | HttpRequest) -> Language:
    """The language of answers to this request."""
    inner = request._request if isinstance(request, Request) else request  # noqa: SLF001  (DRF's own wrapping)
    return "fr" if get_language_from_request(inner).startswith("fr") else "en"
