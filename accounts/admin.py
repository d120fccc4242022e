"""Accounts in the admin: players, and what operators did. Passwords and tokens have no column anywhere here."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from accounts import banning, names
from accounts.audit import Operator
from accounts.models import AuditEntry, Player
from accounts.staff import deeds, listings
from accounts.staff.deeds import Deed
from accounts.staff.listings import Cell, Listing, shown
from accounts.staff.readonly import ReadOnly, choices

PUBLIC = ("display_name", "is_guest", "language", "created_at", "banned_at", "deleted_at")
admin.site.unregister(Group)


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    list_display = ("id", "username", "display_name", "is_guest", "is_staff", "banned_at", "created_at")
    list_filter = (choices("is_staff", "True"), choices("is_guest", "True", "False"))
    search_fields = ("username",)
    search_help_text = "username, e-mail address or id, in full"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        found: QuerySet[Player] = super().get_queryset(request).defer("password")
        return found

    def get_search_results(self, _request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        wanted = Q(username_key=names.fold(term)) | Q(email__iexact=term)
        with suppress(ValueError):
            wanted |= Q(id=UUID(term))
        return queryset.filter(wanted), False

    def sections(self, request: HttpRequest, target: UUID) -> dict[str, Any] | None:
        player = Player.objects.defer("password").filter(id=target).first()
        if player is None:
            return None
        devices = player.tokens.order_by("-id").values_list("device", "created_at", "last_used_at", "expires_at")
        held = ("username", "email", *PUBLIC, "is_staff", "is_superuser")
        return {
            "title": f"Player {player}",
            "facts": {"id": target} | {name.replace("_", " "): shown(getattr(player, name)) for name in held},
            "deeds": deeds.possible(request, "player", target),
            "about": listings.about(request, "player", target),
            "tables": [
                {
                    "title": "Devices",
                    "columns": ("device", "since", "last used", "until"),
                    "rows": [[Cell(text=shown(value)) for value in row] for row in devices[: listings.PAGE]],
                }
            ],
        }


def _ban(target: UUID, operator: Operator, reason: str, _more: Mapping[str, Any]) -> None:
    banning.ban(target, operator, reason)


def _unban(target: UUID, operator: Operator, reason: str, _more: Mapping[str, Any]) -> None:
    banning.unban(target, operator, reason)


deeds.register(
    Deed(
        name="ban_player",
        kind="player",
        title="Ban this player",
        warning="All devices are logged out and sockets closed at once, bots take over the player's seats, and the"
        " player cannot log in. A guest has no way back, also when let in again: guests have no password.",
        permission="accounts.ban_player",
        run=_ban,
    ),
    Deed(
        name="unban_player",
        kind="player",
        title="Let this player in again",
        warning="The player can log in again and take seats back.",
        permission="accounts.ban_player",
        run=_unban,
    ),
)
listings.register(
    Listing(
        name="audit",
        title="What operators did",
        model=AuditEntry,
        columns=("at", "operator", "operator_id", "action", "kind", "target_id", "facts", "reason"),
        order=("-id",),
        filters={"game": "target_id", "player": "target_id"},
    )
)
