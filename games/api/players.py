"""What games tell about a player."""

from __future__ import annotations

from uuid import UUID

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.models import Player
from config.wire import typed
from config.wire.problems import Problem
from games.api.describing import described
from games.api.requests import Unasked
from games.statistics import telling
from games.statistics.telling import PlayerStatistics


class Statistics(APIView):
    @described(
        "players_statistics", PlayerStatistics, path=("player_id",), query=Unasked, tag="players", refuses=["not-found"]
    )
    def get(self, request: Request, player_id: UUID) -> HttpResponse:
        """Games, places, bids, contracts and thinking times of a player, by ruleset."""
        typed.query(request, Unasked)
        if not Player.objects.filter(id=player_id).exists():
            raise Problem("not-found")
        return HttpResponse(msgspec.json.encode(telling.statistics(player_id)), content_type="application/json")
