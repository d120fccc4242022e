"""The tables of matchmaking. Which states exclude each other is said by constraints, whichever process writes.

Invariant: a player has at most one live membership, so one live ticket; a ticket is matched if and only if it names
its game.
"""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import F, Q

LIVE: Final = ("inviting", "searching")


class Ticket(models.Model):
    """One player, or a party, who look for a table. Its players are its memberships."""

    id = models.UUIDField(primary_key=True)
    owner_id = models.UUIDField()
    rules = models.CharField(max_length=40)
    mode = models.CharField(max_length=10)
    seats = models.SmallIntegerField(null=True)  # asked for
    status = models.CharField(max_length=10)  # inviting, searching, matched, cancelled, expired
    game_id = models.UUIDField(null=True)
    created_at = models.DateTimeField()
    since = models.DateTimeField(null=True)  # when the search began
    ended_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "rankings_ticket"
        constraints = (
            models.CheckConstraint(
                condition=Q(status="matched", game_id__isnull=False) | (~Q(status="matched") & Q(game_id__isnull=True)),
                name="rankings_ticket_matched_names_game",
            ),
        )
        indexes = (
            models.Index(fields=["rules", "mode", "since"], name="rankings_ticket_live", condition=Q(status__in=LIVE)),
            models.Index(fields=["ended_at"], name="rankings_ticket_ended"),
            models.Index(fields=["game_id"], name="rankings_ticket_game", condition=Q(game_id__isnull=False)),
        )


class Membership(models.Model):
    """A player named in a ticket. `live` from acceptance until the ticket ends; `seen_at` is the last sign of life."""

    pk = models.CompositePrimaryKey("ticket_id", "player_id")
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, related_name="members")
    player_id = models.UUIDField()
    place = models.SmallIntegerField()  # 0: the owner; then as named
    accepted = models.BooleanField()
    live = models.BooleanField()
    seen_at = models.DateTimeField()

    class Meta:
        db_table = "rankings_ticket_member"
        constraints = (
            models.UniqueConstraint(fields=["player_id"], name="rankings_one_live_ticket", condition=Q(live=True)),
        )
        indexes = (models.Index(fields=["player_id", "-ticket"], name="rankings_member_player"),)


class Queue(models.Model):
    """Tickets of one ruleset and mode. Its row is the lock under which copies of the matcher take turns."""

    pk = models.CompositePrimaryKey("rules", "mode")
    rules = models.CharField(max_length=40)
    mode = models.CharField(max_length=10)
    ran_at = models.DateTimeField(null=True)
    awake_since = models.DateTimeField(null=True)  # the matcher has been running without a pause since then

    class Meta:
        db_table = "rankings_queue"


class Block(models.Model):
    """`player_id` never wants to be matched with `other_id`."""

    pk = models.CompositePrimaryKey("player_id", "other_id")
    player_id = models.UUIDField()
    other_id = models.UUIDField()
    created_at = models.DateTimeField()

    class Meta:
        db_table = "rankings_block"
        constraints = (
            models.CheckConstraint(condition=~Q(player_id=F("other_id")), name="rankings_block_not_oneself"),
        )
        indexes = (models.Index(fields=["other_id"], name="rankings_block_other"),)


class Conduct(models.Model):
    """How fairly a player plays ranked games. `strikes` grow with lapses and shrink with clean games."""

    player_id = models.UUIDField(primary_key=True)
    games = models.IntegerField()  # ranked, begun and over
    marred = models.IntegerField()  # of those, with a lapse
    strikes = models.IntegerField()
    not_before = models.DateTimeField(null=True)  # no ranked ticket until then

    class Meta:
        db_table = "rankings_conduct"


class Lapse(models.Model):
    """What a player did wrong in one ranked game: the worst of it counts, once."""

    pk = models.CompositePrimaryKey("player_id", "game_id")
    player_id = models.UUIDField()
    game_id = models.UUIDField()
    kind = models.CharField(max_length=20)  # timeout, disconnected, stalled, left
    strikes = models.SmallIntegerField()
    at = models.DateTimeField()

    class Meta:
        db_table = "rankings_lapse"
        indexes = (models.Index(fields=["game_id"], name="rankings_lapse_game"),)
