"""Writing to a game's stream. The one way in.

`prepare` turns a move into what will be stored: canonical bytes and the chain's links, so that the new `head` is
known, and an answer that holds it can be kept as a receipt, before anything is written. `append` writes a batch of
prepared moves of different games in one statement; `create` a game with its first events. Invariants: an append
stands wholly or not at all, after the version it expected and no other; what it says about the game's row, the
receipt, the feed and the seats stands in the same transaction; the cache learns of it only afterwards.
"""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec
from django.db import IntegrityError, transaction

from games.rules import chain
from games.rules import lifecycle as life
from games.rules.lifecycle import Event
from games.rules.moments import rfc3339
from games.rules.play import Move, plain
from games.rules.table import Recorded, Table
from games.store import cache, receipts
from games.store.cache import Loaded
from games.store.connection import LOST, connect, in_transaction, read, rows
from games.store.receipts import Receipt
from games.store.statements import statement

FOLLOWED = (life.GameStarted, life.SeatControlled, life.GameFinished, life.GameAborted)
SEATED = (life.GameCreated, life.SeatTaken, life.SeatLeft, life.SeatControlled, life.GameFinished)

_encode = msgspec.json.encode


class Cause(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who or what brought a move about; kept beside its first event, never sent."""

    by: Literal["player", "bot", "clock", "service"]
    seat: int | None = None
    player_id: str | None = None
    action: Any = None  # as it was sent


class EventRow(msgspec.Struct, frozen=True, kw_only=True):
    """An event as it is stored; `data` and `meta` are JSON bytes, `at` and `hash` text."""

    game_id: str
    version: int
    type: str
    schema: int
    data: msgspec.Raw
    seat: int | None
    command_id: str | None
    at: str
    meta: msgspec.Raw
    hash: str


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """A move ready to be written: made by `prepare`. `before` is the game as it was decided on."""

    before: Loaded
    records: tuple[Recorded, ...]
    table: Table  # after
    rows: tuple[EventRow, ...]
    head: bytes  # the chain's link at the new version: the `receipt` of the wire's ack
    due_at: datetime | None
    mark: str  # tells this append from another one with equal events, when the connection broke in between
    receipt: Receipt | None = None

    @property
    def game_id(self) -> str:
        return self.table.id

    @property
    def expected(self) -> int:
        return self.before.table.version

    @property
    def version(self) -> int:
        return self.table.version

    @property
    def after(self) -> Loaded:
        """The game as it stands once this append does."""
        return msgspec.structs.replace(self.before, table=self.table, head=self.head)

    def answered(self, receipt: Receipt) -> Append:
        """The same append with the answer to keep; its key becomes the command id of the first event."""
        first = msgspec.structs.replace(self.rows[0], command_id=receipt.key)
        return msgspec.structs.replace(self, receipt=receipt, rows=(first, *self.rows[1:]))


class Appended(msgspec.Struct, frozen=True, kw_only=True):
    game_id: str
    version: int
    head: bytes


def prepare(
    before: Loaded,
    move: Move,
    *,
    due_at: datetime | None,
    cause: Cause | None = None,
    receipt: Receipt | None = None,
) -> Append:
    """What `move`, decided on `before`, will store. `due_at`: when the game needs a look although nobody acts.

    Raises chain.Unstorable before anything of it can reach a batch.
    """
    mark = secrets.token_hex(8)
    written: list[EventRow] = []
    head = before.head
    for record in move.records:
        event = record.event
        data = chain.canonical(plain(event))
        head = chain.link(head, before.seed, record.version, chain.stored(record.version, event.type, record.at, data))
        row = EventRow(
            game_id=move.table.id,
            version=record.version,
            type=event.type,
            schema=event.schema,
            data=msgspec.Raw(data),
            seat=cause.seat if cause else None,
            command_id=None,
            at=rfc3339(record.at),
            meta=msgspec.Raw(chain.canonical(_meta(move.table, record, mark, None if written else cause))),
            hash=head.hex(),
        )
        written.append(row)
    append = Append(
        before=before,
        records=move.records,
        table=move.table,
        rows=tuple(written),
        head=head,
        due_at=due_at,
        mark=mark,
    )
    return append.answered(receipt) if receipt else append


def _meta(table: Table, record: Recorded, mark: str, cause: Cause | None) -> dict[str, Any]:
    meta = {
        "append": mark,
        "base": record.base,
        "rules_version": table.ruleset.rules_version,
        "words": record.words,
    }
    return meta if cause is None else meta | {"cause": msgspec.to_builtins(cause, str_keys=True)}


# --- writing --------------------------------------------------------------------------------------------------


def append(batch: Sequence[Append]) -> dict[str, Appended]:
    """Write moves of different games, each after the version it expected; what stands, by game.

    A game missing from the answer was overtaken, or the receipt's key is known already: load it again and look for
    the receipt. Batches past 32 only add latency (performance.md). When the connection breaks, the outcome is found
    out over a new one; django.db.OperationalError means that it stays unknown.
    """
    assert len({each.game_id for each in batch}) == len(batch), "one append per game in a batch"
    connect()
    try:
        standing = _write(batch)
    except LOST:
        if in_transaction():
            raise
        standing = _write(batch) | _written_before(batch)
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
            rows(_statement([first], new=True), _parameters([first], [_created(first, code)]))
    except IntegrityError:
        asked = first.receipt
        earlier = asked and receipts.find(asked.player_id, asked.operation, asked.game_id, asked.key)
        if earlier is None:
            raise
        return earlier
    return None


def blank(game_id: str, seed: bytes) -> Loaded:
    """A game that does not exist yet, to `prepare` its creation on."""
    return Loaded(table=Table(id=game_id), seed=seed, head=chain.ZERO, code="")


def _write(batch: Sequence[Append]) -> set[str]:
    found = rows(_statement(batch, new=False), _parameters(batch, [_moved(each) for each in batch]))
    return {game_id for game_id, _ in found}


def _written_before(batch: Sequence[Append]) -> set[str]:
    """Those that were committed although the answer was lost: their own mark stands at their version."""
    found = read(
        "SELECT e.game_id::text FROM json_to_recordset(%s::json) AS x(game_id uuid, version int, mark text)"
        " JOIN games_event e ON e.game_id = x.game_id AND e.version = x.version AND e.meta ->> 'append' = x.mark",
        [_text([{"game_id": each.game_id, "version": each.version, "mark": each.mark} for each in batch])],
    )
    return {game_id for (game_id,) in found}


def _accepted(standing: Iterable[Append], code: str | None = None) -> dict[str, Appended]:
    """Tell the cache, once the transaction is committed."""
    accepted = {}
    for each in standing:
        after = each.after if code is None else msgspec.structs.replace(each.after, code=code)
        transaction.on_commit(lambda after=after: cache.put(after))  # type: ignore[misc]
        accepted[each.game_id] = Appended(game_id=each.game_id, version=each.version, head=each.head)
    return accepted


# --- what the statement is given --------------------------------------------------------------------------------


def _statement(batch: Sequence[Append], *, new: bool) -> str:
    return statement(
        new=new,
        receipts=any(each.receipt for each in batch),
        feed=any(_has(each, FOLLOWED) for each in batch),
        seats=any(_has(each, SEATED) for each in batch),
    )


def _parameters(batch: Sequence[Append], games: list[dict[str, Any]]) -> list[str]:
    """One JSON array for each part of the statement, in its order."""
    parameters = [_text(games), _text([row for each in batch for row in each.rows])]
    if answers := [_answer(each, each.receipt) for each in batch if each.receipt]:
        parameters.append(_text(answers))
    if feed := [_feed(each, record) for each in batch for record in each.records if isinstance(record.event, FOLLOWED)]:
        parameters.append(_text(feed))
    if seats := [seat for each in batch if _has(each, SEATED) for seat in _seats(each.table)]:
        parameters.append(_text(seats))
    return parameters


def _has(each: Append, kinds: tuple[type[Event], ...]) -> bool:
    return any(isinstance(record.event, kinds) for record in each.records)


def _game(each: Append) -> dict[str, Any]:
    table = each.table
    return {
        "game_id": table.id,
        "version": table.version,
        "status": table.status,
        "host": table.host,
        "to_act": list(table.to_act),
        "due_at": each.due_at,
        "head": each.head.hex(),
    }


def _moved(each: Append) -> dict[str, Any]:
    game = _game(each) | {"expected": each.expected}
    if _has(each, (life.OptionsChanged,)):
        game["options"] = each.table.options
    if each.receipt:
        game |= {
            "scope": each.receipt.game_id,
            "player_id": each.receipt.player_id,
            "operation": each.receipt.operation,
            "key": each.receipt.key,
        }
    return game


def _created(first: Append, code: str) -> dict[str, Any]:
    table = first.table
    return _game(first) | {
        "code": code,
        "rules": table.rules,
        "rules_version": table.ruleset.rules_version,
        "options": table.options,
        "mode": table.mode,
        "visibility": table.visibility,
        "seats": table.seats,
        "seed": first.before.seed.hex(),
        "branched_from": table.branched_from.game_id if table.branched_from else None,
        "created_at": table.created_at,
    }


def _answer(each: Append, receipt: Receipt) -> dict[str, Any]:
    return {
        "game_id": each.game_id,
        "scope": receipt.game_id,
        "player_id": receipt.player_id,
        "operation": receipt.operation,
        "key": receipt.key,
        "body_hash": receipt.body_hash.hex(),
        "status": receipt.status,
        "body": b64encode(receipt.body).decode(),
    }


def _feed(each: Append, record: Recorded) -> dict[str, Any]:
    return {"game_id": each.game_id, "version": record.version, "type": record.event.type}


def _seats(table: Table) -> list[dict[str, Any]]:
    """Every seat as the projection shows it."""
    places = {place.seat: place for place in table.standing or ()}
    return [
        {
            "game_id": table.id,
            "seat": seat,
            "player_id": chair.player_id if chair else None,
            "bot": chair.bot if chair else None,
            "controller": chair.controller if chair else "player",
            "left_for_good": chair.left if chair else False,
            "place": places[seat].place if seat in places else None,
            "score": places[seat].score if seat in places else None,
        }
        for seat, chair in enumerate(table.chairs)
    ]


def _text(value: Any) -> str:
    return _encode(value).decode()
