"""A new installation with REPLI_EVENT_PARTITIONS: the same table in pieces, and no piece is a back door."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from psycopg import errors, sql

from tests.servers import CHECKOUT, TestServers, with_database
from tests.store.games import superuser
from tests.store.test_plans import STATEMENTS, plan
from tests.test_doctor import doctor

COUNT = 4
SHAPE = """
SELECT 'column', attname, format_type(atttypid, atttypmod) || attnotnull::text || attstorage::text
FROM pg_attribute WHERE attrelid = 'games_event'::regclass AND attnum > 0
UNION ALL SELECT 'index', c.relname, replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ')
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = 'games_event'::regclass
UNION ALL SELECT 'key', conname, pg_get_constraintdef(oid)
FROM pg_constraint WHERE conrelid = 'games_event'::regclass AND contype <> 'n'
UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'games_event'::regclass
ORDER BY 1, 2"""
PARTS = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'games_event'::regclass ORDER BY 1"
INSERT = (
    "INSERT INTO {} (game_id, version, type, schema, data, recorded_at, meta, hash)"
    " VALUES (%s, 1, 'game_created', 1, '{{}}', now(), '{{}}', '')"
)
DEEDS = {
    "SELECT": "SELECT * FROM {}",
    "INSERT": INSERT.replace("%s", "gen_random_uuid()"),
    "UPDATE": "UPDATE {} SET data = '[]'",
    "DELETE": "DELETE FROM {}",
    "TRUNCATE": "TRUNCATE {}",
}
CHANGES = [name for name in DEEDS if name not in {"SELECT", "INSERT"}]


@dataclass(frozen=True, kw_only=True)
class Installation:
    """A migrated database, by role, whose events have a row in every partition."""

    application: str
    owner: str
    parts: list[str]


@pytest.fixture(scope="module")
def parted(servers: TestServers) -> Iterator[Installation]:
    name = f"repli_parts_{uuid4().hex[:8]}"
    role = sql.Identifier(urlsplit(servers.migrate_database_url).username or "")
    application = with_database(servers.database_url, name)
    owner = with_database(servers.migrate_database_url, name)
    with superuser(servers) as above:
        above.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), role))
    try:
        migrate(application, owner, COUNT)
        with psycopg.connect(owner) as connection:
            parts = [part for (part,) in connection.execute(PARTS)]
        with psycopg.connect(application) as connection:
            for _ in range(40 * COUNT):
                connection.execute(INSERT.format("games_event").encode(), [uuid4()])
        yield Installation(application=application, owner=owner, parts=parts)
    finally:
        with superuser(servers) as above:
            above.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def migrate(application: str, owner: str, count: int) -> str:
    """What `migrate` says on a database."""
    settings = {"DATABASE_URL": application, "MIGRATE_DATABASE_URL": owner, "REPLI_EVENT_PARTITIONS": str(count)}
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "1"]
    done = subprocess.run(command, cwd=CHECKOUT, env=os.environ | settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_it_is_the_same_table(parted: Installation, servers: TestServers) -> None:
    with psycopg.connect(parted.owner) as here, psycopg.connect(servers.migrate_database_url) as there:
        assert here.execute(SHAPE).fetchall() == there.execute(SHAPE).fetchall()
        filled = here.execute("SELECT DISTINCT tableoid::regclass::text FROM games_event ORDER BY 1").fetchall()

    assert len(parted.parts) == COUNT
    assert [part for (part,) in filled] == parted.parts


@pytest.mark.parametrize("deed", CHANGES)
def test_the_application_cannot_change_the_table(parted: Installation, deed: str) -> None:
    refused(parted.application, DEEDS[deed].format("games_event"), errors.InsufficientPrivilege)


@pytest.mark.parametrize("deed", DEEDS)
def test_the_application_may_do_nothing_with_a_partition(parted: Installation, deed: str) -> None:
    for part in parted.parts:
        refused(parted.application, DEEDS[deed].format(part), errors.InsufficientPrivilege)


@pytest.mark.parametrize("deed", CHANGES)
def test_the_owner_is_refused_by_trigger(parted: Installation, deed: str) -> None:
    for table in ("games_event", *parted.parts):
        refused(parted.owner, DEEDS[deed].format(table), errors.RestrictViolation)


def refused(url: str, statement: str, error: type[psycopg.Error]) -> None:
    with psycopg.connect(url) as connection, pytest.raises(error):
        connection.execute(statement.encode())


@pytest.mark.parametrize("text", STATEMENTS.values(), ids=STATEMENTS)
def test_statements_go_by_index(parted: Installation, text: str) -> None:
    with psycopg.connect(parted.application) as connection:
        connection.execute("SET LOCAL enable_seqscan = off")
        steps = plan(connection, text)

    assert "Seq Scan on games_" not in steps
    assert "on games_" in steps


def test_a_table_with_events_stays_as_it_is_and_the_doctor_says_what_disagrees(parted: Installation) -> None:
    with psycopg.connect(parted.owner) as connection:
        connection.execute("DELETE FROM django_migrations WHERE app = 'games' AND name = '0007_partitions'")

    said = migrate(parted.application, parted.owner, COUNT * 2)

    assert "stays as it is" in said
    with psycopg.connect(parted.owner) as connection:
        assert [part for (part,) in connection.execute(PARTS)] == parted.parts
    urls = {"DATABASE_URL": parted.application, "MIGRATE_DATABASE_URL": parted.owner}
    for count, level in ((COUNT, "ok"), (COUNT * 2, "warning"), (0, "warning")):
        assert doctor(REPLI_EVENT_PARTITIONS=str(count), **urls)[1]["partitions"] == level


def test_the_suites_own_table_has_the_shape_that_the_setting_names(servers: TestServers) -> None:
    with psycopg.connect(servers.migrate_database_url) as connection:
        assert len(connection.execute(PARTS).fetchall()) == settings.REPLI.event_partitions
