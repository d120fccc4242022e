"""Who may use the admin: staff accounts and what each of them may do. Superusers are made by `createsuperuser`."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import Permission
from django.db import transaction
from django.db.models import Q

from accounts import audit, names, tokens
from accounts.audit import Operator, Refused
from accounts.models import Player

DEEDS = ("abort_game", "release_seat", "ban_player", "void_game")


def appoint(username: str, deeds: Sequence[str], operator: Operator, reason: str) -> Player:
    """Let a player into the admin, to look at everything there and to do these deeds and no others. Raises Refused."""
    if unknown := set(deeds) - set(DEEDS):
        raise Refused(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(DEEDS)}")
    looking = Q(codename__startswith="view_", content_type__app_label__in=["accounts", "games", "rankings"])
    allowed = Permission.objects.filter(looking | Q(codename__in=deeds))
    with transaction.atomic():
        player = _locked(username)
        if player.banned_at is not None:
            raise Refused("this player is banned")
        player.is_staff = True
        player.save(update_fields=["is_staff"])
        player.user_permissions.set(allowed)
        audit.write(operator, "appoint_staff", "player", player.id, reason, may=sorted(deeds))
    return player


def dismiss(username: str, operator: Operator, reason: str) -> Player:
    """Take the admin away from a player, superusers too. Raises Refused."""
    with transaction.atomic():
        player = _locked(username)
        player.is_staff = player.is_superuser = False
        player.save(update_fields=["is_staff", "is_superuser"])
        player.user_permissions.clear()
        player.groups.clear()
        audit.write(operator, "dismiss_staff", "player", player.id, reason)
    tokens.forget_player(player.id)
    return player


def _locked(username: str) -> Player:
    found = Player.objects.select_for_update().filter(username_key=names.fold(username), deleted_at__isnull=True)
    player = found.first()
    if player is None:
        raise Refused(f"nobody is called {username}")
    return player
