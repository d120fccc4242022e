"""A player goes for good: seats are given up before the account forgets who it was.

Invariant: harmless when repeated, and when a game ends or starts meanwhile. Events stay; they know the id alone.
"""

from __future__ import annotations

from uuid import UUID

import structlog

from config.wire.problems import Problem
from games.services import tables
from games.services.command import Caller
from games.store import personal
from games.store.seated import Seated, seats_of

log = structlog.get_logger(__name__)

SOON = 5  # seconds; by then a match has started
SETTLED = {"forbidden", "game-state"}  # not seated any more; over, or left already


def erase(player_id: UUID) -> None:
    """Leave every waiting table, hand the seats of running games to bots, and forget the answers that were kept.

    Raises Problem `unavailable` where a game cannot be left now; then nothing is forgotten yet.
    """
    for seated in _held(str(player_id)):
        try:
            tables.leave(Caller(player_id=str(player_id)), seated.game_id)
        except Problem as refusal:
            if refusal.detail == "starts-soon":
                raise Problem("unavailable", "starts-soon", retry_after=SOON) from None
            if refusal.code not in SETTLED:
                raise
            log.info("left already", game=seated.game_id, code=refusal.code)
    personal.erase(player_id)


def _held(player_id: str) -> list[Seated]:
    running = [seated for seated in seats_of(player_id, "playing") if not seated.left]
    return [*seats_of(player_id, "waiting"), *running]
