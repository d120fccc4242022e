"""Tables before and around the game: create, sit, leave, bots, options, client seeds, start, rematch.

Every one of these is a command like a move: decided on a version, appended whole, repeatable by key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction

from config.wire.faults import invalid
from config.wire.problems import Problem
from games.rules import lifecycle as life
from games.rules import play as rules
from games.rules.errors import Invalid
from games.rules.lifecycle import Event
from games.rules.play import Move
from games.rules.registry import ruleset
from games.rules.seats import Seat
from games.rules.stream import commitment
from games.rules.table import Chair, Table
from games.services import command, due, entropy, follow, watch
from games.services.command import Answer, Caller, Key, Plan, Step
from games.services.sentences import invalid_member
from games.store.append import blank, create, prepare
from games.store.cache import Loaded
from games.store.load import by_code
from games.store.receipts import NO_GAME, Receipt

encode = msgspec.json.encode


class BotSeat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    seat: int
    level: life.Level


class NewTable(msgspec.Struct, frozen=True, kw_only=True):
    """What a table is to be; `bots` are seated at once."""

    rules: str
    seats: int
    options: dict[str, Any]
    visibility: life.Visibility
    bots: Sequence[BotSeat] = ()


def create_table(caller: Caller, new: NewTable, asked: Key | None) -> Answer:
    """Open a table with the caller on seat 0. The body is the game. Raises Problem `validation`."""
    if answer := command.repeated(caller, NO_GAME, asked):
        return answer
    assert caller.player_id is not None, "creating needs a player"
    now, seed, game_id = entropy.utcnow(), entropy.new_seed(), entropy.new_id()
    taken = [life.SeatTaken(seat=0, player_id=caller.player_id), *_bots(new)]
    made = opened(game_id, new, "casual", [*taken], seed, now)
    return insert(caller, made, seed, now, asked)


def opened(game_id: str, new: NewTable, mode: life.Mode, more: Sequence[Event], seed: bytes, now: datetime) -> Move:
    """The first events of a table. Raises Problem `validation`."""
    created = life.GameCreated(
        rules=new.rules,
        options=complete_options(new.rules, new.options, new.seats, mode),
        seats=new.seats,
        visibility=new.visibility,
        mode=mode,
        commitment=commitment(seed),
    )
    return rules.record(Table(id=game_id), [created, *more], now)


def insert(caller: Caller, made: Move, seed: bytes, now: datetime, asked: Key | None, scope: str = NO_GAME) -> Answer:
    """Write a new game; the answer's body is the game as the caller sees it. `scope`: the game that was named."""
    code, table = entropy.new_code(), made.table
    first = prepare(blank(table.id, seed), made, due_at=due.due_at(table))
    loaded = msgspec.structs.replace(first.after, code=code)
    answer = Answer(status=201, body=encode(watch.document(loaded, caller.player_id)))
    written = create(command.answered(first, caller, scope, asked, answer), code)
    if isinstance(written, Receipt):  # the same key was faster on another connection
        return command.first_answer(written, asked)
    transaction.on_commit(lambda: follow.committed(Table(id=table.id), table, first.due_at, now))
    return answer


def complete_options(key: str, given: dict[str, Any], seats: int, mode: life.Mode) -> dict[str, Any]:
    """The complete options as stored. Raises Problem `validation`."""
    try:
        rules_ = ruleset(key)
    except KeyError:
        raise invalid(rules="choice") from None
    if not rules_.min_seats <= seats <= rules_.max_seats:
        raise invalid(seats="range")
    try:
        options = rules_.complete_options(given, seats, mode)
    except Invalid as refusal:
        raise invalid_member("options", refusal) from None
    stored: dict[str, Any] = msgspec.to_builtins(options, str_keys=True)
    return stored


def _bots(new: NewTable) -> list[life.SeatTaken]:
    seats = [bot.seat for bot in new.bots]
    if len(set(seats)) < len(seats) or not all(0 < seat < new.seats for seat in seats):
        raise invalid(bots="range")
    return [life.SeatTaken(seat=bot.seat, bot=bot.level) for bot in sorted(new.bots, key=lambda bot: bot.seat)]


