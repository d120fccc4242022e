"""The tables of the ratings. All but the adjustments are projections: `rebuild_ratings` makes them anew, bit by bit.

Invariant: no column holds anything but what the recorded order, the games' events and the adjustments say; so no
clock and no sequence of the database is behind any of them.
"""

from __future__ import annotations

from django.db import models

from games.store.columns import Milliseconds


class Rating(models.Model):
    """Where a player stands in one ruleset. `shown` is `mu` as people see it, and alone decides ranks."""

    pk = models.CompositePrimaryKey("player_id", "rules")
    player_id = models.UUIDField()
    rules = models.CharField(max_length=40)
    mu = models.FloatField()
    sigma = models.FloatField()
    shown = models.IntegerField()
    games = models.IntegerField()
    wins = models.IntegerField()
    sequence = models.BigIntegerField()  # of the last change
    changed_at = Milliseconds()  # when that game ended

    class Meta:
        db_table = "rankings_rating"
        indexes = (models.Index(fields=["rules", "shown", "player_id"], name="rankings_rating_board"),)


class RatingChange(models.Model):
    """What one rated game did to one player. `sequence` is the game's place in the recorded order."""

    pk = models.CompositePrimaryKey("player_id", "rules", "sequence")
    player_id = models.UUIDField()
    rules = models.CharField(max_length=40)
    sequence = models.BigIntegerField()
    game_id = models.UUIDField()
    at = Milliseconds()  # when the game ended
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu_after = models.FloatField()
    sigma_after = models.FloatField()
    place = models.SmallIntegerField()  # as it was rated
    seats = models.SmallIntegerField()

    class Meta:
        db_table = "rankings_rating_change"
        indexes = (
            models.Index(fields=["rules", "sequence"], name="rankings_change_sequence"),
            models.Index(fields=["game_id"], name="rankings_change_game"),
        )


class RatingCount(models.Model):
    """How many players of a ruleset are shown with this rating: ranks are sums over these few rows."""

    pk = models.CompositePrimaryKey("rules", "shown")
    rules = models.CharField(max_length=40)
    shown = models.IntegerField()
    players = models.IntegerField()

    class Meta:
        db_table = "rankings_rating_count"


class Adjustment(models.Model):
    """An operator's decision about a game, for ever: rows are added, never changed or removed (0001_ratings)."""

    kind = models.CharField(max_length=20)  # void_game
    game_id = models.UUIDField()
    author = models.CharField(max_length=100)
    reason = models.CharField(max_length=500)
    written_at = models.DateTimeField()

    class Meta:
        db_table = "rankings_adjustment"
        constraints = (models.UniqueConstraint(fields=["game_id", "kind"], name="rankings_adjustment_once"),)
        permissions = (("void_game", "Can let ranked games count for nothing"),)
