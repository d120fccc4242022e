"""What the ratings hold about a player, for the account's export and erasure."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec

from rankings.ratings import board, documents


def export(player_id: UUID) -> dict[str, Any]:
    """The player's ratings, and every rated game with what it did to them, as JSON values."""
    ratings = [msgspec.to_builtins(documents.rating(row)) for row in board.own(str(player_id))]
    return {"current": ratings, "history": board.history(str(player_id))}


def erase(_player_id: UUID) -> None:
    """Nothing here names anybody: rows know the id alone, and others' ratings were computed with them."""
