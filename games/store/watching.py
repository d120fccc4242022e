"""What the metrics ask of the database: deadlines that have passed, and how far followers of the feed are behind.

Invariant: nothing here reads more than `MOST` rows of a kind or longer than `SECONDS`; it locks and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection, connections, transaction

from config.observability import labels
from config.observability.families import describe
from config.observability.installation import Sample, add
from games.store.connection import LOST, rows
from games.store.feed import FOLLOWERS, LONG_AGO

MOST = 1000
SECONDS = 1.5

_OVERDUE = describe(
    "repli_deadlines_overdue",
    "gauge",
    f"games at which something is due and not done yet, counted up to {MOST}",
    unit="games",
    whole=True,
)
_LATEST = describe(
    "repli_deadlines_overdue_seconds", "gauge", "how late the latest of them is, else 0", unit="seconds", whole=True
)
_BEHIND = describe(
    "repli_follower_behind_rows",
    "gauge",
    f"entries of the feed that a follower has not applied yet, counted up to {MOST}",
    "consumer",
    unit="rows",
    whole=True,
)
_BEHIND_FOR = describe(
    "repli_follower_behind_seconds",
    "gauge",
    "age of the oldest of them, else 0",
    "consumer",
    unit="seconds",
    whole=True,
)
_SEEN = describe(
    "repli_follower_age_seconds", "gauge", "since the follower last asked", "consumer", unit="seconds", whole=True
)

# By check_at, which is never later than due_at but for games that are put aside because they are broken.
_DUE = """SELECT count(*), coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 FROM (
    SELECT due_at FROM games_game WHERE status IN ('waiting', 'playing') AND check_at <= now() AND due_at <= now()
    ORDER BY check_at LIMIT %s) due"""

_FOLLOWED = """SELECT count(*), coalesce(extract(epoch FROM now() - min(noted_at)), 0)::float8 FROM (
    SELECT f.noted_at FROM games_feed f
    WHERE f.type = ANY(%(kinds)s) AND f.noted_at >= coalesce(
        (SELECT clear_until FROM games_follower WHERE consumer = %(consumer)s), %(long_ago)s)
    AND NOT EXISTS (SELECT 1 FROM games_applied a
        WHERE a.consumer = %(consumer)s AND a.game_id = f.game_id AND a.version = f.version)
    ORDER BY f.noted_at LIMIT %(most)s) behind"""

_ASKED = "SELECT consumer, extract(epoch FROM now() - seen_at)::float8 FROM games_follower"


def register() -> None:
    """Let scrapes read this."""
    add("database", read_samples)


def read_samples() -> Iterator[Sample]:
    labels.add("consumer", FOLLOWERS)
    try:
        try:
            found = _at_one_moment()
        except LOST:  # perhaps only one of the connections that broke when the database went and came back
            connections.close_all()
            if (pool := getattr(connection, "pool", None)) is not None:
                pool.check()
            found = _at_one_moment()
    finally:
        connections.close_all()
    yield from found


def _at_one_moment() -> list[Sample]:
    with transaction.atomic():
        rows("SELECT set_config('statement_timeout', %s, true)", [f"{SECONDS * 1000:.0f}ms"])
        return list(_samples())


def _samples() -> Iterator[Sample]:
    ((count, late),) = rows(_DUE, [MOST])
    yield Sample(_OVERDUE, (), count)
    yield Sample(_LATEST, (), max(0.0, late))
    for consumer, kinds in FOLLOWERS.items():
        given = {"consumer": consumer, "kinds": list(kinds), "long_ago": LONG_AGO, "most": MOST}
        ((count, age),) = rows(_FOLLOWED, given)
        yield Sample(_BEHIND, (consumer,), count)
        yield Sample(_BEHIND_FOR, (consumer,), max(0.0, age))
    for consumer, age in rows(_ASKED):
        if consumer in FOLLOWERS:
            yield Sample(_SEEN, (consumer,), max(0.0, age))
