"""Promises about the event stream: it can be stored, read back, cut anywhere between appends, and folds the same."""

from __future__ import annotations

from typing import Any

import msgspec

from games.rules import play
from games.rules.conformance.playthrough import Playthrough
from games.rules.conformance.violation import demand
from games.rules.lifecycle import Event
from games.rules.stream import Stream
from games.rules.table import Recorded, Table, advance, event_types


def check_stream(game: Playthrough, noise: Stream) -> None:
    """Raises Violation unless the whole game can be told again from its stored events."""
    versions = [record.version for record in game.records]
    demand(versions == list(range(1, len(versions) + 1)), "versions count from 1 without holes")
    stored = [stored_again(game.rules.key, record) for record in game.records]
    _check_folds(game, stored, noise)
    _check_times(game)


def stored_again(rules: str, record: Recorded) -> Recorded:
    """The event as it comes back from JSON."""
    plain = play.plain(record.event)
    check_json(plain, record.event.type)
    kind = event_types(rules)[record.event.type]
    again: Event = msgspec.json.decode(msgspec.json.encode(plain), type=kind)
    demand(again == record.event, "an event survives its stored form", event=record.event, again=again)
    return record._replace(event=again)


def check_json(value: Any, where: str) -> None:
    """Only what canonical JSON writes in one way: no floats, string keys."""
    if isinstance(value, dict):
        for key, member in value.items():
            demand(isinstance(key, str), "keys are strings", where=where, key=key)
            check_json(member, f"{where}.{key}")
    elif isinstance(value, list):
        for element in value:
            check_json(element, where)
    else:
        known = value is None or isinstance(value, str | bool | int)
        demand(known, "events hold no floats and no other types", where=where, value=value)


def _check_folds(game: Playthrough, stored: list[Recorded], noise: Stream) -> None:
    empty = Table(id=game.table.id)
    demand(advance(empty, stored) == game.table, "folding the stored events gives the live game")
    cut = noise.below(len(game.tables))
    prefix = advance(empty, stored[: game.tables[cut].version])
    demand(prefix == game.tables[cut], "folding a prefix gives the game as it was", version=prefix.version)
    demand(advance(prefix, stored[prefix.version :]) == game.table, "prefix and rest fold to the whole", cut=cut)
    table = empty
    for live in game.tables:
        table = advance(table, stored[table.version : live.version])
    demand(table == game.table, "folding append by append gives the live game")


def _check_times(game: Playthrough) -> None:
    """One time per append, never going back, and clocks that belong to one turn each."""
    last: dict[int, int] = {}
    version = 0
    for table in game.tables:
        times = {record.at for record in game.records[version : table.version]}
        demand(times == {table.at}, "the events of one append share one time", version=table.version)
        version = table.version
        for seat, clock in table.clocks.items():
            later = clock.turn >= last.get(seat, clock.turn)
            demand(later, "turn numbers never go back", seat=seat, turn=clock.turn, version=version)
            demand(clock.seconds > 0, "a turn has time", seat=seat, version=version)
            last[seat] = clock.turn
