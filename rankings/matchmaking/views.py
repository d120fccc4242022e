"""Tickets and blocks over REST (api.md, Matchmaking and rankings): decode, call one service, encode."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.wire.pages import PageQuery, page, page_of
from config.wire.typed import body, query
from games.api.asking import gone, keyed, reply, shown
from games.api.describing import IDEMPOTENT, described
from games.api.requests import Empty
from rankings.matchmaking import blocks, tickets
from rankings.matchmaking.documents import NewTicket, TicketDocument

TAG = "matchmaking"
TICKET = ("ticket_id",)


class Tickets(APIView):
    @described("tickets_list", page_of(TicketDocument), query=PageQuery, path=(), tag=TAG)
    def get(self, request: Request) -> Response:
        """The caller's live ticket, and those that invite the caller, newest first."""
        asked = query(request, PageQuery)
        return page(request, tickets.live(_who(request)), tickets.document, asked=asked)

    @described(
        "tickets_create",
        TicketDocument,
        body=NewTicket,
        path=(),
        headers=[IDEMPOTENT],
        status=201,
        refuses=["forbidden", "game-state", "idempotency-mismatch"],
        tag=TAG,
    )
    def post(self, request: Request) -> HttpResponse:
        """Look for a table. A ticket with a party is `inviting` until each player named in it has accepted."""
        asked, key = keyed(request, tickets.OPERATION, NewTicket)
        answer = tickets.open_ticket(_who(request), asked, key)
        return reply(answer.body, answer.status, None)


class Ticket(APIView):
    @described("tickets_retrieve", TicketDocument, path=TICKET, refuses=["not-found"], tag=TAG)
    def get(self, request: Request, ticket_id: UUID) -> HttpResponse:
        """A ticket, for its players. Whoever neither asks nor has a socket at /ws/v1/me/ for 30 s counts as gone."""
        return shown(tickets.look(_who(request), ticket_id))

    @described("tickets_cancel", None, path=TICKET, status=204, refuses=["not-found", "game-state"], tag=TAG)
    def delete(self, request: Request, ticket_id: UUID) -> HttpResponse:
        """Cancel it, for its whole party; 409 once it has been matched."""
        tickets.cancel(_who(request), ticket_id)
        return gone()


class Acceptance(APIView):
    @described(
        "tickets_accept",
        TicketDocument,
        body=Empty,
        path=TICKET,
        refuses=["not-found", "forbidden", "game-state"],
        tag=TAG,
    )
    def post(self, request: Request, ticket_id: UUID) -> HttpResponse:
        """Take part in a party; harmless when repeated."""
        body(request, Empty)
        return shown(tickets.accept(_who(request), ticket_id))


class BlockedPlayer(APIView):
    @described("block", None, path=("player_id",), status=204, refuses=["not-found", "forbidden"], tag="players")
    def put(self, request: Request, player_id: UUID) -> HttpResponse:
        """Never be matched with that player. It works both ways, and the other is not told."""
        blocks.block(_who(request), player_id)
        return gone()

    @described("unblock", None, path=("player_id",), status=204, tag="players")
    def delete(self, request: Request, player_id: UUID) -> HttpResponse:
        """Take the block back."""
        blocks.unblock(_who(request), player_id)
        return gone()


def _who(request: Request) -> str:
    return str(request.user.pk)
