"""What is held about a player, everywhere: shown on request, forgotten on deletion.

Other apps add their part in `AppConfig.ready`; this app imports none of them. Erasing must be harmless when repeated;
it runs before the account's own erasure commits, and an error stops the deletion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from accounts import audit, tokens
from accounts.models import Player
from accounts.registration import living

Export = Callable[[UUID], Any]
Erase = Callable[[UUID], None]


class Part(NamedTuple):
    export: Export
    erase: Erase


_parts: dict[str, Part] = {}


def register(section: str, *, export: Export, erase: Erase) -> None:
    """Add an app's part: `export` gives JSON values for the member `section`, `erase` forgets what names the player."""
    _parts[section] = Part(export, erase)


def unregister(section: str) -> None:
    del _parts[section]


def export(player_id: UUID) -> dict[str, Any]:
    """All that is held about a living player, as JSON values."""
    player = living(player_id)
    own = {
        "player": _account(player),
        "tokens": [
            {
                "id": token.id,
                "device": token.device,
                "created_at": token.created_at,
                "last_used_at": token.last_used_at,
                "expires_at": token.expires_at,
            }
            for token in player.tokens.order_by("id")
        ],
        "operators": audit.about("player", player_id),
    }
    return own | {section: part.export(player_id) for section, part in sorted(_parts.items())}


def erase(player_id: UUID) -> None:
    """Anonymise: the id, games and events stay, whatever names the player goes, and no token works any more."""
    for part in _parts.values():
        part.erase(player_id)
    with transaction.atomic():
        player = living(player_id, lock=True)
        player.anonymise()
        player.save()
        player.groups.clear()
        player.user_permissions.clear()
        tokens.revoke(player.tokens.all())
        tokens.forget_player(player_id)


def _account(player: Player) -> dict[str, Any]:
    return {
        "id": player.id,
        "username": player.username,
        "display_name": player.display_name,
        "email": player.email,
        "is_guest": player.is_guest,
        "language": player.language,
        "created_at": player.created_at,
    }
