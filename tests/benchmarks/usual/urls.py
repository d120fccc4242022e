"""The one route."""

from __future__ import annotations

from django.urls import path

from tests.benchmarks.usual.rest import MoveView

urlpatterns = [path("api/v1/games/<uuid:game_id>/moves/", MoveView.as_view())]
