"""Reading games back: one query each, typed, upcast, folded from the cached version on.

Invariant: an answer is what the table said at one moment, never what the cache alone said; nothing that a transaction
has not committed gets into the cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Union

import msgspec

from config.observability.figures import cache_lookups
from games.rules import lifecycle as life
from games.rules.lifecycle import Event
from games.rules.table import Recorded, Table, advance, event_types
from games.store import cache
from games.store.cache import Loaded
from games.store.connection import in_transaction, read, read_one
from games.store.upcasters import upcast


class _Meta(msgspec.Struct, frozen=True):
    words: int
    base: int


class _Stored(NamedTuple):
    """A row as SQL writes it, whatever its shape: for events that must be brought to today's."""

    type: str
    version: int
    schema: int
    at: datetime
    meta: _Meta
    data: msgspec.Raw


_stored = msgspec.json.Decoder(list[_Stored])

_EVENTS = """(SELECT json_agg(json_build_array(e.type, e.version, e.schema, e.recorded_at, e.meta, e.data)
    ORDER BY e.version)::text FROM games_event e WHERE e.game_id = g.id AND e.version > %s AND e.version <= %s)"""
_GAME = f"SELECT g.version, g.rules, g.code, g.seed, g.head, {_EVENTS}"
_GAMES = _GAME.replace("%s", "w.after", 1) + ", g.id::text"
_LIFECYCLE = _EVENTS.removesuffix(")") + " AND e.type = ANY(%s))"
_NO_LIMIT = 2**31 - 1
_hit, _behind, _miss = (cache_lookups("games", found) for found in ("hit", "behind", "miss"))


def load(game_id: str) -> Loaded | None:
    """The game as it stands now, or None where there is no such game."""
    known = cache.get(game_id)
    row = read_one(f"{_GAME} FROM games_game g WHERE g.id = %s", [known.version if known else 0, _NO_LIMIT, game_id])
    return _loaded(game_id, known, row)


def load_all(game_ids: Sequence[str]) -> list[Loaded]:
    """These games as they stand now, in this order, by one query; those that do not exist are left out."""
    known = {game_id: cache.get(game_id) for game_id in game_ids}
    wanted = [{"id": game_id, "after": kept.version if kept else 0} for game_id, kept in known.items()]
    found = read(
        f"{_GAMES} FROM json_to_recordset(%s::json) AS w(id uuid, after int) JOIN games_game g ON g.id = w.id",
        [_NO_LIMIT, msgspec.json.encode(wanted).decode()],
    )
    rows = {row[-1]: row[:-1] for row in found}
    loaded = (_loaded(game_id, known[game_id], rows.get(game_id)) for game_id in game_ids)
    return [game for game in loaded if game is not None]


def _loaded(game_id: str, known: Loaded | None, row: tuple[Any, ...] | None) -> Loaded | None:
    """The game of a row that holds what is after `known`."""
    if row is None:
        cache.drop(game_id)
        return None
    version, rules, code, seed, head, events = row
    after = known.version if known else 0
    if known is not None and (version < after or (version == after and bytes(head) != known.head)):
        cache.drop(game_id)  # not the stream that the cache knew: the database was put back to an earlier state
        return load(game_id)
    if known is not None and version == after:
        _hit.inc()
        return known
    (_miss if known is None else _behind).inc()
    table = advance(known.table if known else Table(id=game_id), _records(rules, events))
    loaded = Loaded(table=table, seed=bytes(seed), head=bytes(head), code=code)
    if not in_transaction():
        cache.put(loaded)
    return loaded


def history(game_id: str, after: int = 0, until: int | None = None) -> tuple[Recorded, ...]:
    """The game's events with after < version ≤ until, in today's shape; empty where there is no such game."""
    found = read_one(
        f"SELECT g.rules, {_EVENTS} FROM games_game g WHERE g.id = %s",  # noqa: S608
        [after, _NO_LIMIT if until is None else until, game_id],
    )
    return () if found is None else tuple(_records(*found))


def lifecycle(game_id: str, until: int) -> Table:
    """The table as its lifecycle events up to a version tell it: who sat where, how it ended; no ruleset's state."""
    found = read_one(
        f"SELECT g.rules, {_LIFECYCLE} FROM games_game g WHERE g.id = %s",  # noqa: S608
        [0, until, list(life.LIFECYCLE), game_id],
    )
    return advance(Table(id=game_id), () if found is None else _records(*found))


def links(game_id: str) -> list[str]:
    """The chain's links as they are stored, in hex, one for each event."""
    found = read("SELECT hash FROM games_event WHERE game_id = %s ORDER BY version", [game_id])
    return [bytes(link).hex() for (link,) in found]


def versions(game_ids: Iterable[str]) -> dict[str, int]:
    """Where these games stand now; unknown ones are left out."""
    found = read("SELECT id::text, version FROM games_game WHERE id = ANY(%s::uuid[])", [list(game_ids)])
    return dict(found)


def by_code(code: str) -> str | None:
    """The id of the game with that code; the newest, should two ever share one."""
    found = read_one("SELECT id::text FROM games_game WHERE code = %s ORDER BY created_at DESC LIMIT 1", [code])
    return found[0] if found else None


def _records(rules: str, events: str | None) -> list[Recorded]:
    """Rows of today's shape are read in one pass; where one of them is older, each goes its own way."""
    if events is None:
        return []
    try:
        rows = _today(rules).decode(events)
    except msgspec.ValidationError:
        return _upcast(rules, events)
    return [Recorded(row.version, row.data, row.at, row.meta.words, row.meta.base) for row in rows]


@lru_cache(maxsize=32)
def _today(rules: str) -> msgspec.json.Decoder[list[Any]]:
    """Reads rows as a union told apart by the event's type, which refuses every schema but today's."""
    kinds = [
        msgspec.defstruct(
            f"Stored_{kind}",
            [("version", int), ("schema", Literal[event.schema]), ("at", datetime), ("meta", _Meta), ("data", event)],
            array_like=True,
            frozen=True,
            tag=kind,
        )
        for kind, event in event_types(rules).items()
    ]
    return msgspec.json.Decoder(list[Union[tuple(kinds)]])  # type: ignore[misc]  # noqa: UP007  (made at run time)


def _upcast(rules: str, events: str) -> list[Recorded]:
    types = event_types(rules)
    return [
        Recorded(version, _typed(rules, types[kind], schema, data), at, meta.words, meta.base)
        for kind, version, schema, at, meta, data in _stored.decode(events)
    ]


def _typed(rules: str, wanted: type[Event], schema: int, data: msgspec.Raw) -> Event:
    if schema == wanted.schema:
        return msgspec.json.decode(data, type=wanted)
    owner = "" if wanted.type in life.LIFECYCLE else rules
    return msgspec.convert(upcast(owner, wanted.type, schema, wanted.schema, msgspec.json.decode(data)), wanted)
