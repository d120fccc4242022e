"""A player goes for good: seats are given up before the account forgets who it was.

Invariant: harmless when repeated, and when a game ends or starts meanwhile. Events stay; they know the id alone.
"""

from __future__ import annotations

import time
from uuid import UUID

import structlog

from config.wire.problems import Problem
from games.services import clock, command, due, entropy, tables, wake
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
        if not _left(str(player_id), seated.game_id):
            raise Problem("unavailable", "starts-soon", retry_after=SOON)
    personal.erase(player_id)


def give_up_seats(player_id: UUID) -> None:
    """For a player who is shut out: close the sockets and leave every table, also a match that is about to start.

    That one is waited for, a few seconds, and left then. Raises Problem `unavailable` where that fails.
    """
    wake.publish(wake.Wake(kind="tokens", id=str(player_id)))  # sockets first: they are closed at once
    soon = [seated.game_id for seated in _held(str(player_id)) if not _left(str(player_id), seated.game_id)]
    for game_id in soon:
        _wait_for_start(game_id)
        if not _left(str(player_id), game_id):
            raise Problem("unavailable", "starts-soon", retry_after=SOON)


def _left(player_id: str, game_id: str) -> bool:
    """Leave a game; False where it cannot be left yet."""
    try:
        tables.leave(Caller(player_id=player_id), game_id)
    except Problem as refusal:
        if refusal.detail == "starts-soon":
            return False
        if refusal.code not in SETTLED:
            raise
        log.info("left already", game=game_id, code=refusal.code)
    return True


def _wait_for_start(game_id: str) -> None:
    """Sleep until a match is due to start, and start it if nobody else has."""
    coming = due.next_due(command.existing(game_id).table)
    if coming is not None and coming.kind == "ranked_start":
        time.sleep(min(SOON, max(0.0, (coming.at - entropy.utcnow()).total_seconds())))
    clock.look_after(game_id)


def _held(player_id: str) -> list[Seated]:
    running = [seated for seated in seats_of(player_id, "playing") if not seated.left]
    return [*seats_of(player_id, "waiting"), *running]
