"""Who never wants to be matched with whom. A block works both ways, and nobody is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from accounts.models import Player
from config.wire.problems import Problem
from games.services import entropy
from games.store.connection import read, rows
from rankings.matchmaking.models import Block
from rankings.matchmaking.pairing import Pair


def block(player_id: str, other_id: UUID) -> None:
    """Never to be matched with that player again; from the moment that this returns."""
    if str(other_id) == player_id:
        raise Problem("forbidden", "block-oneself")
    if not Player.objects.filter(id=other_id, deleted_at=None).exists():
        raise Problem("not-found", "no-such-player")
    with transaction.atomic():
        # A match that is being made holds this row, and looks at the blocks after it has got it.
        rows(
            "SELECT 1 FROM rankings_ticket t JOIN rankings_ticket_member m ON m.ticket_id = t.id"
            " WHERE m.player_id = %s AND m.live FOR UPDATE OF t",
            [player_id],
        )
        made = Block(player_id=player_id, other_id=other_id, created_at=entropy.utcnow())
        Block.objects.bulk_create([made], ignore_conflicts=True)


def unblock(player_id: str, other_id: UUID) -> None:
    """Take a block back; harmless where there is none."""
    Block.objects.filter(player_id=player_id, other_id=other_id).delete()


def blocked_among(player_ids: Sequence[str], by: str | None = None) -> set[Pair]:
    """The pairs of these players between whom a block stands; with `by` only those that this player has made."""
    found = read(
        "SELECT player_id::text, other_id::text FROM rankings_block"
        " WHERE player_id = ANY(%s::uuid[]) AND other_id = ANY(%s::uuid[])",
        [[by] if by else list(player_ids), list(player_ids)],
    )
    return {frozenset(pair) for pair in found}
