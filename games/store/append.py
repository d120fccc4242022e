"""Writing to a game's stream from a thread, on Django's connection; `writer` does the same for many moves at once.

`append` writes a batch of prepared moves of different games in one statement; `create` a game with its first events.
Invariants: an append stands wholly or not at all, after the version it expected and no other; what it says about the
game's row, the receipt, the feed and the seats stands in the same transaction; the cache learns of it only afterwards.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import msgspec
from django.db import IntegrityError, transaction

from config.observability.figures import append_batch, append_seconds
from config.observability.tracing import span
from games.store import cache, parameters, receipts
from games.store.connection import LOST, connect, in_transaction, read, rows
from games.store.prepared import Append, Appended, Cause, EventRow, blank, prepare
from games.store.receipts import Receipt

__all__ = ["Append", "Appended", "Cause", "EventRow", "append", "blank", "create", "prepare"]


def append(batch: Sequence[Append]) -> dict[str, Appended]:
    """Write moves of different games, each after the version it expected; what stands, by game.

    A game missing from the answer was overtaken, or the receipt's key is known already: load it again and look for
    the receipt. Batches past 32 only add latency (performance.md). When the connection breaks, the outcome is found
    out over a new one; django.db.OperationalError means that it stays unknown.
    """
    assert len({each.game_id for each in batch}) == len(batch), "one append per game in a batch"
    connect()
    begun = time.perf_counter()
    with span("append") as told:
        try:
            standing = _write(batch)
        except LOST:
            if in_transaction():
                raise
            standing = _write(batch) | _written_before(batch)
        told.note("repli.batch_size", len(batch))
        told.note("repli.stood", len(standing))
    append_seconds.observe(time.perf_counter() - begun)
    append_batch.observe(len(batch))
    return _accepted([each for each in batch if each.game_id in standing])


def create(first: Append, code: str) -> Appended | Receipt:
    """Insert a new game with its first events, or return the receipt of the equal request that came before.

    `first` is prepared on a `blank` game. Inside a transaction of the caller's, only this insert is taken back.
    """
    assert first.expected == 0, "a game is created once"
    connect()
    try:
        earlier = _insert(first, code)
    except LOST:
        if in_transaction():
            raise
        earlier = None if _written_before([first]) else _insert(first, code)
    return earlier or _accepted([first], code)[first.game_id]


def _insert(first: Append, code: str) -> Receipt | None:
    """The receipt that stood in the way, if one did."""
    try:
        with transaction.atomic():
            rows(*parameters.creating(first, code))
    except IntegrityError:
        asked = first.receipt
        earlier = asked and receipts.find(asked.player_id, asked.operation, asked.game_id, asked.key)
        if earlier is None:
            raise
        return earlier
    return None


def _write(batch: Sequence[Append]) -> set[str]:
    return {game_id for game_id, _ in rows(*parameters.moving(batch))}


def _written_before(batch: Sequence[Append]) -> set[str]:
    return {game_id for game_id, _ in read(*parameters.looking_back(batch))}


def _accepted(standing: Iterable[Append], code: str | None = None) -> dict[str, Appended]:
    """Tell the cache, once the transaction is committed."""
    accepted = {}
    for each in standing:
        after = each.after if code is None else msgspec.structs.replace(each.after, code=code)
        transaction.on_commit(lambda after=after: cache.put(after))  # type: ignore[misc]
        accepted[each.game_id] = Appended(game_id=each.game_id, version=each.version, head=each.head)
    return accepted
