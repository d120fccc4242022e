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
from unicodedata import category

import msgspec

from config.observability.figures import appends
from config.wire.faults import invalid
from config.wire.problems import Problem
from games.rules.play import Move
from games.rules.table import Table
from games.services import due, entropy, follow
from games.store.append import Append, Cause, append, prepare
from games.store.cache import Loaded
from games.store.load import load
from games.store.receipts import Receipt, find, keep

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
    """What the caller gets: an HTTP status and JSON bytes; of a repeat, those of the first time."""

    status: int
    body: bytes
    again: bool = False  # it is a repeat's


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a command wants: the move to append (None: nothing changes), who caused it, and its answer.

    `body` makes the answer's JSON; it is given the chain's link at the new version, in hex. `telling` is what the
    answer has reckoned already of what the game's viewers will be told.
    """

    move: Move | None
    cause: Cause | None = None
    status: int
    body: Callable[[str], bytes]
    telling: Any = None  # a watch.Telling, which stands above


Step = Callable[[Loaded, datetime], Plan]


def key(operation: str, given: str | None, body: Any) -> Key | None:
    """The key of a command whose caller gave one; `body` is its decoded JSON, where null is as good as absent.

    So the same move has the same key over REST and over a socket.
    """
    if given is None:
        return None
    if not 0 < len(given) <= 64 or any(category(letter) in ("Cc", "Cs") for letter in given):
        raise invalid(idempotency_key="idempotency-key")
    if isinstance(body, dict):
        body = {member: value for member, value in body.items() if value is not None}
    return Key(operation=operation, key=given, body_hash=hashlib.sha256(_canonical.encode(body)).digest())


def repeated(caller: Caller, game_id: str, asked: Key | None) -> Answer | None:
    """The first answer to this key, if there was one. Raises Problem if the key was used with another body."""
    if asked is None or caller.player_id is None:
        return None
    first = find(caller.player_id, asked.operation, game_id, asked.key)
    return None if first is None else first_answer(first, asked)


def first_answer(first: Receipt, asked: Key | None) -> Answer:
    """What a receipt answers to a request. Raises Problem if it was written for another body."""
    if asked is None or first.body_hash != asked.body_hash:
        raise Problem("idempotency-mismatch", "idempotency-mismatch")
    return Answer(status=first.status, body=first.body, again=True)


def run(caller: Caller, game_id: str, asked: Key | None, step: Step, scope: str | None = None) -> Answer:
    """Run a command on an existing game. Raises Problem. `scope`: the game that the request named, if another one."""
    scope = scope or game_id
    for attempt in range(ATTEMPTS):
        if answer := repeated(caller, scope, asked):
            return answer
        loaded = existing(game_id)
        now = entropy.utcnow()
        try:
            plan = step(loaded, now)
        except Problem:
            if answer := repeated(caller, scope, asked):  # the first one stood between that look and this load
                return answer
            raise
        if plan.move is None:
            return _unchanged(caller, scope, loaded, asked, plan)
        made, answer = ready(caller, scope, asked, loaded, plan)
        stands = write(made, now)
        counted(plan, stands=stands)
        if stands:
            return answer
        time.sleep(random.uniform(0, 0.002 * (attempt + 1)))  # noqa: S311  (spreads retries, decides nothing)
    raise Problem("unavailable", "too-busy", retry_after=1)


def ready(caller: Caller, scope: str, asked: Key | None, loaded: Loaded, plan: Plan) -> tuple[Append, Answer]:
    """What a plan that moves the game on will store, its answer included."""
    assert plan.move is not None, "there is something to append"
    made = prepare(loaded, plan.move, due_at=due.due_at(plan.move.table), cause=plan.cause)
    answer = Answer(status=plan.status, body=plan.body(made.head.hex()))
    return answered(made, caller, scope, asked, answer), answer


def counted(plan: Plan, *, stands: bool) -> None:
    """Count an append by who caused it, and whether it stands."""
    appends(plan.cause.by if plan.cause else "service", "yes" if stands else "no").inc()


def _unchanged(caller: Caller, scope: str, loaded: Loaded, asked: Key | None, plan: Plan) -> Answer:
    """The answer of a command that had nothing to do; it is kept for repeats all the same."""
    answer = Answer(status=plan.status, body=plan.body(loaded.head.hex()))
    if asked is None or caller.player_id is None:
        return answer
    own = _receipt(caller.player_id, scope, asked, answer)
    kept = keep(own)
    return answer if kept == own else first_answer(kept, asked)  # another one with this key was faster


def existing(game_id: str) -> Loaded:
    """The game as it stands. Raises Problem `not-found`."""
    loaded = load(game_id)
    if loaded is None:
        raise Problem("not-found", "no-such-game")
    return loaded


def answered(made: Append, caller: Caller, scope: str, asked: Key | None, answer: Answer) -> Append:
    """The append with the answer that repeats will get, if the caller gave a key; `scope` is the game it named."""
    if asked is None or caller.player_id is None:
        return made
    return made.answered(_receipt(caller.player_id, scope, asked, answer))


def _receipt(player_id: str, scope: str, asked: Key, answer: Answer) -> Receipt:
    return Receipt(
        player_id=player_id,
        operation=asked.operation,
        game_id=scope,
        key=asked.key,
        body_hash=asked.body_hash,
        status=answer.status,
        body=answer.body,
    )


def write(made: Append, now: datetime) -> bool:
    """Append a prepared move and tell the world; False if another command was faster."""
    if made.game_id not in append([made]):
        return False
    follow.committed(made.before.table, made.table, made.due_at, now)
    return True


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
