"""When something is due at a table although nobody asks: a bot's move, an expired turn, the ruleset's own moment.

Must live here: only the reckoning, from the folded table and settings. The append stores its result; `clock` acts.
Invariant: nothing here depends on what a seat cannot see; a bot's pause tells nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import msgspec
from django.conf import settings

from games.rules.seats import Seat
from games.rules.table import Chair, Clock, Table
from games.services import entropy

Kind = Literal["bot_move", "timeout", "alarm", "abandoned", "idle", "ranked_start"]


class Due(msgspec.Struct, frozen=True, order=True):
    """One thing that falls due. Ordered by time, then seat, so that every process takes the same one first."""

    at: datetime
    seat: Seat
    kind: Kind


NOBODY: Seat = -1


def next_due(table: Table) -> Due | None:
    """The first thing that falls due at this table; None once the game is over."""
    if table.status == "waiting":
        return _waiting(table)
    if table.status != "playing" or table.at is None:
        return None
    if abandoned(table):
        return Due(table.at, NOBODY, "abandoned")
    found = [_turn(table, seat, clock) for seat, clock in table.clocks.items()]
    alarm = table.ruleset.alarm(table.state)
    if alarm is not None:
        found.append(Due(alarm, NOBODY, "alarm"))
    return min(found, default=None)


def due_at(table: Table) -> datetime | None:
    """When the table wants to be looked at next."""
    due = next_due(table)
    return due.at if due else None


def abandoned(table: Table) -> bool:
    """Whether every player of a running game has left for good; games of bots alone are not abandoned."""
    players = [chair for chair in table.chairs if chair and chair.player_id]
    return bool(players) and all(chair.left for chair in players)


def _waiting(table: Table) -> Due | None:
    if table.at is None or table.created_at is None:
        return None
    if table.mode == "ranked":  # made with all seats taken; time for client seeds (details.md)
        return Due(table.created_at + timedelta(seconds=settings.REPLI.ranked_start_delay), NOBODY, "ranked_start")
    return Due(table.at + timedelta(seconds=settings.REPLI.idle_table_seconds), NOBODY, "idle")


def _turn(table: Table, seat: Seat, clock: Clock) -> Due:
    chair = table.chairs[seat]
    assert chair is not None, "every seat of a running game is taken"
    if chair.played_by_bot:
        return Due(clock.since + _pause(table, seat, clock, chair), seat, "bot_move")
    return Due(clock.deadline + timedelta(seconds=settings.REPLI.timeout_slack), seat, "timeout")


def _pause(table: Table, seat: Seat, clock: Clock, chair: Chair) -> timedelta:
    """A human-like pause that absorbs thinking time; none for a move that is overdue (rules/README.md)."""
    low, high = settings.REPLI.bot_pause_min, settings.REPLI.bot_pause_max
    if chair.control_reason == "timeout" and table.at is not None and table.at >= clock.deadline:
        return timedelta(0)
    share = entropy.fraction(table.id, seat, clock.turn, clock.since.timestamp())
    return timedelta(seconds=min(low + share * max(0.0, high - low), clock.seconds))
