"""Shutting a player out, and letting one back in.

Other apps add what has to end with it in `AppConfig.ready`; this app imports none of them. Invariants: from the commit
on no token of a banned player is good for anything and none can be had; what other apps end comes after it, and is
harmless when repeated, so a ban that was interrupted there is simply given once more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts import audit, tokens
from accounts.audit import Operator, Refused
from accounts.models import Player

End = Callable[[UUID], None]


class Part(NamedTuple):
    place: int
    end: End


_parts: dict[str, Part] = {}


def register(section: str, end: End, *, place: int) -> None:
    """Add what ends with a ban; parts run by their place."""
    _parts[section] = Part(place, end)


def ban(player_id: UUID, operator: Operator, reason: str) -> None:
    """Revoke all tokens, refuse new ones, and end what the player is in. Raises Refused; Problem as the parts do."""
    with transaction.atomic():
        player = _locked(player_id)
        if player.is_staff:
            raise Refused("this player is staff: take that away first")
        player.banned_at = player.banned_at or timezone.now()
        player.save(update_fields=["banned_at"])
        tokens.revoke(player.tokens.all())
        tokens.forget_player(player_id)
        audit.write(operator, "ban_player", "player", player_id, reason)
    for part in sorted(_parts.values(), key=lambda part: part.place):
        part.end(player_id)


def unban(player_id: UUID, operator: Operator, reason: str) -> None:
    """Let a banned player log in again; seats are taken back by the player. Raises Refused."""
    with transaction.atomic():
        player = _locked(player_id)
        if player.banned_at is None:
            raise Refused("this player is not banned")
        player.banned_at = None
        player.save(update_fields=["banned_at"])
        audit.write(operator, "unban_player", "player", player_id, reason)


def _locked(player_id: UUID) -> Player:
    player = Player.objects.select_for_update().filter(id=player_id, deleted_at__isnull=True).first()
    if player is None:
        raise Refused("there is no such player")
    return player
