"""Seats: sitting down, getting up, client seeds, bots, and removing a player."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from config.wire import typed
from games.api.asking import GameView, answered, caller, gone, keyed
from games.api.describing import IDEMPOTENT, described
from games.api.requests import CodeQuery, GiveSeed, JoinTable, SeatBot
from games.services import tables
from games.services.documents import GameDocument

HOSTED = ["not-found", "forbidden", "game-state"]


class Seats(GameView):
    @described(
        "games_join",
        GameDocument,
        body=JoinTable,
        query=CodeQuery,
        headers=[IDEMPOTENT],
        status=201,
        refuses=["not-found", "game-state", "idempotency-mismatch"],
    )
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """Sit down before the start; a private table needs its code."""
        body, key = keyed(request, "join", JoinTable, game_id)
        return answered(tables.join(caller(request, body.code), str(game_id), body.seat, key))


class OwnSeat(GameView):
    @described("games_give_seed", GameDocument, body=GiveSeed, query=CodeQuery, refuses=HOSTED)
    def put(self, request: Request, game_id: UUID) -> HttpResponse:
        """Add to the random seed, before the start and after the commitment is known."""
        body = typed.body(request, GiveSeed)
        return answered(tables.give_client_seed(caller(request), str(game_id), body.client_seed))

    @described("games_leave", None, query=CodeQuery, status=204, refuses=HOSTED)
    def delete(self, request: Request, game_id: UUID) -> HttpResponse:
        """Get up: before the start the seat is free, after it a bot plays on."""
        tables.leave(caller(request), str(game_id))
        return gone()


class Seat(GameView):
    @described("games_remove_player", None, path=("game_id", "seat"), query=CodeQuery, status=204, refuses=HOSTED)
    def delete(self, request: Request, game_id: UUID, seat: int) -> HttpResponse:
        """Take a player off a seat (host, before the start)."""
        tables.remove(caller(request), str(game_id), seat)
        return gone()


class Bot(GameView):
    @described(
        "games_seat_bot",
        GameDocument,
        body=SeatBot,
        path=("game_id", "seat"),
        query=CodeQuery,
        refuses=HOSTED,
    )
    def put(self, request: Request, game_id: UUID, seat: int) -> HttpResponse:
        """Put a bot on a free seat, or change the level of the one there (host, before the start)."""
        body = typed.body(request, SeatBot)
        return answered(tables.set_bot(caller(request), str(game_id), seat, body.level))

    @described("games_remove_bot", None, path=("game_id", "seat"), query=CodeQuery, status=204, refuses=HOSTED)
    def delete(self, request: Request, game_id: UUID, seat: int) -> HttpResponse:
        """Take a bot off its seat (host, before the start)."""
        tables.clear_bot(caller(request), str(game_id), seat)
        return gone()
