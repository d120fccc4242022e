"""Once more with the same table: a new waiting game, which everybody who asks for a rematch joins.

Invariant: a game has one rematch. Who asks first makes it, the others sit down at it, in however many processes they
ask at once: what decides is a receipt that belongs to no player, written in the new game's own transaction.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec
from django.db import transaction

from config.wire.problems import Problem
from games.rules import lifecycle as life
from games.rules import play as rules
from games.rules.seats import Seat
from games.rules.table import Table
from games.services import command, entropy, tables, watch
from games.services.command import Answer, Caller, Key, Plan
from games.services.tables import NewTable
from games.services.wake import Wake, publish
from games.services.watch import OVER
from games.store.cache import Loaded
from games.store.load import load
from games.store.receipts import Receipt, keep

OPERATION = "rematch"
NOBODY = str(UUID(int=0))


def rematch(caller: Caller, game_id: str, asked: Key | None) -> Answer:
    """The game's rematch, made or joined. The body is the new game. Raises Problem `forbidden`, `game-state`."""
    if answer := command.repeated(caller, game_id, asked):
        return answer
    source = command.existing(game_id)
    command.require_visible(source, caller)
    seat = command.seat_of(source.table, caller)
    if source.table.status not in OVER:
        raise Problem("game-state", "not-over")
    made = _first(caller, source.table, seat, asked)
    return made if isinstance(made, Answer) else _join(caller, made, game_id, seat, asked)


def _first(caller: Caller, source: Table, seat: Seat, asked: Key | None) -> Answer | str:
    """The answer of the new game, or the id of the one that somebody else made. An aborted one is replaced."""
    follows = source.id
    while True:
        now, seed, new_id = entropy.utcnow(), entropy.new_seed(), entropy.new_id()
        with transaction.atomic():
            standing = keep(_claim(source.id, follows, new_id)).body.decode()
            if standing == new_id:
                answer = _made(caller, source, seat, new_id, seed, now, asked)
        if standing == new_id:
            _tell(source, seat, new_id)
            return answer
        earlier = load(standing)
        if earlier is not None and earlier.table.status != "aborted":
            return standing
        follows = standing


def _claim(source_id: str, follows: str, new_id: str) -> Receipt:
    return Receipt(
        player_id=NOBODY,
        operation=OPERATION,
        game_id=source_id,
        key=follows,
        body_hash=b"",
        status=201,
        body=new_id.encode(),
    )


def _made(
    caller: Caller, source: Table, seat: Seat, new_id: str, seed: bytes, now: datetime, asked: Key | None
) -> Answer:
    new = NewTable(
        rules=source.rules,
        seats=source.seats,
        options=msgspec.to_builtins(source.options, str_keys=True),
        visibility=source.visibility,
    )
    bots = [life.SeatTaken(seat=s, bot=chair.bot) for s, chair in enumerate(source.chairs) if chair and chair.bot]
    taken = sorted([*bots, life.SeatTaken(seat=seat, player_id=caller.player_id)], key=lambda event: event.seat)
    made = tables.opened(new_id, new, "casual", taken, seed, now)
    return tables.insert(caller, made, seed, now, asked, scope=source.id)


def _tell(source: Table, seat: Seat, new_id: str) -> None:
    """Let the other players of the table know."""
    others = {chair.player_id for s, chair in enumerate(source.chairs) if chair and chair.player_id and s != seat}
    notice = {"kind": "rematch", "game_id": new_id, "of": source.id}
    publish(*(Wake(kind="player", id=player_id, notice=notice) for player_id in sorted(others)))


def _join(caller: Caller, game_id: str, source_id: str, seat: Seat, asked: Key | None) -> Answer:
    """Sit down on the old seat, or on the lowest free one; whoever sits there already just gets the game."""

    def step(loaded: Loaded, now: datetime) -> Plan:
        table, made = loaded.table, None
        if table.seat_of(caller.player_id) is None:
            made = rules.record(table, [life.SeatTaken(seat=_free(table, seat), player_id=caller.player_id)], now)
        after = msgspec.structs.replace(loaded, table=made.table) if made else loaded
        return Plan(move=made, status=201, body=watch.body(after, caller.player_id))

    return command.run(caller, game_id, asked, step, scope=source_id)


def _free(table: Table, wanted: Seat) -> Seat:
    if table.status != "waiting":
        raise Problem("game-state", "already-started", game_status=table.status)
    free = [number for number, chair in enumerate(table.chairs) if chair is None]
    if not free:
        raise Problem("game-state", "full")
    return wanted if wanted in free else free[0]
