"""Games in the real store, in few words."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import psycopg
from uuid_utils import uuid7

from games.rules import lifecycle as life
from games.rules import play
from games.rules.stream import commitment
from games.store.append import Append, Appended, Cause, append, blank, create, prepare
from games.store.cache import Loaded
from games.store.load import load
from games.store.receipts import NO_GAME, Receipt
from tests.servers import TestServers
from tests.store.counting import COUNTING, Say

LATER = timedelta(hours=1)


def new_id() -> str:
    return str(uuid7())


def now() -> datetime:
    return datetime.now(UTC)


def receipt(player: str, key: str, *, game_id: str = NO_GAME, operation: str = "move", body: bytes = b"{}") -> Receipt:
    return Receipt(
        player_id=player, operation=operation, key=key, game_id=game_id, body_hash=b"h" * 32, status=201, body=body
    )


def creation(
    players: Sequence[str], *, until: int = 1000, asked: Receipt | None = None, due_at: datetime | None = None
) -> Append:
    """A game of counting about to be created, all seats taken: one event, and one for each seat."""
    seed = secrets.token_bytes(32)
    before = blank(new_id(), seed)
    created = life.GameCreated(
        rules=COUNTING.key,
        options={"until": until},
        seats=len(players),
        visibility="private",  # no list shows them: they have no view
        mode="casual",
        commitment=commitment(seed),
    )
    taken = [life.SeatTaken(seat=seat, player_id=player) for seat, player in enumerate(players)]
    move = play.record(before.table, [created, *taken], now())
    return prepare(before, move, due_at=due_at, receipt=asked)


def waiting(players: Sequence[str] = (), *, until: int = 1000, due_at: datetime | None = None) -> Loaded:
    """A created game whose seats are taken; two players give three events."""
    first = creation(players or [new_id(), new_id()], until=until, due_at=due_at)
    assert isinstance(create(first, secrets.token_hex(4)), Appended)
    return current(first.game_id)


def running(players: Sequence[str] = (), *, until: int = 1000, due_at: datetime | None = None) -> Loaded:
    """A game that has started, which gives two more events."""
    game = waiting(players, until=until)
    move = play.start(game.table, game.seed, now())
    assert append([prepare(game, move, due_at=due_at)])
    return current(game.table.id)


def current(game_id: str) -> Loaded:
    loaded = load(game_id)
    assert loaded is not None
    return loaded


def saying(game: Loaded, words: str, *, due_at: datetime | None = None) -> Append:
    """The next seat's `say`, prepared: two events."""
    seat = game.table.to_act[0]
    move = play.act(game.table, seat, Say(words=words), game.seed, now())
    cause = Cause(by="player", seat=seat, action={"type": "say", "words": words})
    return prepare(game, move, due_at=due_at, cause=cause)


def say(game: Loaded, *words: str) -> Loaded:
    """Several moves, written."""
    for each in words:
        assert append([saying(game, each)])
        game = current(game.table.id)
    return game


def superuser(servers: TestServers) -> psycopg.Connection:
    return psycopg.connect(servers.superuser_database_url, autocommit=True)


def break_connection(servers: TestServers, connected: psycopg.Connection | psycopg.AsyncConnection) -> None:
    """End the connection's backend, as a restart of the server would; behind a pooler, cut the way to the pooler."""
    ours = (
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid = %s AND datname = current_database()"
    )
    with superuser(servers) as other:
        ended = other.execute(ours, [connected.info.backend_pid]).fetchone()
    if ended is None:  # a pooler answers with a number of its own
        with socket.socket(fileno=os.dup(connected.fileno())) as way:
            way.shutdown(socket.SHUT_RDWR)
