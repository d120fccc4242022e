"""Pages for people."""

from __future__ import annotations

from django.urls import path

from games.web.views import replay, table

urlpatterns = [
    path("", table, name="table"),
    path("replay/", replay, name="check"),
    path("replay/<uuid:game_id>", replay, name="replay"),
]
