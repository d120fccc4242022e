"""After the end: a rematch, and branches that go on from a point of the past."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from games.api.asking import GameView, answered, caller, keyed, plain
from games.api.describing import IDEMPOTENT, described
from games.api.requests import BranchOff, CodeQuery, Empty
from games.services import branch, rematch
from games.services.documents import GameDocument


class Rematch(GameView):
    @described(
        "games_rematch",
        GameDocument,
        body=Empty,
        query=CodeQuery,
        headers=[IDEMPOTENT],
        status=201,
        refuses=["not-found", "forbidden", "game-state", "idempotency-mismatch"],
    )
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """A new waiting game with the same table. Whoever of the table asks next joins it."""
        key = plain(request, "rematch", game_id)
        return answered(rematch.rematch(caller(request), str(game_id), key))


class Branch(GameView):
    @described(
        "games_branch",
        GameDocument,
        body=BranchOff,
        query=CodeQuery,
        headers=[IDEMPOTENT],
        status=201,
        refuses=["not-found", "game-state", "idempotency-mismatch"],
    )
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """A new casual game that stands where this finished one stood after a move; bots play the other seats."""
        body, key = keyed(request, "branch", BranchOff, game_id)
        return answered(branch.branch(caller(request), str(game_id), body.at, body.seat, body.level, key))
