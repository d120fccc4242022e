"""A whole stream of events, one append after the other: each is checked against the table that those before it made.

Invariant: the table is only ever moved on by what the rules give, never by what the events claim; a branch's copied
past is the one exception, and is reported as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from games.rules import lifecycle as life
from games.rules import play
from games.rules.lifecycle import Event
from games.rules.play import Move
from games.rules.proof import ceremony, redeciding
from games.rules.proof.difference import Differs, differs
from games.rules.proof.past import Source, copied
from games.rules.proof.reading import Told
from games.rules.table import Table

Sources = Callable[[life.BranchSource], Source | None]


class Step(NamedTuple):
    """An append that was found as it must be; a branch's copied past counts as one."""

    table: Table  # after it
    kind: Literal["ceremony", "move", "past"]
    events: tuple[Event, ...]  # those of the ruleset
    ends: frozenset[int]  # versions at which a move was over


def no_source(_: life.BranchSource) -> Source | None:
    """For games of which no source is at hand."""
    return None


def walk(game_id: str, events: Sequence[Told], seed: bytes, source: Sources = no_source) -> Iterator[Step]:
    """Each append of the game in turn. Raises Differs at the first difference."""
    table, place = Table(id=game_id), 0
    while place < len(events):
        try:
            step, length = _step(table, events[place:], seed, source)
        except Differs:
            raise
        except Exception as fault:  # the rules met what no game that they made could hold
            event = events[place]
            raise differs("illegal", event.seq, type(fault).__name__, event.data, "data") from fault
        table, place = step.table, place + length
        yield step


def _step(table: Table, events: Sequence[Told], seed: bytes, source: Sources) -> tuple[Step, int]:
    first = events[0]
    if table.status in {"finished", "aborted"}:
        raise differs("surplus", first.seq, found=first.type)
    if table.at is not None and first.at < table.at and not _begins_past(table, first):
        raise differs("time", first.seq, "no earlier than the event before", found=first.at.isoformat(), member="at")
    if first.type not in life.LIFECYCLE:
        return _play(table, events, seed, source)
    event = ceremony.checked(table, first)
    if isinstance(event, life.GameStarted) and table.branched_from is None:
        move = redeciding.begun(table, events, seed)
        return _of_move(move), len(move.records)
    made = play.record(table, [event], first.at).table
    return Step(made, "ceremony", (), frozenset({made.version})), 1


def _play(table: Table, events: Sequence[Told], seed: bytes, source: Sources) -> tuple[Step, int]:
    first = events[0]
    if table.status != "playing":
        raise differs("illegal", first.seq, expected="game-state", found=first.type, member="type")
    if _begins_past(table, first):
        assert table.branched_from is not None, "only a branch begins with a past"
        past = copied(table, events, source(table.branched_from))
        return Step(past.table, "past", past.events, past.ends), len(past.events)
    move = redeciding.moved(table, events, seed)
    return _of_move(move), len(move.records)


def _of_move(move: Move) -> Step:
    events = tuple(record.event for record in move.records if record.event.type not in life.LIFECYCLE)
    return Step(move.table, "move", events, frozenset({move.table.version}))


def _begins_past(table: Table, event: Told) -> bool:
    """Whether the copied events come next: a branch has started, and nothing of its rules has happened yet."""
    if table.branched_from is None or table.status != "playing" or event.type in life.LIFECYCLE:
        return False
    return not table.clocks  # clocks run from the first deal on
