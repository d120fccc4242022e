"""What matchmaking holds about a player, for the account's export and erasure."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from games.services import entropy
from rankings.matchmaking import tickets
from rankings.matchmaking.models import LIVE, Block, Conduct, Lapse, Ticket

_TICKET = ("id", "rules", "mode", "seats", "status", "game_id", "created_at", "ended_at")


def export(player_id: UUID) -> dict[str, Any]:
    """Tickets, own blocks and conduct, as JSON values."""
    conduct = Conduct.objects.filter(player_id=player_id)
    lapses = Lapse.objects.filter(player_id=player_id).order_by("at").values("game_id", "kind", "at")
    return {
        "tickets": list(Ticket.objects.filter(members__player_id=player_id).order_by("-id").values(*_TICKET)),
        "blocks": list(Block.objects.filter(player_id=player_id).order_by("other_id").values("other_id", "created_at")),
        "conduct": conduct.values("games", "marred", "strikes", "not_before").first(),
        "lapses": list(lapses),
    }


def stop_searching(player_id: UUID) -> None:
    """Cancel the tickets that the player is named in; one that is just being matched is waited for, and stands."""
    with transaction.atomic():
        held = Ticket.objects.filter(members__player_id=player_id, status__in=LIVE)
        tickets.end([str(ticket.id) for ticket in held.order_by("id")], "cancelled", entropy.utcnow())


def erase(player_id: UUID) -> None:
    """Stop looking for a table, and forget tickets, blocks and conduct."""
    with transaction.atomic():
        stop_searching(player_id)
        Block.objects.filter(Q(player_id=player_id) | Q(other_id=player_id)).delete()
        Conduct.objects.filter(player_id=player_id).delete()
        Lapse.objects.filter(player_id=player_id).delete()
        Ticket.objects.filter(owner_id=player_id).delete()
