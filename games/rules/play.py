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

plain = life.plain


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """What a command caused: its events in place, and the table after them."""

    records: tuple[Recorded, ...]
    table: Table


def moment(table: Table, now: datetime) -> datetime:
    """The time that events get: whole milliseconds, and never before the game's last (details.md, Shapes)."""
    if beyond := now.microsecond % 1000:
        now = now.replace(microsecond=now.microsecond - beyond)
    return max(now, table.at) if table.at else now


def record(
    table: Table, events: Sequence[Event], now: datetime, words: int | None = None, base: int | None = None
) -> Move:
    """The events as the next ones of this table, and the table after them; `base` if the append began earlier."""
    at, place = moment(table, now), table.words if words is None else words
    began = table.version if base is None else base
    records = tuple(
        Recorded(version, event, at, place, began) for version, event in enumerate(events, start=table.version + 1)
    )
    return Move(records=records, table=advance(table, records))


def start(table: Table, seed: bytes, now: datetime) -> Move:
    """Begin the game; every seat must be taken."""
    started = record(table, [life.GameStarted(client_seeds=table.client_seeds)], now)
    draw = stream(table, seed)
    events = table.ruleset.start(started.table.state, moment(table, now), draw)
    return _completed(started, events, seed, now, draw.position)


def act(table: Table, seat: Seat, action: Any, seed: bytes, now: datetime) -> Move:
    """Let a seat of a running game act. Raises NotYourTurn or RuleViolation."""
    draw, now = stream(table, seed), moment(table, now)
    events = table.ruleset.decide(table.state, seat, action, now, draw)
    return _completed(Move(records=(), table=table), events, seed, now, draw.position)


def ring(table: Table, seed: bytes, now: datetime) -> Move:
    """Let the ruleset's own moment happen; its `alarm` must have passed."""
    draw = stream(table, seed)
    events = table.ruleset.ring(table.state, moment(table, now), draw)
    return _completed(Move(records=(), table=table), events, seed, now, draw.position)


def control(table: Table, seat: Seat, by: life.Controller, reason: life.ControlReason, now: datetime) -> Move:
    """Hand a seat to a bot or back to its player."""
    return record(table, [life.SeatControlled(seat=seat, by=by, reason=reason)], now)


def stream(table: Table, seed: bytes) -> Stream:
    """The game's random stream at the place where its last move left it."""
    return Stream(seed, table.id, table.client_seeds, table.words)


def _completed(begun: Move, events: Sequence[Event], seed: bytes, now: datetime, words: int) -> Move:
    """Add rules events to what the same append has begun, and the end of the game where they bring it about."""
    base = begun.table.version - len(begun.records)
    move = record(begun.table, events, now, words, base)
    records, table = begun.records + move.records, move.table
    standing = table.ruleset.standing(table.state)
    if standing is not None:
        finished = life.GameFinished(standing=list(standing), seed=seed.hex())
        end = record(table, [finished], now, base=base)
        records, table = records + end.records, end.table
    return Move(records=records, table=table)


def legal_actions(table: Table, seat: Seat) -> tuple[Any, ...]:
    """What a seat of a running game may do; no view is made for a seat that has nothing to choose."""
    rules = table.ruleset
    if not rules.may_act(table.state, seat):
        return ()
    return rules.legal_actions(rules.view(table.state, seat))


def seen(table: Table, event: Event, seat: Seat | None) -> dict[str, Any]:
    """An event's data as this viewer may see it, given the table before it."""
    if event.type in life.LIFECYCLE:
        return life.plain(event)
    return table.ruleset.redact(event, seat, table.state)
