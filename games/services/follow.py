"""What follows a commit: sockets are woken, workers get a hint, players learn that it is their turn, lists change.

Must not: anything that a command's success depends on. Whatever is lost here is found again in the database.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta

from games.rules.table import Table
from games.services.due import next_due
from games.services.wake import Wake, hint, publish

SOON = timedelta(seconds=5)  # further ahead the sweep is early enough


def committed(before: Table, after: Table, due: datetime | None, now: datetime) -> None:
    """Tell the world about a move that has just been committed."""
    publish(*wakes(before, after))
    if due is not None and soon(after, due, now):
        hint(after.id, due, now)


def wakes(before: Table, after: Table) -> list[Wake]:
    """What other processes, players and the lobby hear of a move that has just been committed."""
    game = Wake(kind="game", id=after.id, version=after.version, at=time.time())
    return [game, *_turns(before, after), *_lobby(before, after)]


def soon(after: Table, due: datetime, now: datetime) -> bool:
    """Whether a worker is to be hinted at what falls due: a bot's move, before the sweep would find it."""
    if due - now >= SOON:
        return False
    coming = next_due(after)
    return coming is not None and coming.kind == "bot_move"


def _turns(before: Table, after: Table) -> list[Wake]:
    """A notice to each player whose turn has begun."""
    notices = []
    for seat, clock in after.clocks.items():
        known, chair = before.clocks.get(seat), after.chairs[seat]
        if chair is None or chair.player_id is None or chair.played_by_bot:
            continue
        if known is None or known.turn != clock.turn:
            notice = {"kind": "your_turn", "game_id": after.id, "version": after.version, "seat": seat}
            notices.append(Wake(kind="player", id=chair.player_id, notice=notice))
    return notices


def _lobby(before: Table, after: Table) -> list[Wake]:
    """A wake-up for the lobby when an open public table appears, changes or goes."""
    was_open, is_open = before.version > 0 and before.status == "waiting", after.status == "waiting"
    if after.visibility != "public" or after.mode == "ranked" or not (was_open or is_open):
        return []
    return [Wake(kind="lobby", id=after.id, version=after.version)]