# --- sitting down and getting up --------------------------------------------------------------------------------


def join(caller: Caller, game_id: str, seat: Seat | None, asked: Key | None) -> Answer:
    """Take a seat, the lowest free one if none is named. The body is the game."""

    def events(loaded: Loaded) -> list[Event]:
        table = loaded.table
        command.require_visible(loaded, caller)
        if seat is not None and not 0 <= seat < table.seats:
            raise invalid(seat="range")
        _require_waiting(table)
        if table.seat_of(caller.player_id) is not None:
            raise Problem("game-state", "already-seated")
        free = [number for number, chair in enumerate(table.chairs) if chair is None]
        if not free or (seat is not None and seat not in free):
            raise Problem("game-state", "seat-taken" if free else "full")
        return [life.SeatTaken(seat=free[0] if seat is None else seat, player_id=caller.player_id)]

    return command.run(caller, game_id, asked, _changing(caller, 201, events))


def join_by_code(caller: Caller, code: str, asked: Key | None) -> Answer:
    """Take the lowest free seat of the table with this code. Raises Problem `not-found` for an unknown one."""
    game_id = by_code(code.strip().upper())
    if game_id is None:
        raise Problem("not-found", "no-such-code")
    return join(msgspec.structs.replace(caller, code=code.strip()), game_id, None, asked)


def leave(caller: Caller, game_id: str) -> None:
    """Get up: before the start the seat is free, after it a bot plays on. Nobody leaves a match before its start."""

    def step(loaded: Loaded, now: datetime) -> Plan:
        table = loaded.table
        command.require_visible(loaded, caller)
        seat = command.seat_of(table, caller)
        chair = table.chairs[seat]
        assert chair is not None, "the caller sits there"
        if table.status == "waiting":
            if table.mode == "ranked":  # or one could look at the opponents first, and leave them without a game
                raise Problem("game-state", "starts-soon")
            return Plan(move=rules.record(table, _vacated(table, seat), now), status=204, body=no_body)
        if table.status != "playing":
            raise Problem("game-state", "not-playing", game_status=table.status)
        if chair.left:
            raise Problem("game-state", "already-left")
        return Plan(move=rules.control(table, seat, "bot", "left", now), status=204, body=no_body)

    command.run(caller, game_id, None, step)
    _close_abandoned(game_id)


def remove(caller: Caller, game_id: str, seat: Seat) -> None:
    """The host takes a player off a seat before the start."""

    def step(loaded: Loaded, now: datetime) -> Plan:
        table = _hosted(loaded, caller)
        chair = _chair(table, seat)
        if chair is None or chair.player_id is None:
            raise Problem("game-state", "seat-free")
        if seat == table.host:
            raise Problem("game-state", "host-leaves-otherwise")
        return Plan(move=rules.record(table, _vacated(table, seat), now), status=204, body=no_body)

    command.run(caller, game_id, None, step)


def _vacated(table: Table, seat: Seat) -> list[Event]:
    """A seat becomes free; a waiting game without a player is aborted (details.md, Shapes)."""
    events: list[Event] = [_left(table, seat)]
    others = [c for s, c in enumerate(table.chairs) if c and c.player_id and s != seat]
    return events if others else [*events, life.GameAborted(reason="empty")]


def _left(table: Table, seat: Seat) -> life.SeatLeft:
    chair = table.chairs[seat]
    assert chair is not None, "only a taken seat can be left"
    return life.SeatLeft(seat=seat, player_id=chair.player_id, bot=chair.bot)


def _close_abandoned(game_id: str) -> None:
    """End a running game whose last player has just left for good; the sweep would find it otherwise."""
    from games.services.clock import look_after

    if due.abandoned(command.existing(game_id).table):
        look_after(game_id)


# --- what the host decides ----------------------------------------------------------------------------------------


def set_bot(caller: Caller, game_id: str, seat: Seat, level: life.Level) -> Answer:
    """Put a bot on a free seat, or change the level of the one there. The body is the game."""

    def events(loaded: Loaded) -> list[Event]:
        table = _hosted(loaded, caller)
        chair = _chair(table, seat)
        if chair is not None and chair.bot is None:
            raise Problem("game-state", "seat-taken")
        if chair is not None and chair.bot == level:
            return []
        before: list[Event] = [_left(table, seat)] if chair else []
        return [*before, life.SeatTaken(seat=seat, bot=level)]

    return command.run(caller, game_id, None, _changing(caller, 200, events))


