"""Pages for people."""

from __future__ import annotations

from django.urls import path

from games.web.views import table

urlpatterns = [path("", table, name="table")]
