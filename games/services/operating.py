"""What an operator can do to a game, each time with a reason that is kept for ever (accounts/audit.py).

Must live here: only what needs no look at cards. Invariant: a deed is an ordinary append at an expected version, in
one transaction with its audit row; players see an ordinary event and never who decided or why.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts import audit
from accounts.audit import Operator, Refused
from games.rules import lifecycle as life
from games.rules import play as rules
from games.rules.play import Move
from games.rules.seats import Seat
from games.rules.table import Table
from games.services import command, due, entropy, follow
from games.store.append import Append, Cause, append, prepare
from games.store.load import load

ABORTED = "operator"  # the public reason; the true one stands in the audit

Decide = Callable[[Table, datetime], Move]


def abort(game_id: str, operator: Operator, reason: str) -> int:
    """End a game that is not over, for everybody and without a result; its last version. Raises Refused."""

    def decide(table: Table, now: datetime) -> Move:
        if table.status not in {"waiting", "playing"}:
            raise Refused(f"this game is over already ({table.status})")
        return rules.record(table, [life.GameAborted(reason=ABORTED)], now)

    return _append(game_id, decide, operator, "abort_game", reason)


def release(game_id: str, seat: Seat, operator: Operator, reason: str) -> int:
    """Hand a player's seat to a bot until the player takes it back, as for a lost connection. Raises Refused."""

    def decide(table: Table, now: datetime) -> Move:
        if table.status != "playing":
            raise Refused(f"this game is not being played ({table.status})")
        if not 0 <= seat < table.seats:
            raise Refused(f"there is no seat {seat}")
        chair = table.chairs[seat]
        if chair is None or chair.played_by_bot:
            raise Refused(f"a bot plays on seat {seat} already")
        return rules.control(table, seat, "bot", "disconnected", now)

    return _append(game_id, decide, operator, "release_seat", reason, seat=seat)


def _append(game_id: str, decide: Decide, operator: Operator, action: str, reason: str, **facts: Any) -> int:
    reason = audit.required(operator, reason)
    for _ in range(command.ATTEMPTS):
        loaded = load(game_id)
        if loaded is None:
            raise Refused("there is no such game")
        now = entropy.utcnow()
        move = decide(loaded.table, now)
        made = prepare(loaded, move, due_at=due.due_at(move.table), cause=Cause(by="service"))
        with transaction.atomic():
            if game_id in append([made]):
                audit.write(operator, action, "game", game_id, reason, **facts)
                transaction.on_commit(lambda made=made, now=now: _tell(made, now))  # type: ignore[misc]
                return made.version
    raise Refused("the game moves too fast; try again")


def _tell(made: Append, now: datetime) -> None:
    follow.committed(made.before.table, made.table, made.due_at, now)
