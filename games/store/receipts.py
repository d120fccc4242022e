"""The first answers to idempotent requests, by (game, player, operation, key). Written with the append they answer.

Invariant: a receipt exists only if what it answers has been done; it is never changed. It is forgotten when nobody can
mean that request any more, since answers hold names and what a seat could see.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from games.store.connection import execute, read_one

NO_GAME = str(UUID(int=0))  # the scope of requests that name no game yet


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """`game_id` is the game that the request named; `body_hash` stands for the request, `status` and `body` answer."""

    player_id: str
    operation: str
    key: str
    game_id: str = NO_GAME
    body_hash: bytes
    status: int
    body: bytes


def find(player_id: str, operation: str, game_id: str, key: str) -> Receipt | None:
    """The receipt of an earlier request with this key, whatever its body was."""
    found = read_one(
        "SELECT body_hash, status, body FROM games_receipt"
        " WHERE game_id = %s AND player_id = %s AND operation = %s AND key = %s",
        [game_id, player_id, operation, key],
    )
    if found is None:
        return None
    body_hash, status, body = found
    return Receipt(
        player_id=player_id,
        operation=operation,
        key=key,
        game_id=game_id,
        body_hash=bytes(body_hash),
        status=status,
        body=bytes(body),
    )


def keep(receipt: Receipt) -> Receipt:
    """Keep an answer that no append goes with; returns the one that stands, which may be an earlier one."""
    execute(
        "INSERT INTO games_receipt (game_id, player_id, operation, key, body_hash, status, body, written_at)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, now()) ON CONFLICT DO NOTHING",
        [
            receipt.game_id,
            receipt.player_id,
            receipt.operation,
            receipt.key,
            receipt.body_hash,
            receipt.status,
            receipt.body,
        ],
    )
    standing = find(receipt.player_id, receipt.operation, receipt.game_id, receipt.key)
    assert standing is not None, "a receipt is never removed while its request may be repeated"
    return standing


def forget_before(moment: datetime, limit: int = 5000) -> int:
    """Forget at most `limit` answers older than that; how many there were."""
    return execute(
        "DELETE FROM games_receipt WHERE (game_id, player_id, operation, key) IN"
        " (SELECT game_id, player_id, operation, key FROM games_receipt WHERE written_at < %s LIMIT %s)",
        [moment, limit],
    )


def forget_player(player_id: str) -> None:
    """Forget the answers that this player got: at games where they ever sat, at those they branched off, and where no
    game was named.
    """
    execute(
        "WITH sat AS (SELECT game_id FROM games_event WHERE type = 'seat_taken' AND data ->> 'player_id' = %s)"
        " DELETE FROM games_receipt WHERE player_id = %s AND game_id IN (SELECT game_id FROM sat UNION ALL"
        " SELECT branched_from FROM games_game WHERE id IN (SELECT game_id FROM sat) UNION ALL SELECT %s::uuid)",
        [player_id, player_id, NO_GAME],
    )
