"""Ratings follow the feed: each finished game is applied once, in the order that the feed records for ever.

`follow` applies what is new, `rebuild` goes through the record again, `void` takes a game out of it. Invariant: after
any of them the tables are what the record, the events and the adjustments give, however often and wherever this runs:
all three hold the follower's turn, in one transaction each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import structlog
from django.db import transaction

from games.services.wake import Wake, publish
from games.store import feed
from games.store.connection import execute, read, rows
from games.store.feed import Entry
from rankings.ratings import ledger, results
from rankings.ratings.ledger import Change
from rankings.ratings.results import Result
from rankings.ratings.scale import deviation, provisional, shown

log = structlog.get_logger(__name__)

CONSUMER = "ratings"
KINDS = ("game_finished",)
BATCH = 100
PAGE = 1000  # games of a rebuild at a time
VOID = "void_game"

Numbered = Sequence[tuple[int, Entry]]


class Refused(Exception):
    """A game that cannot be voided; the message says why."""


def follow(limit: int = BATCH, *, everything: bool = False) -> int:
    """Apply up to `limit` finished games that have not been; how many were. Nothing while a copy is at work."""
    with transaction.atomic():
        found = feed.applied(CONSUMER, feed.pending(CONSUMER, KINDS, limit, everything=everything))
        changes = _apply(found)
        transaction.on_commit(lambda: _tell(changes))
    if changes:
        log.info("games rated", games=len({change.game_id for change in changes}))
    return len(found)


def rebuild(rules: str | None = None, progress: Callable[[int], None] = lambda _: None) -> int:
    """Make the ratings anew, of one ruleset or of all, from the record and the events; how many changes there are."""
    with transaction.atomic():
        feed.hold(CONSUMER)
        return _again(0, rules, progress)


def void(game_id: str, author: str, reason: str, now: datetime) -> int:
    """Let a game count for nothing; how many changes were made anew behind it. Raises Refused."""
    with transaction.atomic():
        feed.hold(CONSUMER)
        _may_be_voided(game_id)
        execute(
            "INSERT INTO rankings_adjustment (kind, game_id, author, reason, written_at) VALUES (%s, %s, %s, %s, %s)",
            [VOID, game_id, author, reason, now],
        )
        counted = ledger.changed_by([game_id]).get(game_id)
        if counted is None:  # not applied yet, and it will not be; or never rated
            return 0
        rules, sequence = counted
        return _again(sequence, rules, lambda _: None)


def _again(sequence: int, rules: str | None, progress: Callable[[int], None]) -> int:
    """Go through the record once more from a place on; how many changes that made."""
    ledger.forget_from(sequence, rules)
    made, after = 0, sequence - 1
    while page := feed.order(CONSUMER, after, PAGE):
        made += len(_apply(page, rules))
        after = page[-1][0]
        progress(after)
    return made


def _apply(found: Numbered, rules: str | None = None) -> list[Change]:
    """What these games, in this order, change; those that are not rated change nothing."""
    rated = _rated(found)
    return ledger.enter([(place, result) for place, result in rated if rules in {None, result.rules}]) if rated else []


def _rated(found: Numbered) -> list[tuple[int, Result]]:
    ids = results.ranked(entry.game_id for _, entry in found)
    ids -= _voided(ids)
    judged = [(place, results.result_of(entry)) for place, entry in found if entry.game_id in ids]
    return [(place, result) for place, result in judged if result is not None]


def _voided(game_ids: set[str]) -> set[str]:
    found = read(
        "SELECT game_id::text FROM rankings_adjustment WHERE kind = %s AND game_id = ANY(%s::uuid[])",
        [VOID, list(game_ids)],
    )
    return {game_id for (game_id,) in found}


def _may_be_voided(game_id: str) -> None:
    found = rows("SELECT mode, status FROM games_game WHERE id = %s", [game_id])
    if not found:
        raise Refused("there is no such game")
    if found != [("ranked", "finished")]:
        raise Refused("only a finished ranked game counts for ratings")
    if _voided({game_id}):
        raise Refused("the game is void already")


def _tell(changes: Sequence[Change]) -> None:
    """Tell the players, once it stands; a lost notice is found in the history."""
    publish(*(Wake(kind="player", id=change.player_id, notice=_notice(change)) for change in changes))


def _notice(change: Change) -> dict[str, object]:
    return {
        "kind": "rating",
        "game_id": change.game_id,
        "rules": change.rules,
        "before": shown(change.before.mu),
        "after": shown(change.after.mu),
        "deviation": deviation(change.after.sigma),
        "provisional": provisional(change.after.sigma),
        "place": change.place,
        "seats": change.seats,
    }
