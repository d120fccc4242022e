"""The statistics follow the feed: each finished game is counted once; a rebuild counts the record again, to the bit.

Invariant: after `follow` or `rebuild` the table is what the record and the events give, however often and wherever
they run: both hold the follower's turn, in one transaction each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
import structlog
from django.db import transaction

from games.statistics.counting import Counts, added, counted
from games.store import feed
from games.store.connection import execute, read, rows
from games.store.feed import Entry
from games.store.load import history

log = structlog.get_logger(__name__)

CONSUMER = "statistics"
KINDS = ("game_finished",)
BATCH = 50
PAGE = 500

Key = tuple[str, str]  # player, ruleset


def follow(limit: int = BATCH, *, everything: bool = False) -> int:
    """Count up to `limit` finished games that have not been; how many were. Nothing while a copy is at work."""
    with transaction.atomic():
        found = feed.applied(CONSUMER, feed.pending(CONSUMER, KINDS, limit, everything=everything))
        sums = _summed((entry for _, entry in found), {})
        _write({key: added(_kept(key), counts) for key, counts in sums.items()})
    return len(found)


def rebuild(progress: Callable[[int], None] = lambda _: None) -> int:
    """Make all statistics anew from the record and the events; the number of rows."""
    with transaction.atomic():
        feed.hold(CONSUMER)
        again = _again(progress)
        execute("DELETE FROM games_statistic")
        _write(again)
    return len(again)


def compare(progress: Callable[[int], None] = lambda _: None) -> list[Key]:
    """The players and rulesets whose rows are not what a rebuild gives."""
    with transaction.atomic():
        feed.hold(CONSUMER)
        again = _again(progress)
        kept = {(player_id, rules): counts for player_id, rules, counts in rows(_EVERYTHING)}
    made = {key: _text(counts) for key, counts in again.items()}
    return sorted(key for key in {*kept, *made} if kept.get(key) != made.get(key))


def of_player(player_id: str) -> dict[str, Counts]:
    """A player's counts by ruleset."""
    found = read("SELECT rules, counts::text FROM games_statistic WHERE player_id = %s ORDER BY rules", [player_id])
    return {rules: msgspec.json.decode(counts) for rules, counts in found}


_EVERYTHING = "SELECT player_id::text, rules, counts::text FROM games_statistic"


def _again(progress: Callable[[int], None]) -> dict[Key, Counts]:
    sums: dict[Key, Counts] = {}
    after = 0
    while page := feed.order(CONSUMER, after, PAGE):
        sums = _summed((entry for _, entry in page), sums)
        after = page[-1][0]
        progress(after)
    return sums


def _summed(entries: Iterable[Entry], sums: dict[Key, Counts]) -> dict[Key, Counts]:
    for entry in entries:
        found = rows("SELECT rules FROM games_game WHERE id = %s AND branched_from IS NULL", [entry.game_id])
        for (rules,) in found:
            for player_id, counts in _of_game(entry.game_id).items():
                sums[player_id, rules] = added(sums.get((player_id, rules), {}), counts)
    return sums


def _of_game(game_id: str) -> dict[str, Counts]:
    """A game's counts; nothing of one that cannot be told again, now as in every rebuild until the code can."""
    try:
        records = history(game_id)
    except LookupError:  # its ruleset is not played here any more
        log.warning("game of an unknown ruleset not counted", game=game_id)
        return {}
    try:
        return counted(game_id, records)
    except Exception:  # one broken game must not keep all others from being counted
        log.exception("game not counted", game=game_id)
        return {}


def _kept(key: Key) -> Counts:
    found = rows("SELECT counts::text FROM games_statistic WHERE player_id = %s AND rules = %s", list(key))
    counts: Counts = msgspec.json.decode(found[0][0]) if found else {}
    return counts


def _write(sums: dict[Key, Counts]) -> None:
    if sums:
        execute(
            "INSERT INTO games_statistic (player_id, rules, counts)"
            " SELECT x.player_id, x.rules, x.counts FROM json_to_recordset(%s::json)"
            " AS x(player_id uuid, rules text, counts json) ORDER BY 1, 2"
            " ON CONFLICT (player_id, rules) DO UPDATE SET counts = excluded.counts",
            [
                msgspec.json.encode(
                    [
                        {"player_id": player_id, "rules": rules, "counts": msgspec.Raw(_text(counts).encode())}
                        for (player_id, rules), counts in sums.items()
                    ]
                ).decode()
            ],
        )


def _text(counts: Counts) -> str:
    """As it is stored: keys in order, no spaces."""
    return msgspec.json.encode(counts, order="sorted").decode()
