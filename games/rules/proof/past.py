"""The copied beginning of a branch: what the source's replay proves, and what stays unproved without it.

details.md, Order of events (Branch): the source's rules events up to `at`, renumbered, keeping their distances in time
up to the branch's start. Nothing of them is drawn from the branch's own seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.rules import lifecycle as life
from games.rules.lifecycle import Event
from games.rules.proof.difference import differs
from games.rules.proof.reading import Told, same, typed
from games.rules.proof.redeciding import at_time
from games.rules.table import Recorded, Table, advance


class Source(NamedTuple):
    """What of a branch's source its past is compared with; `ends` are the versions at which a move was over."""

    game_id: str
    rules: str
    options: object
    seats: int
    events: Sequence[Told]
    ends: frozenset[int]


class Past(NamedTuple):
    """The copied events, the table after them, and the versions among them at which a move was over."""

    table: Table
    events: tuple[Event, ...]
    ends: frozenset[int]


def copied(table: Table, events: Sequence[Told], source: Source | None) -> Past:
    """What of `events` was copied. Raises Differs.

    `table` has just started. Without its source, they are the rules events no later than the start.
    """
    length = _length(table, events) if source is None else _compared(table, events, source)
    if length == 0:
        raise differs("missing", table.version + 1, expected="the past that was branched from")
    past = [Recorded(event.seq, typed(table.rules, event), event.at, 0, table.version) for event in events[:length]]
    try:
        after = advance(table, past)
    except (LookupError, TypeError, ValueError, AssertionError, AttributeError) as fault:
        raise differs("illegal", events[0].seq, expected=f"a past that fits: {fault!r}") from fault
    return Past(after, tuple(record.event for record in past), _ends(past, source))


def _ends(past: Sequence[Recorded], source: Source | None) -> frozenset[int]:
    """Where moves end in the copy: where they did in the source, or anywhere if that is not at hand."""
    versions = [record.version for record in past]
    if source is None:
        return frozenset(versions)
    origins = [event.seq for event in source.events if event.type not in life.LIFECYCLE]
    return frozenset(version for version, origin in zip(versions, origins, strict=False) if origin in source.ends)


def _length(table: Table, events: Sequence[Told]) -> int:
    length = 0
    for event in events:
        if event.type in life.LIFECYCLE or (table.at is not None and event.at > table.at):
            break
        length += 1
    return length


def _compared(table: Table, events: Sequence[Told], source: Source) -> int:
    assert table.branched_from is not None, "only a branch has a source"
    assert table.at is not None, "it has started"
    _same_game(table, source)
    past = [event for event in source.events[: table.branched_from.at] if event.type not in life.LIFECYCLE]
    if table.branched_from.at not in source.ends or not past:
        raise differs("source", 1, "the end of a move", table.branched_from.at, "data.branched_from.at")
    for place, origin in enumerate(past):
        if place >= len(events):
            raise differs("missing", table.version + 1 + place, expected=origin.type)
        event = events[place]
        if event.type != origin.type:
            raise differs("differs", event.seq, origin.type, event.type, "type")
        same(origin.data, event)
        at_time(event, table.at - (past[-1].at - origin.at))
    return len(past)


def _same_game(table: Table, source: Source) -> None:
    assert table.branched_from is not None, "only a branch has a source"
    ours = (table.branched_from.game_id, table.rules, table.options, table.seats)
    theirs = (source.game_id, source.rules, source.options, source.seats)
    for member, own, other in zip(("branched_from.game_id", "rules", "options", "seats"), ours, theirs, strict=True):
        if own != other:
            raise differs("source", 1, str(other), str(own), f"data.{member}")
