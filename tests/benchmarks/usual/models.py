"""A game's row and a row for each move."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Game(models.Model):
    id = models.UUIDField(primary_key=True)
    version = models.IntegerField(default=0)
    seats = models.JSONField(default=list)  # the players' ids

    objects: models.Manager[Game] = models.Manager()

    class Meta:
        app_label = "usual"


class Move(models.Model):
    game_id = models.UUIDField(db_index=True)
    version = models.IntegerField()
    seat = models.SmallIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT)
    action = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects: models.Manager[Move] = models.Manager()

    class Meta:
        app_label = "usual"
