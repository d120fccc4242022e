"""The tables of the event store, as Django knows them. Written by `games.store` and, the last one, by
`games.statistics`; triggers and privileges that keep events immutable stand in the migrations and in
`games/store/grants.py`.

Invariant: every unique key of a game's table contains the game's id, and nothing refers to events by foreign key,
so that the tables can be partitioned or distributed by game later.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import Q

from games.store.columns import Milliseconds, RawJson

OPEN = ("waiting", "playing")


class Game(models.Model):
    """One row per game: where its stream stands, and what lists and the clock ask for. Never deleted."""

    id = models.UUIDField(primary_key=True)
    code = models.CharField(max_length=16)  # unique in practice only: a unique key would lack the game's id
    rules = models.CharField(max_length=40)
    rules_version = models.IntegerField()
    options = RawJson()
    mode = models.CharField(max_length=10)
    visibility = models.CharField(max_length=10)
    status = models.CharField(max_length=10)
    seats = models.SmallIntegerField()
    host = models.SmallIntegerField(null=True)
    version = models.IntegerField()
    to_act = ArrayField(models.SmallIntegerField())
    due_at = models.DateTimeField(null=True)  # when something has to happen although nobody asks for it
    check_at = models.DateTimeField(null=True)  # lazy: only the sweep raises it (performance.md)
    head = models.BinaryField()  # the chain's link at `version`
    seed = models.BinaryField()
    branched_from = models.UUIDField(null=True)
    created_at = Milliseconds()
    updated_at = models.DateTimeField()

    class Meta:
        indexes = (
            models.Index(fields=["check_at"], name="games_game_check", condition=Q(status__in=OPEN)),
            models.Index(fields=["code"], name="games_game_code"),
            models.Index(fields=["status", "rules", "-id"], name="games_game_list"),
        )
        permissions = (
            ("abort_game", "Can abort games"),
            ("release_seat", "Can hand a stuck seat to a bot"),
        )


class Event(models.Model):
    """A fact in a game's stream. Rows never change; `data` holds the bytes that `hash` was made over."""

    pk = models.CompositePrimaryKey("game_id", "version")
    game_id = models.UUIDField()
    version = models.IntegerField()
    type = models.CharField(max_length=40)
    schema = models.SmallIntegerField()
    data = RawJson()
    seat = models.SmallIntegerField(null=True)  # who caused it
    command_id = models.CharField(max_length=64, null=True)  # on the first event that a command caused
    recorded_at = Milliseconds()
    meta = RawJson()  # never sent: words, rules_version, append, cause (see append.py)
    hash = models.BinaryField()


class Receipt(models.Model):
    """The first answer to an idempotent request, kept byte for byte until nobody can repeat it any more."""

    pk = models.CompositePrimaryKey("game_id", "player_id", "operation", "key")
    game_id = models.UUIDField()  # nil where the request names no game (create)
    player_id = models.UUIDField()
    operation = models.CharField(max_length=40)
    key = models.CharField(max_length=64)
    body_hash = models.BinaryField()
    status = models.SmallIntegerField()
    body = models.BinaryField()
    written_at = models.DateTimeField()

    class Meta:
        indexes = (BrinIndex(fields=["written_at"], name="games_receipt_written"),)


class Seat(models.Model):
    """A projection of who sits where, one row per seat of every game, written with the lifecycle events it shows."""

    pk = models.CompositePrimaryKey("game_id", "seat")
    game_id = models.UUIDField()
    seat = models.SmallIntegerField()
    player_id = models.UUIDField(null=True)
    bot = models.CharField(max_length=10, null=True)
    controller = models.CharField(max_length=10)
    left = models.BooleanField()
    place = models.SmallIntegerField(null=True)
    score = models.IntegerField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=["player_id", "-game_id"], name="games_seat_player", condition=~Q(player_id=None)),
        )


class FeedEntry(models.Model):
    """A lifecycle event that others follow."""

    pk = models.CompositePrimaryKey("game_id", "version")
    game_id = models.UUIDField()
    version = models.IntegerField()
    type = models.CharField(max_length=40)
    noted_at = models.DateTimeField()  # the database's clock, at the start of the append

    class Meta:
        db_table = "games_feed"
        indexes = (models.Index(fields=["noted_at"], name="games_feed_noted"),)


class Follower(models.Model):
    """Where one consumer of the feed stands. Its row is also the lock under which its copies take turns."""

    consumer = models.CharField(max_length=40, primary_key=True)
    place = models.BigIntegerField()
    clear_until = models.DateTimeField()  # everything noted before has been applied
    seen_at = models.DateTimeField()


class Applied(models.Model):
    """The order for ever in which a consumer applied the feed. Followers' own table: not split by game."""

    pk = models.CompositePrimaryKey("consumer", "game_id", "version")
    consumer = models.CharField(max_length=40)
    game_id = models.UUIDField()
    version = models.IntegerField()
    type = models.CharField(max_length=40)
    place = models.BigIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["consumer", "place"], name="games_applied_place"),)


class Statistic(models.Model):
    """A projection of what a player has done in games of a ruleset: sums by key (games/statistics/counting.py)."""

    pk = models.CompositePrimaryKey("player_id", "rules")
    player_id = models.UUIDField()
    rules = models.CharField(max_length=40)
    counts = RawJson()
