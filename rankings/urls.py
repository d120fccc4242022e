"""The paths of matchmaking and rankings, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from rankings.api import ratings

urlpatterns = [
    path("rankings/<str:rules>/", ratings.Leaderboard.as_view()),
    path("players/<uuid:player_id>/ratings/", ratings.Ratings.as_view()),
    path("players/<uuid:player_id>/ratings/<str:rules>/history/", ratings.History.as_view()),
]
