"""The audit: recomputes every chain from the stored bytes, and compares heads that were kept outside the database.

Invariant: memory is bounded whatever the number of games and events; each page is read under one snapshot, so that
games may go on meanwhile. A chain alone shows what was altered, taken out or cut off; who can rewrite everything, the
game's row included, or remove a whole game, is only seen by heads that were exported before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby, islice
from typing import NamedTuple

import msgspec
from django.db import connection, transaction

from games.rules import chain
from games.store.connection import execute, rows

GAMES = 200
EVENTS = 2000
HEADS = 500
FIRST_ID = "00000000-0000-0000-0000-000000000000"
LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff"


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The chain's link of a game at a version; one line of an exported file."""

    game_id: str
    version: int
    head: str


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """The first version of a game at which something is wrong, and what."""

    game_id: str
    version: int
    problem: str


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was looked at: its head where all is well, else the finding."""

    game_id: str
    events: int
    head: Head | None = None
    finding: Finding | None = None


class _Game(NamedTuple):
    id: str
    version: int
    seed: bytes
    head: bytes


class _Event(NamedTuple):
    game_id: str
    version: int
    type: str
    at: datetime
    data: str
    hash: bytes


def count() -> int:
    """How many games there are to check."""
    return int(rows("SELECT count(*) FROM games_game")[0][0])


def check_all() -> Iterator[Checked]:
    """Every game, and every stream of events without one, in the order of ids."""
    after = FIRST_ID
    while after != LAST_ID:
        with _snapshot():
            games = _games(after)
            last = games[-1].id if len(games) == GAMES else LAST_ID
            page = list(_check_page(games, after, last))
        yield from page
        after = last


def check_game(game_id: str) -> Checked | None:
    """One game; None where nothing is stored of it."""
    with _snapshot():
        found = rows("SELECT id::text, version, seed, head FROM games_game WHERE id = %s", [game_id])
        games = [_Game(*each) for each in found]
        return next(_check_page(games, game_id, game_id), None)


def compare(kept: Iterable[Head]) -> Iterator[tuple[Head, Finding | None]]:
    """Each head that was kept outside, with what is wrong with its game now."""
    heads = iter(kept)
    while page := list(islice(heads, HEADS)):
        yield from zip(page, _compare_page(page), strict=True)


# --- the chain alone --------------------------------------------------------------------------------------------


@contextmanager
def _snapshot() -> Iterator[None]:
    with transaction.atomic():
        if len(connection.savepoint_ids) == 0:
            execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def _games(after: str) -> list[_Game]:
    found = rows(
        "SELECT id::text, version, seed, head FROM games_game WHERE id > %s ORDER BY id LIMIT %s", [after, GAMES]
    )
    return [_Game(*each) for each in found]


def _events(first: str, after_version: int, last: str) -> Iterator[_Event]:
    """Events of ids from `first` (those past that version) to `last`, page by page."""
    while True:
        found = rows(
            "SELECT game_id::text, version, type, recorded_at, data::text, hash FROM games_event"
            " WHERE (game_id, version) > (%s, %s) AND game_id <= %s ORDER BY game_id, version LIMIT %s",
            [first, after_version, last, EVENTS],
        )
        events = [_Event(*each) for each in found]
        yield from events
        if len(events) < EVENTS:
            return
        first, after_version = events[-1].game_id, events[-1].version


def _check_page(games: list[_Game], first: str, last: str) -> Iterator[Checked]:
    """The games, and streams without one, with first < id ≤ last; the one game where first = last."""
    after_version = -(2**31) if first == last else 2**31 - 1
    expected = iter(games)
    game = next(expected, None)
    for game_id, events in groupby(_events(first, after_version, last), key=lambda event: event.game_id):
        while game is not None and game.id < game_id:
            yield _check(game, iter(()))
            game = next(expected, None)
        if game is None or game.id != game_id:
            version = next(events).version
            finding = Finding(game_id=game_id, version=version, problem="events without their game")
            yield Checked(game_id=game_id, events=0, finding=finding)
            continue
        yield _check(game, events)
        game = next(expected, None)
    while game is not None:
        yield _check(game, iter(()))
        game = next(expected, None)


def _check(game: _Game, events: Iterator[_Event]) -> Checked:
    seed, head, version = bytes(game.seed), chain.ZERO, 0
    for event in events:
        if event.version != version + 1:
            return _found(game, version + 1, "missing event")
        version, data = event.version, event.data.encode()
        head = chain.link(head, seed, version, chain.stored(version, event.type, event.at, data))
        if head != event.hash:
            return _found(game, version, "altered event")
        if version == 1 and not _committed(data, seed):
            return _found(game, version, "the seed is not the one committed to")
    if version < game.version:
        return _found(game, version + 1, "missing event at the end")
    if version > game.version:
        return _found(game, game.version + 1, "event past the game's version")
    if head != game.head:
        return _found(game, version, "the game's head is not the chain's")
    return Checked(game_id=game.id, events=version, head=Head(game_id=game.id, version=version, head=head.hex()))


def _found(game: _Game, version: int, problem: str) -> Checked:
    finding = Finding(game_id=game.id, version=version, problem=problem)
    return Checked(game_id=game.id, events=version, finding=finding)


class _Created(msgspec.Struct, frozen=True):
    commitment: str = ""


def _committed(data: bytes, seed: bytes) -> bool:
    try:
        created = msgspec.json.decode(data, type=_Created)
    except msgspec.DecodeError:
        return False
    return created.commitment == hashlib.sha256(seed).hexdigest()


# --- with heads from outside --------------------------------------------------------------------------------------


def _compare_page(page: list[Head]) -> list[Finding | None]:
    found = rows(
        "SELECT (SELECT max(e.version) FROM games_event e WHERE e.game_id = x.game_id),"
        " (SELECT e.hash FROM games_event e WHERE e.game_id = x.game_id AND e.version = x.version)"
        " FROM unnest(%s::uuid[], %s::int[]) WITH ORDINALITY AS x(game_id, version, n) ORDER BY n",
        [[each.game_id for each in page], [each.version for each in page]],
    )
    return [_difference(kept, last, link) for kept, (last, link) in zip(page, found, strict=True)]


def _difference(kept: Head, last: int | None, link: bytes | None) -> Finding | None:
    if last is None:
        return Finding(game_id=kept.game_id, version=1, problem="lost game")
    if last < kept.version:
        return Finding(game_id=kept.game_id, version=last + 1, problem="lost tail")
    if link is None or bytes(link).hex() != kept.head:
        return Finding(game_id=kept.game_id, version=kept.version, problem="rewritten at or before this version")
    return None
