"""How every command runs: find the first answer to a repeat, load, decide, append, wake; again if another was faster.

Invariants: exactly one of two commands decided on one version stands; a repeat with the same key changes nothing and
gets the first answer byte for byte; nothing is written unless the whole command stands.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec
from config.wire.faults import invalid

from config.wire.problems import Problem
from games.rules.play import Move
from games.rules.table import Table
from games.services import due, entropy, follow
from games.store.append import Append, Receipt, append
from games.store.load import Loaded, load
from games.store.receipts import find

ATTEMPTS = 25
_canonical = msgspec.json.Encoder(order="sorted")


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks: a player's id, or None for somebody without a token."""

    player_id: str | None = None
    code: str | None = None  # a private game's code, if the caller brought one


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """The identity of a command for repeats: it belongs to (player, operation, game)."""

    operation: str
    key: str
    body_hash: bytes


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller gets: an HTTP status, JSON bytes, and the game's version and chain head after the command."""

    status: int
    body: bytes
    game_id: str
    version: int
    head: bytes | None = None
    repeated: bool = False


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a command wants: the move to append (None: nothing changes) and its answer."""

    move: Move | None
    status: int
    body: bytes


Step = Callable[[Loaded, datetime], Plan]


def key(operation: str, given: str | None, body: Any) -> Key | None:
    """The key of a command whose caller gave one; `body` is its decoded JSON."""
    if given is None:
        return None
    if not 0 < len(given) <= 64 or not given.isprintable():
        raise invalid(idempotency_key="idempotency-key")
    return Key(operation=operation, key=given, body_hash=hashlib.sha256(_canonical.encode(body)).digest())


def repeated(caller: Caller, game_id: str, asked: Key | None) -> Answer | None:
    """The first answer to this key, if there was one. Raises Problem if the key was used with another body."""
    if asked is None or caller.player_id is None:
        return None
    first = find(caller.player_id, asked.operation, game_id, asked.key)
    if first is None:
        return None
    if first.body_hash != asked.body_hash:
        raise Problem("idempotency-mismatch", "idempotency-mismatch")
    return Answer(
        status=first.status,
        body=first.body,
        game_id=str(first.game_id),
        version=first.version,
        head=first.head,
        repeated=True,
    )


def run(caller: Caller, game_id: str, asked: Key | None, step: Step) -> Answer:
    """Run a command on an existing game. Raises Problem."""
    for attempt in range(ATTEMPTS):
        if answer := repeated(caller, game_id, asked):
            return answer
        loaded = existing(game_id)
        now = entropy.utcnow()
        plan = step(loaded, now)
        if plan.move is None:
            return Answer(
                status=plan.status, body=plan.body, game_id=game_id, version=loaded.table.version, head=loaded.head
            )
        head = write(loaded, plan.move, now, receipt(caller, asked, plan.status, plan.body))
        if head is not None:
            version = plan.move.table.version
            return Answer(status=plan.status, body=plan.body, game_id=game_id, version=version, head=head)
        time.sleep(random.uniform(0, 0.002 * (attempt + 1)))  # noqa: S311  (spreads retries, decides nothing)
    raise Problem("unavailable", "too-busy")


def existing(game_id: str) -> Loaded:
    """The game as it stands. Raises Problem `not-found`."""
    loaded = load(game_id)
    if loaded is None:
        raise Problem("not-found", "no-such-game")
    return loaded


def receipt(caller: Caller, asked: Key | None, status: int, body: bytes) -> Receipt | None:
    """What is kept for repeats of this command."""
    if asked is None or caller.player_id is None:
        return None
    return Receipt(
        player_id=caller.player_id,
        operation=asked.operation,
        key=asked.key,
        body_hash=asked.body_hash,
        status=status,
        body=body,
    )


def write(loaded: Loaded, move: Move, now: datetime, kept: Receipt | None = None) -> bytes | None:
    """Append a move to the game that it was decided on; its chain head, or None if another was faster."""
    next_due = due.due_at(move.table)
    appended = append(
        [
            Append(
                game_id=loaded.table.id,
                expected=loaded.table.version,
                records=move.records,
                table=move.table,
                due_at=next_due,
                receipt=kept,
            )
        ]
    )
    done = appended.get(loaded.table.id)
    if done is None:
        return None
    follow.committed(loaded.table, move, next_due, now)
    return done.head


def seat_of(table: Table, caller: Caller) -> int:
    """The caller's seat. Raises Problem `forbidden`."""
    seat = table.seat_of(caller.player_id)
    if seat is None:
        raise Problem("forbidden", "not-seated")
    return seat


def require_visible(loaded: Loaded, caller: Caller) -> None:
    """Hide a private game from whoever is not seated and has not its code. Raises Problem `not-found`."""
    table = loaded.table
    if table.visibility == "public" or table.seat_of(caller.player_id) is not None:
        return
    if caller.code is None or caller.code.upper() != loaded.code:
        raise Problem("not-found", "no-such-game")
