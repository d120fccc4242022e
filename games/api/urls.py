"""The paths of the games' API, below /api/v1/."""

from __future__ import annotations

from django.urls import path

from games.api import again, documents, games, history, players, rulesets, seats, turns

GAME = "games/<uuid:game_id>/"

urlpatterns = [
    path("schema/", documents.Schema.as_view()),
    path("docs/", documents.Docs.as_view()),
    path("rulesets/", rulesets.Rulesets.as_view()),
    path("rulesets/<str:key>/", rulesets.Ruleset.as_view()),
    path("games/", games.Games.as_view()),
    path("games/join/", games.Joining.as_view()),
    path(GAME, games.Game.as_view()),
    path(f"{GAME}seats/", seats.Seats.as_view()),
    path(f"{GAME}seats/mine/", seats.OwnSeat.as_view()),
    path(f"{GAME}seats/<int:seat>/", seats.Seat.as_view()),
    path(f"{GAME}seats/<int:seat>/bot/", seats.Bot.as_view()),
    path(f"{GAME}start/", turns.Start.as_view()),
    path(f"{GAME}moves/", turns.Moves.as_view()),
    path(f"{GAME}resume/", turns.Resume.as_view()),
    path(f"{GAME}rematch/", again.Rematch.as_view()),
    path(f"{GAME}branch/", again.Branch.as_view()),
    path(f"{GAME}events/", history.Events.as_view()),
    path(f"{GAME}state/", history.State.as_view()),
    path(f"{GAME}replay/", history.Replay.as_view()),
    path(f"{GAME}replay/moves/", history.ReplayMoves.as_view()),
    path(f"{GAME}replay/states/", history.ReplayStates.as_view()),
    path(f"{GAME}fairness/", history.Fairness.as_view()),
    path("players/<uuid:player_id>/statistics/", players.Statistics.as_view()),
]
