"""Below /api/v1/: tickets, and blocks."""

from __future__ import annotations

from django.urls import path

from rankings.matchmaking import views

TICKET = "matchmaking/tickets/<uuid:ticket_id>/"

urlpatterns = [
    path("matchmaking/tickets/", views.Tickets.as_view()),
    path(TICKET, views.Ticket.as_view()),
    path(f"{TICKET}accept/", views.Acceptance.as_view()),
    path("players/<uuid:player_id>/block/", views.BlockedPlayer.as_view()),
]
