"""Where everything is served. Each app brings its own routes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path


async def healthz(_request: HttpRequest) -> HttpResponse:
    """The process is alive and serves."""
    return HttpResponse("ok\n", content_type="text/plain")


urlpatterns = [path("healthz", healthz)]
