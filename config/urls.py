"""Where everything is served. Each app brings its own routes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


async def healthz(_request: HttpRequest) -> HttpResponse:
    """The process is alive and serves."""
    return HttpResponse("ok\n", content_type="text/plain")


urlpatterns = [
    path("healthz", healthz),
    path("api/v1/", include("accounts.urls")),
]

handler400 = "config.wire.rest.bad_request"
handler403 = "config.wire.rest.forbidden"
handler404 = "config.wire.rest.not_found"
handler500 = "config.wire.rest.server_error"
