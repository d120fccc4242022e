"""A move on its way into the store: canonical bytes and the chain's links, so that the new `head` is known before
anything is written and an answer that holds it can be kept as a receipt.

Must live here: what will be stored, as values. Must not: a connection. Invariant: what PostgreSQL could not store is
refused here, by `prepare`, and never reaches a batch in which other games' moves stand too.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any, Literal

import msgspec

from games.rules import chain
from games.rules.moments import rfc3339
from games.rules.play import Move, plain
from games.rules.table import Recorded, Table
from games.store.cache import Loaded
from games.store.receipts import Receipt


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


def blank(game_id: str, seed: bytes) -> Loaded:
    """A game that does not exist yet, to `prepare` its creation on."""
    return Loaded(table=Table(id=game_id), seed=seed, head=chain.ZERO, code="")
