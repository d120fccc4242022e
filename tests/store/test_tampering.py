"""Done when 4: what somebody above triggers and privileges can do, and which audit names it.

The table that these tests make is printed at their end. Every tampered game is put back afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import psycopg
import pytest
from django.db import connection

from games.rules import chain
from games.store import verify
from games.store.verify import Finding, Head
from tests.servers import TestServers
from tests.store.games import running, say, superuser

Database = psycopg.Connection[Any]
LAST = 13  # three events before the start, two at it, two for each of four moves


class Tampering(NamedTuple):
    what: str
    deed: Callable[[Database, str], None]
    alone: tuple[int, str] | None  # first bad version, problem
    with_heads: tuple[int, str] | None


def altered(database: Database, game_id: str) -> None:
    database.execute(
        "UPDATE games_event SET data = replace(data::text, 'three', 'seven')::json WHERE game_id = %s AND version = 10",
        [game_id],
    )


def retimed(database: Database, game_id: str) -> None:
    database.execute(
        "UPDATE games_event SET recorded_at = recorded_at - interval '1 ms' WHERE game_id = %s AND version = 8",
        [game_id],
    )


def middle_deleted(database: Database, game_id: str) -> None:
    database.execute("DELETE FROM games_event WHERE game_id = %s AND version = 7", [game_id])


def last_deleted(database: Database, game_id: str) -> None:
    database.execute("DELETE FROM games_event WHERE game_id = %s AND version = %s", [game_id, LAST])


def tail_cut_off(database: Database, game_id: str) -> None:
    """The last move is gone, and the game's row pretends that it never was."""
    database.execute("DELETE FROM games_event WHERE game_id = %s AND version > %s", [game_id, LAST - 2])
    database.execute(
        "UPDATE games_game g SET version = e.version, head = e.hash FROM games_event e"
        " WHERE g.id = %s AND e.game_id = g.id AND e.version = %s",
        [game_id, LAST - 2],
    )


def row_deleted(database: Database, game_id: str) -> None:
    database.execute("DELETE FROM games_game WHERE id = %s", [game_id])


def events_deleted(database: Database, game_id: str) -> None:
    database.execute("DELETE FROM games_event WHERE game_id = %s", [game_id])


def game_deleted(database: Database, game_id: str) -> None:
    events_deleted(database, game_id)
    row_deleted(database, game_id)


def rewritten(database: Database, game_id: str, *, row_too: bool = True) -> None:
    """One word differs from version 8 on, and every hash is computed anew."""
    altered_text = "UPDATE games_event SET data = replace(data::text, 'two', 'ten')::json WHERE game_id = %s"
    database.execute(altered_text, [game_id])
    ((seed,),) = database.execute("SELECT seed FROM games_game WHERE id = %s", [game_id]).fetchall()
    events = database.execute(
        "SELECT version, type, recorded_at, data::text FROM games_event WHERE game_id = %s ORDER BY version", [game_id]
    )
    link = chain.ZERO
    for version, kind, at, data in events.fetchall():
        link = chain.link(link, seed, version, chain.stored(version, kind, at, data.encode()))
        database.execute(
            "UPDATE games_event SET hash = %s WHERE game_id = %s AND version = %s", [link, game_id, version]
        )
    if row_too:
        database.execute("UPDATE games_game SET head = %s WHERE id = %s", [link, game_id])


def rewritten_but_for_the_row(database: Database, game_id: str) -> None:
    rewritten(database, game_id, row_too=False)


def another_seed(database: Database, game_id: str) -> None:
    """A seed that would have dealt other cards, with every hash computed anew."""
    database.execute("UPDATE games_game SET seed = sha256(seed) WHERE id = %s", [game_id])
    rewritten(database, game_id)


TAMPERINGS = (
    Tampering("an altered event", altered, (10, "altered event"), None),
    Tampering("an event at another time", retimed, (8, "altered event"), None),
    Tampering("a deleted middle event", middle_deleted, (7, "missing event"), None),
    Tampering("a deleted last event", last_deleted, (LAST, "missing event at the end"), (LAST, "lost tail")),
    Tampering("a cut tail, row adjusted", tail_cut_off, None, (LAST - 1, "lost tail")),
    Tampering("a game's row deleted", row_deleted, (1, "events without their game"), None),
    Tampering("a game's events deleted", events_deleted, (1, "missing event at the end"), (1, "lost game")),
    Tampering("a deleted game", game_deleted, None, (1, "lost game")),
    Tampering("rewritten, hashes recomputed", rewritten, None, (LAST, "rewritten at or before this version")),
    Tampering(
        "the same, but for the row",
        rewritten_but_for_the_row,
        (LAST, "the game's head is not the chain's"),
        (LAST, "rewritten at or before this version"),
    ),
    Tampering(
        "another seed, hashes recomputed",
        another_seed,
        (1, "the seed is not the one committed to"),
        (LAST, "rewritten at or before this version"),
    ),
)


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[list[tuple[str, str, str]]]:
    """What was found, printed as a table once all have run."""
    lines: list[tuple[str, str, str]] = []
    yield lines
    plugins = request.config.pluginmanager
    reporter: Any = plugins.get_plugin("terminalreporter")
    capture: Any = plugins.get_plugin("capturemanager")
    with capture.global_and_fixture_disabled():
        reporter.write_line("")
        for what, alone, kept in [("tampering", "verify_events alone", "with exported heads"), *lines]:
            reporter.write_line(f"| {what:<32} | {alone:<52} | {kept:<52} |")


