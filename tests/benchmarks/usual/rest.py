"""A move by REST: token, serializer, a locked row, an insert and an update in one transaction."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from rest_framework import serializers
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tests.benchmarks.usual.models import Game, Move


class BearerToken(TokenAuthentication):
    keyword = "Bearer"


class MoveSerializer(serializers.Serializer[Any]):
    action = serializers.DictField()
    expected_version = serializers.IntegerField(min_value=1, required=False)


class MoveView(APIView):
    authentication_classes = (BearerToken,)

    def post(self, request: Request, game_id: str) -> Response:
        serializer = MoveSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        given = serializer.validated_data
        with transaction.atomic():
            game = get_object_or_404(Game.objects.select_for_update(), pk=game_id)
            if request.user.pk not in game.seats:
                raise PermissionDenied
            if given.get("expected_version") not in {None, game.version}:
                raise ValidationError({"expected_version": ["stale"]})
            seat = game.seats.index(request.user.pk)
            game.version += 1
            move = Move.objects.create(
                game_id=game.pk, version=game.version, seat=seat, player_id=request.user.pk, action=given["action"]
            )
            game.save(update_fields=["version"])
        event = {"seq": move.version, "type": "card_played", "at": move.created_at, "data": move.action}
        return Response({"version": game.version, "events": [event]}, status=201)
