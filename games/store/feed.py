"""Lifecycle events for followers outside of games (ratings, statistics), each applied exactly once.

A follower works in one transaction: `pending` takes its turn and says what it has not applied, the follower changes
its own tables, `applied` records the order. That record is the order for ever: a rebuild reads `order`. Entries come
in no promised order among games, but each game's own in theirs.

Invariant: nothing relies on the order of a sequence or on transaction ids. `clear_until` only spares looking at what
was applied long ago; it stays `MARGIN` behind the clock, so that an append under way is never passed over, and
`pending(…, everything=True)`, once a day, does without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from games.store.connection import execute, in_transaction, read, rows

MARGIN = timedelta(minutes=10)  # far longer than an append may take from its start to its commit
LONG_AGO = "-infinity"

FOLLOWERS: dict[str, tuple[str, ...]] = {}  # consumers and the kinds that they follow, for whoever watches them


def follows(consumer: str, kinds: Sequence[str]) -> None:
    """Make a consumer known; for that alone it need not be."""
    FOLLOWERS[consumer] = tuple(kinds)


class Entry(NamedTuple):
    """A followed event; what more is to be known stands in the game's tables and history."""

    game_id: str
    version: int
    type: str


class Standing(NamedTuple):
    """How far a follower is: for health and metrics."""

    consumer: str
    place: int
    seen_at: datetime


def pending(consumer: str, kinds: Sequence[str], limit: int = 100, *, everything: bool = False) -> list[Entry]:
    """What this consumer has not applied yet; empty also while a copy of it is at work.

    Inside a transaction, which holds the turn until it ends. `kinds` stay the same for a consumer's whole life.
    """
    assert in_transaction(), "the turn is held by a transaction"
    if not _take_turn(consumer):
        return []
    found = rows(
        "SELECT f.game_id::text, f.version, f.type, f.noted_at"
        " FROM games_feed f JOIN games_follower c ON c.consumer = %s"
        " WHERE f.type = ANY(%s) AND (%s OR f.noted_at >= c.clear_until)"
        " AND NOT EXISTS (SELECT 1 FROM games_applied a"
        "  WHERE a.consumer = c.consumer AND a.game_id = f.game_id AND a.version = f.version)"
        " ORDER BY f.noted_at, f.game_id, f.version LIMIT %s",
        [consumer, list(kinds), everything, limit],
    )
    if len(found) < limit:  # nothing else is waiting: what was noted before the first of these is done with
        execute(
            "UPDATE games_follower SET clear_until = greatest(clear_until, least(now() - %s, %s)) WHERE consumer = %s",
            [MARGIN, found[0][3] if found else None, consumer],
        )
    return [Entry(*each[:3]) for each in found]


def hold(consumer: str) -> None:
    """Take the consumer's turn, waiting for a copy that is at work; nothing is applied while the transaction lasts."""
    assert in_transaction(), "the turn is held by a transaction"
    execute(
        "INSERT INTO games_follower (consumer, place, clear_until, seen_at) VALUES (%s, 0, %s, now())"
        " ON CONFLICT DO NOTHING",
        [consumer, LONG_AGO],
    )
    rows("SELECT 1 FROM games_follower WHERE consumer = %s FOR UPDATE", [consumer])


def applied(consumer: str, entries: Sequence[Entry]) -> list[tuple[int, Entry]]:
    """Record that these were applied, in this order, after all before; their places, as `order` gives them.

    In the transaction of `pending`.
    """
    if not entries:
        return []
    found = rows(
        "UPDATE games_follower SET place = place + %s WHERE consumer = %s RETURNING place - %s",
        [len(entries), consumer, len(entries)],
    )
    assert found, "a follower that has never asked has nothing to apply"
    execute(
        "INSERT INTO games_applied (consumer, game_id, version, type, place)"
        " SELECT %s, x.game_id, x.version, x.type, %s + x.n"
        " FROM unnest(%s::uuid[], %s::int[], %s::text[]) WITH ORDINALITY AS x(game_id, version, type, n)",
        [
            consumer,
            found[0][0],
            [each.game_id for each in entries],
            [each.version for each in entries],
            [each.type for each in entries],
        ],
    )
    return list(enumerate(entries, start=found[0][0] + 1))


def order(consumer: str, after: int = 0, limit: int = 1000) -> list[tuple[int, Entry]]:
    """What the consumer applied, as (place, entry), places counting from 1 without holes."""
    found = read(
        "SELECT place, game_id::text, version, type FROM games_applied WHERE consumer = %s AND place > %s"
        " ORDER BY place LIMIT %s",
        [consumer, after, limit],
    )
    return [(place, Entry(*entry)) for place, *entry in found]


def followers() -> list[Standing]:
    return [Standing(*each) for each in read("SELECT consumer, place, seen_at FROM games_follower ORDER BY consumer")]


def _take_turn(consumer: str) -> bool:
    """Lock the consumer's row until the transaction ends, unless a copy holds it."""
    locked = rows("SELECT 1 FROM games_follower WHERE consumer = %s FOR UPDATE SKIP LOCKED", [consumer])
    if locked:
        execute("UPDATE games_follower SET seen_at = now() WHERE consumer = %s", [consumer])
        return True
    if rows("SELECT 1 FROM games_follower WHERE consumer = %s", [consumer]):
        return False  # asked first, since an insert would wait for the copy that holds the row
    created = execute(
        "INSERT INTO games_follower (consumer, place, clear_until, seen_at) VALUES (%s, 0, %s, now())"
        " ON CONFLICT DO NOTHING",
        [consumer, LONG_AGO],
    )
    return created == 1
