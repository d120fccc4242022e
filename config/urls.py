"""Where everything is served. Each app brings its own routes."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from config.health import healthz, readyz
from config.observability.exposition import metrics
from config.wire.problems import Problem
from config.wire.rest import http_problem
from games.ws.asyncapi import AsyncApi


def unknown(request: HttpRequest) -> HttpResponse:
    """No such path in the API: a problem document, also in debug mode."""
    return http_problem(Problem("not-found"), request)


urlpatterns = [
    path("", include("games.web.urls")),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/", admin.site.urls),
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
    path("api/v1/", include("accounts.urls")),
    path("api/v1/", include("games.api.urls")),
    path("api/v1/", include("rankings.urls")),
    path("api/v1/", include("rankings.matchmaking.urls")),
    path("api/v1/asyncapi/", AsyncApi.as_view()),
    re_path(r"^api(?:/|$)", unknown),
]

handler400 = "config.wire.rest.bad_request"
handler403 = "config.wire.rest.forbidden"
handler404 = "config.wire.rest.not_found"
handler500 = "config.wire.rest.server_error"
