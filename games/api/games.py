"""Tables: the list, opening one, looking at one, changing its options, joining by code alone."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from config.wire import limits, typed
from config.wire.pages import page, page_of
from config.wire.problems import Problem
from games.api.asking import GameView, answered, caller, keyed, shown
from games.api.describing import IDEMPOTENT, described
from games.api.requests import ChangeOptions, CodeQuery, GamesQuery, JoinByCode, NewGame
from games.services import lists, tables, watch
from games.services.documents import GameDocument
from games.services.tables import NewTable


class Games(GameView):
    @described("games_list", page_of(GameDocument), query=GamesQuery, path=())
    def get(self, request: Request) -> Response:
        """Public games and the caller's own, newest first."""
        asked = typed.query(request, GamesQuery)
        who = str(request.user.pk)
        rows = lists.known_to(who, status=asked.status, rules=asked.rules, mode=asked.mode, mine=asked.mine)
        response = page(request, rows, lambda row: str(row.id), asked=asked)
        response.data["results"] = lists.shown(response.data["results"], who)
        return response

    @described(
        "games_create",
        GameDocument,
        body=NewGame,
        path=(),
        headers=[IDEMPOTENT],
        status=201,
        refuses=["idempotency-mismatch"],
    )
    def post(self, request: Request) -> HttpResponse:
        """Open a table. The caller takes seat 0 and is its host; bots may be seated at once."""
        body, key = keyed(request, "create", NewGame)
        new = NewTable(
            rules=body.rules, seats=body.seats, options=body.options, visibility=body.visibility, bots=body.bots
        )
        return answered(tables.create_table(caller(request), new, key))


class Joining(GameView):
    @described(
        "games_join_by_code",
        GameDocument,
        body=JoinByCode,
        path=(),
        headers=[IDEMPOTENT],
        status=201,
        refuses=["not-found", "game-state", "idempotency-mismatch"],
    )
    def post(self, request: Request) -> HttpResponse:
        """Take the lowest free seat of the table with this code."""
        body, key = keyed(request, "join-code", JoinByCode)
        asker = limits.address(request.META)
        limits.spend("guess", asker, count=False)
        try:
            return answered(tables.join_by_code(caller(request), body.code, key))
        except Problem as refusal:
            if refusal.code == "not-found":  # or private tables could be found by trying all codes
                limits.spend("guess", asker)
            raise


class Game(GameView):
    @described("games_retrieve", GameDocument, query=CodeQuery, refuses=["not-found"])
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """The game as the caller may see it. `ETag` is its version."""
        document = watch.game(str(game_id), caller(request))
        return shown(document, document.version)

    @described(
        "games_change_options",
        GameDocument,
        body=ChangeOptions,
        query=CodeQuery,
        refuses=["not-found", "forbidden", "game-state"],
    )
    def patch(self, request: Request, game_id: UUID) -> HttpResponse:
        """Set the options anew (host, before the start)."""
        body = typed.body(request, ChangeOptions)
        return answered(tables.change_options(caller(request), str(game_id), body.options))
