"""Privileges are given again after every migration, to tables that are new as well."""

import secrets
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper
from psycopg import sql

from config.environment import Environment
from config.settings import database
from games.store import grants
from tests.servers import TestServers


@pytest.fixture
def as_owner(servers: TestServers) -> Any:
    """Django's second connection, as the one who migrates."""
    options = {"TIME_ZONE": None, "CONN_HEALTH_CHECKS": False, "AUTOCOMMIT": True, "ATOMIC_REQUESTS": False}
    connections["owner"] = DatabaseWrapper({**options, **database(servers.migrate_database_url)}, "owner")
    yield "owner"
    connections["owner"].close()
    del connections["owner"]


def test_a_new_table_is_open_to_the_application_after_the_next_migration(servers: TestServers, as_owner: str) -> None:
    table = sql.Identifier(f"grants_{secrets.token_hex(4)}")
    with psycopg.connect(servers.migrate_database_url, autocommit=True) as owner:
        owner.execute(sql.SQL("CREATE TABLE {} (x int)").format(table))
        try:
            grants.after_migrate(using=as_owner)

            with psycopg.connect(servers.database_url) as application:
                application.execute(sql.SQL("INSERT INTO {} VALUES (1)").format(table))
                application.execute(sql.SQL("UPDATE {} SET x = 2").format(table))
        finally:
            owner.execute(sql.SQL("DROP TABLE {}").format(table))


def test_an_application_that_migrates_itself_is_left_as_it_is() -> None:
    grants.after_migrate(using="default")


def test_a_role_that_does_not_exist_is_said_so(
    as_owner: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody-here@127.0.0.1/repli")
    monkeypatch.setattr(settings, "REPLI", Environment())

    grants.after_migrate(using=as_owner)

    assert "nobody-here" in caplog.text