def clear_bot(caller: Caller, game_id: str, seat: Seat) -> None:
    """Take a bot off its seat."""

    def step(loaded: Loaded, now: datetime) -> Plan:
        table = _hosted(loaded, caller)
        chair = _chair(table, seat)
        if chair is None or chair.bot is None:
            raise Problem("game-state", "no-bot")
        return Plan(move=rules.record(table, [_left(table, seat)], now), status=204, body=no_body)

    command.run(caller, game_id, None, step)


def change_options(caller: Caller, game_id: str, given: dict[str, Any]) -> Answer:
    """Set the options anew, before the start. The body is the game."""

    def events(loaded: Loaded) -> list[Event]:
        table = loaded.table
        command.require_visible(loaded, caller)
        options = complete_options(table.rules, given, table.seats, table.mode)
        _hosted(loaded, caller)
        if options == msgspec.to_builtins(table.options, str_keys=True):
            return []
        return [life.OptionsChanged(options=options)]

    return command.run(caller, game_id, None, _changing(caller, 200, events))


def start(caller: Caller, game_id: str, asked: Key | None) -> Answer:
    """Begin the game; every seat must be taken. The body is the game."""

    def step(loaded: Loaded, now: datetime) -> Plan:
        _hosted(loaded, caller)
        made = start_move(loaded, now)
        after = msgspec.structs.replace(loaded, table=made.table)
        return Plan(move=made, status=200, body=watch.body(after, caller.player_id))

    return command.run(caller, game_id, asked, step)


def start_move(loaded: Loaded, now: datetime) -> Move:
    """The first move of a table. Raises Problem `game-state` while a seat is free."""
    table = loaded.table
    _require_waiting(table)
    if None in table.chairs:
        raise Problem("game-state", "seats-free")
    return rules.start(table, loaded.seed, now)


# --- what a player adds ---------------------------------------------------------------------------------------------


def give_client_seed(caller: Caller, game_id: str, client_seed: str) -> Answer:
    """Add to the random stream between the commitment and the start. The body is the game."""

    def events(loaded: Loaded) -> list[Event]:
        table = loaded.table
        command.require_visible(loaded, caller)
        seat = command.seat_of(table, caller)
        _require_waiting(table)
        chair = table.chairs[seat]
        if chair is not None and chair.client_seed == client_seed:
            return []
        return [life.ClientSeedGiven(seat=seat, client_seed=client_seed)]

    return command.run(caller, game_id, None, _changing(caller, 200, events))


# --- common parts -----------------------------------------------------------------------------------------------------


def _changing(caller: Caller, status: int, events: Callable[[Loaded], list[Event]]) -> Step:
    """A command that appends these events and answers with the game."""

    def step(loaded: Loaded, now: datetime) -> Plan:
        caused = events(loaded)
        made = rules.record(loaded.table, caused, now) if caused else None
        after = msgspec.structs.replace(loaded, table=made.table) if made else loaded
        return Plan(move=made, status=status, body=watch.body(after, caller.player_id))

    return step


def _hosted(loaded: Loaded, caller: Caller) -> Table:
    """The caller's own waiting table. Raises Problem `forbidden`, then `game-state`."""
    table = loaded.table
    command.require_visible(loaded, caller)
    if table.host is None or table.seat_of(caller.player_id) != table.host:
        raise Problem("forbidden", "not-host")
    _require_waiting(table)
    return table


def no_body(_head: str) -> bytes:
    """What a command answers that has nothing to say."""
    return b""


def _require_waiting(table: Table) -> None:
    if table.status != "waiting":
        raise Problem("game-state", "already-started", game_status=table.status)


def _chair(table: Table, seat: Seat) -> Chair | None:
    if not 0 <= seat < table.seats:
        raise Problem("not-found", "no-such-seat")
    return table.chairs[seat]
