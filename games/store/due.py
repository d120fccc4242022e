"""Games whose time has come: turns that ran out, moments of a ruleset, tables that nobody touches.

Invariant: no lock is held when this returns, and none is waited for; any number of sweeps may run at once. Whoever
gets a game from here acts by an ordinary append at an expected version, so that exactly one of several wins.

An index on `due_at` itself would make every move write to it. `check_at` is lazy: a move only ever lowers it, and the
sweep lifts it to `due_at` when it finds that the game is not due yet (performance.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from games.store.connection import execute, read

_ROUNDS = 20  # of sweeping those aside that are not due yet


class Due(NamedTuple):
    game_id: str
    version: int
    status: str  # waiting or playing
    due_at: datetime


_SWEEP = """
WITH seen AS MATERIALIZED (
    SELECT id, version, status, due_at, check_at FROM games_game
    WHERE status IN ('waiting', 'playing') AND check_at <= %(now)s ORDER BY check_at LIMIT %(limit)s),
early AS MATERIALIZED (
    SELECT g.id FROM games_game g JOIN seen s ON s.id = g.id
    WHERE (s.due_at IS NULL OR s.due_at > %(now)s) AND g.check_at = s.check_at
    FOR NO KEY UPDATE OF g SKIP LOCKED),
lifted AS (
    UPDATE games_game g SET check_at = g.due_at FROM early e
    WHERE g.id = e.id AND (g.due_at IS NULL OR g.due_at > %(now)s))
SELECT id::text, version, status, due_at FROM seen ORDER BY check_at, id"""


def find_due(now: datetime, limit: int = 500) -> list[Due]:
    """At most `limit` open games with due_at ≤ now, those waiting longest first."""
    found: dict[str, Due] = {}
    for _ in range(_ROUNDS):
        seen = [Due(*each) for each in read(_SWEEP, {"now": now, "limit": limit})]
        found |= {each.game_id: each for each in seen if each.due_at is not None and each.due_at <= now}
        if len(seen) < limit or len(found) >= limit:
            break
    return list(found.values())[:limit]


def postpone(game_ids: Iterable[str], until: datetime) -> None:
    """Let the sweep pass these over until then, so that games that cannot be moved on do not hide the others."""
    execute(
        "UPDATE games_game SET check_at = %s WHERE id IN"
        " (SELECT id FROM games_game WHERE id = ANY(%s::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)",
        [until, list(game_ids)],
    )
