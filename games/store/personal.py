"""What games hold about a player, for the account's export and erasure. Events stay: they know the id alone."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from games.store import receipts
from games.store.connection import read

_COLUMNS = ("game_id", "rules", "mode", "status", "created_at", "seat", "controller", "left", "place", "score")


def export(player_id: UUID) -> list[dict[str, Any]]:
    """Every game that the player holds or held a seat in, newest first; their events can be read by id."""
    found = read(
        'SELECT g.id, g.rules, g.mode, g.status, g.created_at, s.seat, s.controller, s."left", s.place, s.score'
        " FROM games_seat s JOIN games_game g ON g.id = s.game_id WHERE s.player_id = %s ORDER BY s.game_id DESC",
        [player_id],
    )
    return [dict(zip(_COLUMNS, each, strict=True)) for each in found]


def erase(player_id: UUID) -> None:
    """Forget the answers kept for the player's repeated requests: they hold names."""
    receipts.forget_player(str(player_id))
