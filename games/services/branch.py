"""Going on from a point of a game that is over: a new game whose past is the other one's, up to there.

Must live here: which versions may be branched at, and the branch's first append. Invariants: the copied events are the
source's own, in their order and with their distances in time; what is drawn afterwards comes from a seed of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from config.wire.faults import invalid
from config.wire.problems import Problem
from games.rules import lifecycle as life
from games.rules.lifecycle import Event
from games.rules.play import Move, moment
from games.rules.seats import Seat
from games.rules.stream import commitment
from games.rules.table import Recorded, Table, advance, appends
from games.services import command, entropy, tables
from games.services.command import Answer, Caller, Key
from games.services.watch import OVER
from games.store.load import history


def branch(caller: Caller, game_id: str, at: int, seat: Seat, level: life.Level, asked: Key | None) -> Answer:
    """A new casual game that stands where this one stood after version `at`; the caller plays `seat`, bots the rest.

    The body is the new game. Raises Problem `game-state` while the game is not over, `validation` where it may not be
    branched at.
    """
    if answer := command.repeated(caller, game_id, asked):
        return answer
    source = command.existing(game_id)
    command.require_visible(source, caller)
    if source.table.status not in OVER:
        raise Problem("game-state", "not-over")
    if seat >= source.table.seats:
        raise invalid(seat="range")
    past = _past(history(game_id), at)
    now, seed = entropy.utcnow(), entropy.new_seed()
    begun = _lifecycle(source.table, at, _seated(caller, source.table, seat, level), seed)
    made = _made(past, begun, now)
    return tables.insert(caller, made, seed, now, asked, scope=game_id)


def _past(records: Sequence[Recorded], at: int) -> list[tuple[Recorded, ...]]:
    """The rules events up to `at`, append by append; `at` must be the last version of a move."""
    moves = [move for group in appends(records) if (move := _rules_of(group)) and move[-1].version <= at]
    if not moves or at not in {group[-1].version for group in appends(records)} or moves[-1][-1].version != at:
        raise invalid(at="move-end")
    return moves


def _rules_of(group: Sequence[Recorded]) -> tuple[Recorded, ...]:
    return tuple(record for record in group if record.event.type not in life.LIFECYCLE)


def _seated(caller: Caller, table: Table, seat: Seat, level: life.Level) -> list[Event]:
    """The caller on one seat, bots on all others."""
    return [
        life.SeatTaken(seat=number, player_id=caller.player_id)
        if number == seat
        else life.SeatTaken(seat=number, bot=level)
        for number in range(table.seats)
    ]


def _lifecycle(source: Table, at: int, seated: Sequence[Event], seed: bytes) -> list[Event]:
    created = life.GameCreated(
        rules=source.rules,
        options=msgspec.to_builtins(source.options, str_keys=True),
        seats=source.seats,
        visibility=source.visibility,
        mode="casual",
        commitment=commitment(seed),
        branched_from=life.BranchSource(game_id=source.id, at=at),
    )
    return [created, *seated, life.GameStarted(client_seeds=[""] * source.seats)]


def _made(past: Sequence[tuple[Recorded, ...]], begun: Sequence[Event], now: datetime) -> Move:
    """The branch's first append: its own beginning, then the past with its times moved up to now.

    Copied moves keep their bounds, so that they are told one by one and can be branched at again.
    """
    table = Table(id=entropy.new_id())
    starts = moment(table, now)
    records = [Recorded(version, event, starts, 0, 0) for version, event in enumerate(begun, start=1)]
    last = past[-1][-1].at
    for move in past:
        base = len(records)
        records += [
            Recorded(base + place, record.event, starts - (last - record.at), 0, base)
            for place, record in enumerate(move, start=1)
        ]
    return Move(records=tuple(records), table=advance(table, records))
