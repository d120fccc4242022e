"""Lets happen what is due although nobody asks: expired turns, bots' moves, alarms, tables that nobody wants.

Every step is an ordinary command at an expected version, so exactly one of {move, timeout} wins, in however many
copies this runs. It holds no locks and remembers nothing: what is due is read off the folded game each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import structlog
from django.conf import settings

from config.observability.figures import appends
from games.rules import lifecycle as life
from games.rules import play as rules
from games.rules.play import Move
from games.rules.seats import Seat
from games.rules.table import Table
from games.services import bots, command, entropy, presence
from games.services.due import Due, due_at, next_due
from games.services.tables import start_move
from games.store.append import Cause, prepare
from games.store.cache import Loaded
from games.store.load import load

log = structlog.get_logger(__name__)

STEPS = 64  # of one game in one go; the rest is due again at once


def look_after(game_id: str, clock: Callable[[], datetime] = entropy.utcnow) -> int:
    """Do all that is due at a game by this clock; the number of appends made."""
    done = 0
    for _ in range(STEPS):
        loaded = load(game_id)
        now = clock()
        due = next_due(loaded.table) if loaded else None
        if loaded is None or due is None or due.at > now:
            break
        done += _write(loaded, _step(loaded, due, now), due, now)
    return done


def _write(loaded: Loaded, move: Move, due: Due, now: datetime) -> bool:
    cause = Cause(by="bot", seat=due.seat) if due.kind == "bot_move" else Cause(by="clock")
    stands = command.write(prepare(loaded, move, due_at=due_at(move.table), cause=cause), now)
    appends(cause.by, "yes" if stands else "no").inc()
    return stands


def _step(loaded: Loaded, due: Due, now: datetime) -> Move:
    table = loaded.table
    match due.kind:
        case "timeout":
            log.info("turn expired", game=table.id, version=table.version, seat=due.seat)
            return rules.control(table, due.seat, "bot", "timeout", now)
        case "bot_move":
            return rules.act(table, due.seat, _thought_over(table, due.seat), loaded.seed, now)
        case "alarm":
            return rules.ring(table, loaded.seed, now)
        case "ranked_start":
            return start_move(loaded, now)
        case "abandoned":
            return rules.record(table, [life.GameAborted(reason="abandoned")], now)
        case "idle":
            return rules.record(table, [life.GameAborted(reason="idle")], now)


def _thought_over(table: Table, seat: Seat) -> Any:
    """The bot's choice, always after the same time (`bot_thinking`): how hard it was must not show in the clock."""
    begun = time.monotonic()
    action = bots.choose(table, seat)
    time.sleep(max(0.0, settings.REPLI.bot_thinking - (time.monotonic() - begun)))
    return action


def take_over_absent(now: datetime) -> int:
    """Hand the seats of players whose connection is lost to bots; the number of seats (details.md, presence)."""
    taken = 0
    for game_id, player_id in presence.lost(now):
        if _take_over(game_id, player_id, now):
            taken += 1
        presence.forget(game_id, player_id)
    return taken


def _take_over(game_id: str, player_id: str, now: datetime) -> bool:
    for _ in range(command.ATTEMPTS):
        loaded = load(game_id)
        if loaded is None or loaded.table.status != "playing":
            return False
        seat = loaded.table.seat_of(player_id)
        chair = loaded.table.chairs[seat] if seat is not None else None
        if seat is None or chair is None or chair.played_by_bot or presence.is_connected(game_id, player_id):
            return False
        made = rules.control(loaded.table, seat, "bot", "disconnected", now)
        stands = command.write(prepare(loaded, made, due_at=due_at(made.table), cause=Cause(by="clock")), now)
        appends("clock", "yes" if stands else "no").inc()
        if stands:
            log.info("player lost", game=game_id, version=made.table.version, seat=seat)
            return True
    return False
