"""What can be done with a table, as pure functions: events out, nothing written.

The services wrap these in transactions, `simulate` and the conformance suite run them in memory. All events that
one command causes are returned together, the end of the game included; nobody may ever see half of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from games.rules import lifecycle as life
from games.rules.lifecycle import Event
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.table import Recorded, Table, advance


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """What a command caused: its events in place, and the table after them."""

    records: tuple[Recorded, ...]
    table: Table


def moment(table: Table, now: datetime) -> datetime:
    """The time that events get: whole milliseconds, and never before the game's last (details.md, Shapes)."""
    now = now.replace(microsecond=now.microsecond // 1000 * 1000)
    return max(now, table.at) if table.at else now


def record(table: Table, events: Sequence[Event], now: datetime, words: int | None = None) -> Move:
    """The events as the next ones of this table, and the table after them."""
    at, place = moment(table, now), table.words if words is None else words
    records = tuple(Recorded(table.version + n, event, at, place) for n, event in enumerate(events, start=1))
    return Move(records=records, table=advance(table, records))


def start(table: Table, seed: bytes, now: datetime) -> Move:
    """Begin the game; every seat must be taken."""
    started = record(table, [life.GameStarted(client_seeds=table.client_seeds)], now)
    draw = stream(table, seed)
    events = table.ruleset.start(started.table.state, moment(table, now), draw)
    played = _completed(started.table, events, seed, now, draw.position)
    return Move(records=started.records + played.records, table=played.table)


def act(table: Table, seat: Seat, action: Any, seed: bytes, now: datetime) -> Move:
    """Let a seat of a running game act. Raises NotYourTurn or RuleViolation."""
    draw = stream(table, seed)
    events = table.ruleset.decide(table.state, seat, action, moment(table, now), draw)
    return _completed(table, events, seed, now, draw.position)


def ring(table: Table, seed: bytes, now: datetime) -> Move:
    """Let the ruleset's own moment happen; its `alarm` must have passed."""
    draw = stream(table, seed)
    events = table.ruleset.ring(table.state, moment(table, now), draw)
    return _completed(table, events, seed, now, draw.position)


def control(table: Table, seat: Seat, by: life.Controller, reason: life.ControlReason, now: datetime) -> Move:
    """Hand a seat to a bot or back to its player."""
    return record(table, [life.SeatControlled(seat=seat, by=by, reason=reason)], now)


def stream(table: Table, seed: bytes) -> Stream:
    """The game's random stream at the place where its last move left it."""
    return Stream(seed, table.id, table.client_seeds, table.words)


def _completed(table: Table, events: Sequence[Event], seed: bytes, now: datetime, words: int) -> Move:
    """Record rules events, and the end of the game where they bring it about."""
    move = record(table, events, now, words)
    standing = table.ruleset.standing(move.table.state)
    if standing is None:
        return move
    finished = life.GameFinished(standing=list(standing), seed=seed.hex())
    end = record(move.table, [finished], now)
    return Move(records=move.records + end.records, table=end.table)


def seen(table: Table, event: Event, seat: Seat | None) -> dict[str, Any]:
    """An event's data as this viewer may see it, given the table before it."""
    if event.type in life.LIFECYCLE:
        return plain(event)
    return table.ruleset.redact(event, seat, table.state)


def plain(event: Event) -> dict[str, Any]:
    """An event's whole data as JSON values; maps keyed by seat have string keys."""
    data: dict[str, Any] = msgspec.to_builtins(event, str_keys=True)
    return data