@pytest.fixture
def database(servers: TestServers) -> Iterator[Database]:
    """A superuser's connection on which triggers are off."""
    with superuser(servers) as connected:
        connected.execute("SET session_replication_role = replica")
        yield connected


@pytest.fixture
def game_id(database: Database) -> Iterator[str]:
    """A game of four moves, as it was before whatever is done to it."""
    game_id = say(running(), "one", "two", "three", "four").table.id
    copies = {"games_event": "game_id", "games_game": "id"}
    for name, key in copies.items():
        database.execute(f"CREATE TEMP TABLE kept_{name} AS SELECT * FROM {name} WHERE {key} = %s".encode(), [game_id])
    yield game_id
    for name, key in copies.items():
        database.execute(f"DELETE FROM {name} WHERE {key} = %s".encode(), [game_id])
        database.execute(f"INSERT INTO {name} SELECT * FROM kept_{name}".encode())
        database.execute(f"DROP TABLE kept_{name}".encode())


def _alone(game_id: str) -> Finding | None:
    """What a walk over all games says of this one."""
    findings = [each.finding for each in verify.check_all() if each.finding]
    assert {each.game_id for each in findings} <= {game_id}
    return findings[0] if findings else None


@pytest.mark.parametrize("tampering", TAMPERINGS, ids=lambda each: each.what)
def test_what_was_tampered_with_is_named(
    database: Database, game_id: str, table: list[tuple[str, str, str]], tampering: Tampering
) -> None:
    before = verify.check_game(game_id)
    assert before is not None
    assert before.head is not None
    kept = [Head(game_id=game_id, version=LAST, head=before.head.head)]
    assert [finding for _, finding in verify.compare(kept)] == [None]

    tampering.deed(database, game_id)
    alone = _alone(game_id)
    ((_, compared),) = verify.compare(kept)

    table.append((tampering.what, _said(alone), _said(compared)))
    assert alone == _expected(game_id, tampering.alone)
    assert compared == _expected(game_id, tampering.with_heads)
    assert alone or compared, "nothing goes unseen"


def _expected(game_id: str, found: tuple[int, str] | None) -> Finding | None:
    return None if found is None else Finding(game_id=game_id, version=found[0], problem=found[1])


def _said(finding: Finding | None) -> str:
    return f"…{finding.game_id[-6:]} v{finding.version}: {finding.problem}" if finding else "not seen"


def test_a_row_put_back_to_an_earlier_version_is_seen(database: Database, game_id: str) -> None:
    database.execute("UPDATE games_game SET version = 5 WHERE id = %s", [game_id])

    assert _alone(game_id) == Finding(game_id=game_id, version=6, problem="event past the game's version")


def test_a_first_event_that_is_no_creation_is_seen(database: Database, game_id: str) -> None:
    database.execute("UPDATE games_event SET data = '[1]' WHERE game_id = %s AND version = 1", [game_id])
    rewritten(database, game_id)

    assert _alone(game_id) == Finding(game_id=game_id, version=1, problem="the seed is not the one committed to")


def test_one_game_can_be_looked_at_alone(database: Database, game_id: str) -> None:
    altered(database, game_id)

    checked = verify.check_game(game_id)

    assert checked is not None
    assert checked.finding == Finding(game_id=game_id, version=10, problem="altered event")
    database.execute("DELETE FROM games_game WHERE id = %s", [game_id])
    orphan = verify.check_game(game_id)
    assert orphan is not None
    assert orphan.finding == Finding(game_id=game_id, version=1, problem="events without their game")


def test_a_walk_in_small_pages_sees_the_same(database: Database, game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    events_deleted(database, game_id)
    later = running().table.id
    whole = list(verify.check_all())
    assert [each.game_id for each in whole][-2:] == [game_id, later]
    monkeypatch.setattr(verify, "GAMES", 3)
    monkeypatch.setattr(verify, "EVENTS", 4)

    assert list(verify.check_all()) == whole
    assert len(whole) == verify.count()
    assert whole[-2].finding == Finding(game_id=game_id, version=1, problem="missing event at the end")
    assert connection.in_atomic_block is False
