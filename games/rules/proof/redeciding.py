"""A move decided once more: the action that its events tell of, the seed, and what had happened before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from games.rules import lifecycle as life
from games.rules import play
from games.rules.errors import Refusal
from games.rules.play import Move
from games.rules.proof.difference import Differs, differs
from games.rules.proof.reading import Told, same, told_at, typed
from games.rules.table import Table

LOOKED_AHEAD = 2  # events that tell what a seat did: a pile made anew stands before the card drawn from it


def moved(table: Table, events: Sequence[Told], seed: bytes) -> Move:
    """The move that begins with the first of these events, as the rules give it now. Raises Differs.

    `table` stands just before it, at a place where something other than a seat's control changes: the game's own
    moment if it has come, else a seat's action.
    """
    first = events[0]
    alarm = table.ruleset.alarm(table.state)
    rung: Differs | None = None
    if alarm is not None and alarm <= first.at:
        move = play.ring(table, seed, first.at)
        try:
            compare(move, events)
        except Differs as found:
            rung = found
        else:
            return move
    move = _acted(table, events, seed, rung)
    compare(move, events)
    return move


def begun(table: Table, events: Sequence[Told], seed: bytes) -> Move:
    """The start of the game, its first deal included. Raises Differs."""
    move = play.start(table, seed, events[0].at)
    compare(move, events)
    return move


def _acted(table: Table, events: Sequence[Told], seed: bytes, rung: Differs | None) -> Move:
    first = events[0]
    coming = [typed(table.rules, event) for event in events[:LOOKED_AHEAD] if event.type not in life.LIFECYCLE]
    caused = table.ruleset.action_in(coming, table.state)
    if caused is None:
        raise rung or differs("illegal", first.seq, expected="no-move-begins-so", found=first.type, member="type")
    seat, action = caused
    if not 0 <= seat < table.seats:
        raise differs("illegal", first.seq, expected="no-such-seat", found=seat, member="data.seat")
    try:
        return play.act(table, seat, action, seed, first.at)
    except Refusal as refusal:
        raise differs("illegal", first.seq, expected=refusal.code, found=first.data, member="data") from None


def compare(move: Move, events: Sequence[Told]) -> None:
    """Raises Differs at the first event that is not the one that the move gives, or where one is missing."""
    for place, record in enumerate(move.records):
        if place >= len(events):
            raise differs("missing", record.version, expected=record.event.type)
        event = events[place]
        if event.type != record.event.type:
            raise differs("differs", event.seq, record.event.type, event.type, "type")
        same(life.plain(record.event), event)
        at_time(event, record.at)


def at_time(event: Told, expected: datetime) -> None:
    """Raises Differs unless the event stands at this time."""
    if event.at != expected:
        raise differs("time", event.seq, told_at(event._replace(at=expected)), told_at(event), "at")
