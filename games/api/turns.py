"""Playing: the start, moves, and taking a seat back."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from games.api.asking import GameView, answered, caller, expected, keyed, plain
from games.api.describing import IDEMPOTENT, IF_MATCH, described
from games.api.requests import CodeQuery, Empty, MakeMove
from games.services import play, tables
from games.services.documents import GameDocument, MoveDocument


class Start(GameView):
    @described(
        "games_start",
        GameDocument,
        body=Empty,
        query=CodeQuery,
        headers=[IDEMPOTENT],
        refuses=["not-found", "forbidden", "game-state", "idempotency-mismatch"],
    )
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """Begin the game (host; all seats taken)."""
        key = plain(request, "start", game_id)
        return answered(tables.start(caller(request), str(game_id), key))


class Moves(GameView):
    @described(
        "games_move",
        MoveDocument,
        body=MakeMove,
        query=CodeQuery,
        headers=[IDEMPOTENT, IF_MATCH],
        status=201,
        refuses=[
            "not-found",
            "forbidden",
            "game-state",
            "stale-version",
            "not-your-turn",
            "illegal-move",
            "idempotency-mismatch",
        ],
    )
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """Let the caller's seat act. The answer holds the events that this caused, as the caller may see them."""
        body, key = keyed(request, "move", MakeMove, game_id)
        version = expected(request, body.expected_version)
        return answered(play.move(caller(request), str(game_id), body.action, version, key))


class Resume(GameView):
    @described(
        "games_resume",
        GameDocument,
        body=Empty,
        query=CodeQuery,
        headers=[IDEMPOTENT],
        refuses=["not-found", "forbidden", "game-state", "idempotency-mismatch"],
    )
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """Take the seat back from the bot that plays it."""
        key = plain(request, "resume", game_id)
        return answered(play.resume(caller(request), str(game_id), key))
