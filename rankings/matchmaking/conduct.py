"""Fair play: what players did wrong in ranked games, counted from the feed, and how long they wait for it.

Running out of time or being lost once is one strike, doing so again in the same game (stalling) or leaving is two; a
game counts at most two. The second strike makes wait, each further one doubles that; a game without a lapse takes one
strike back. Invariant: each lifecycle event is counted once, in the feed's recorded order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import transaction

from config.wire.problems import Problem
from games.rules.moments import rfc3339
from games.store import feed
from games.store.connection import execute, rows
from games.store.feed import Entry
from rankings.matchmaking.documents import ConductDocument
from rankings.matchmaking.models import Conduct, Lapse

CONSUMER = "conduct"
KINDS = ("seat_controlled", "game_finished", "game_aborted")
FREE = 1  # strikes that nobody waits for
LONGEST = timedelta(days=1)

Kind = Literal["timeout", "disconnected", "stalled", "left"]
STRIKES: dict[Kind, int] = {"timeout": 1, "disconnected": 1, "stalled": 2, "left": 2}


class _Deed(NamedTuple):
    """A lifecycle event of a ranked game; `player_id` of the seat that changed hands."""

    game_id: str
    type: str
    by: str | None
    reason: str | None
    player_id: str | None
    at: datetime


def wait_for(strikes: int, base: float) -> timedelta:
    """How long a player with so many strikes waits after the last of them."""
    if strikes <= FREE:
        return timedelta(0)
    return min(LONGEST, timedelta(seconds=base * 2.0 ** min(strikes - FREE - 1, 30)))


def worse(known: str | None, reason: str) -> Kind:
    """What a player's game counts as, after another lapse."""
    if "left" in {known, reason}:
        return "left"
    if known in {"stalled", "timeout"} and reason == "timeout":
        return "stalled"
    return "timeout" if "timeout" in {known, reason} else "disconnected"


# --- following the feed -------------------------------------------------------------------------------------------


def follow(limit: int = 200, *, everything: bool = False) -> int:
    """Count what has happened since; how many events were looked at. Nothing while a copy is at work."""
    with transaction.atomic():
        entries = feed.pending(CONSUMER, KINDS, limit, everything=everything)
        for deed in _deeds(entries):
            _count(deed)
        feed.applied(CONSUMER, entries)
        return len(entries)


def _deeds(entries: Sequence[Entry]) -> list[_Deed]:
    """Those of the entries that belong to ranked games, in their order."""
    found = rows(
        "SELECT e.game_id::text, e.type, e.data ->> 'by', e.data ->> 'reason', s.player_id::text, e.recorded_at"
        " FROM unnest(%s::uuid[], %s::int[]) WITH ORDINALITY AS x(game_id, version, n)"
        " JOIN games_game g ON g.id = x.game_id AND g.mode = 'ranked'"
        " JOIN games_event e ON e.game_id = x.game_id AND e.version = x.version"
        " LEFT JOIN games_seat s ON s.game_id = e.game_id AND s.seat = (e.data ->> 'seat')::smallint"
        " ORDER BY x.n",
        [[entry.game_id for entry in entries], [entry.version for entry in entries]],
    )
    return [_Deed(*each) for each in found]


def _count(deed: _Deed) -> None:
    if deed.type != "seat_controlled":
        _over(deed.game_id)
    elif deed.by == "bot" and deed.player_id and deed.reason:
        _lapsed(deed.player_id, deed.reason, deed)


def _lapsed(player_id: str, reason: str, deed: _Deed) -> None:
    known = Lapse.objects.filter(player_id=player_id, game_id=deed.game_id).first()
    kind = worse(known.kind if known else None, reason)
    more = STRIKES[kind] - (known.strikes if known else 0)
    execute(
        "INSERT INTO rankings_lapse (player_id, game_id, kind, strikes, at) VALUES (%s, %s, %s, %s, %s)"
        " ON CONFLICT (player_id, game_id) DO UPDATE SET kind = excluded.kind, strikes = excluded.strikes",
        [player_id, deed.game_id, kind, STRIKES[kind], deed.at],
    )
    if more > 0:
        _struck(player_id, more, deed.at)


def _struck(player_id: str, more: int, at: datetime) -> None:
    held, _ = Conduct.objects.get_or_create(player_id=player_id, defaults={"games": 0, "marred": 0, "strikes": 0})
    held.strikes += more
    until = at + wait_for(held.strikes, settings.REPLI.cooldown_seconds)
    if until > at:
        held.not_before = max(until, held.not_before or until)
    held.save()


def _over(game_id: str) -> None:
    """A game has ended: one more for each of its players, clean or not."""
    execute(
        "INSERT INTO rankings_conduct AS c (player_id, games, marred, strikes)"
        " SELECT s.player_id, 1, (l.kind IS NOT NULL)::int, 0 FROM games_seat s"
        " LEFT JOIN rankings_lapse l ON l.player_id = s.player_id AND l.game_id = s.game_id"
        " WHERE s.game_id = %s AND s.player_id IS NOT NULL ORDER BY s.player_id"
        " ON CONFLICT (player_id) DO UPDATE SET games = c.games + 1, marred = c.marred + excluded.marred,"
        "  strikes = greatest(0, c.strikes - 1 + excluded.marred)",
        [game_id],
    )


# --- asked of it --------------------------------------------------------------------------------------------------


def require_cooled_down(player_id: str, now: datetime) -> None:
    """Raises Problem `game-state`, with `retry_after` and `until`, for who has to wait before ranked play."""
    held = Conduct.objects.filter(player_id=player_id, not_before__gt=now).first()
    if held is not None and held.not_before is not None:
        seconds = max(1, math.ceil((held.not_before - now).total_seconds()))
        raise Problem("game-state", "cool-down", retry_after=seconds, until=rfc3339(held.not_before))


def shown(player_id: UUID) -> ConductDocument:
    """What a profile says."""
    held = Conduct.objects.filter(player_id=player_id).first()
    games, marred = (held.games, held.marred) if held else (0, 0)
    return ConductDocument(games=games, marred=marred, rate=round(marred / games, 3) if games else 0.0)
