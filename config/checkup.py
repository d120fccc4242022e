"""What `manage.py doctor` looks at, each finding in plain words.

Every check stands alone, changes nothing, and says what to do when something is wrong. URLs are never shown:
they hold passwords.
"""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import psycopg
import redis
from asgiref.sync import async_to_sync
from django.db.migrations.loader import MigrationLoader

from config.embedded import ports
from config.environment import SESSION, Environment
from config.supervision import stack

OLDEST_PYTHON = (3, 11)
OLDEST_POSTGRES = 150_000
OLDEST_REDIS = 7
START = "start the servers with `make run`"
SLOW_SWEEP = 5.0  # seconds
CLOCK_TOLERANCE = 2.0  # seconds

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One line of the report."""

    check: str
    level: Level
    text: str


def everything(environment: Environment) -> Iterator[Finding]:
    """All findings, in the order in which a person would put things right."""
    checks: tuple[Callable[[Environment], Iterator[Finding]], ...] = (_python, _data_folder, _database, _redis, _port)
    for check in checks:
        yield from check(environment)


def _python(_environment: Environment) -> Iterator[Finding]:
    new_enough = sys.version_info >= OLDEST_PYTHON
    text = f"Python {sys.version.split()[0]}" + ("" if new_enough else "; 3.11 or newer is needed")
    yield Finding(check="python", level="ok" if new_enough else "error", text=text)
    yield Finding(check="settings", level="ok", text="every setting in the environment can be read")


def _data_folder(environment: Environment) -> Iterator[Finding]:
    folder = environment.data_dir.expanduser().resolve()
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if os.access(there, os.W_OK | os.X_OK):
        state = "can be written" if there == folder else "can be made"
        yield Finding(check="data folder", level="ok", text=f"{folder} {state}")
    else:
        yield Finding(check="data folder", level="error", text=f"{there} cannot be written: set REPLI_DATA_DIR")


def _database(environment: Environment) -> Iterator[Finding]:
    if not environment.database_url and not _has_state(environment, "database_url"):
        yield Finding(check="database", level="error", text=f"DATABASE_URL is not set and none is embedded: {START}")
        return
    try:
        session = SESSION if environment.prepared_statements else ""
        with psycopg.connect(environment.application_database, connect_timeout=5, options=session) as connection:
            yield from _about_database(connection)
            yield from _about_plans(connection, prepared=environment.prepared_statements)
            yield from _about_partitions(connection, environment.event_partitions)
    except psycopg.Error as error:
        remedy = "check DATABASE_URL" if environment.database_url else START
        yield Finding(check="database", level="error", text=f"no connection ({_first_line(error)}): {remedy}")
        return
    yield from _migrations(environment)


def _about_database(connection: psycopg.Connection) -> Iterator[Finding]:
    version = connection.info.server_version
    level: Level = "ok" if version >= OLDEST_POSTGRES else "error"
    needed = "" if level == "ok" else "; 15 or newer is needed"
    yield Finding(check="database", level=level, text=f"PostgreSQL {version // 10_000}{needed}")
    yield from _powers(connection)
    row = connection.execute("SELECT clock_timestamp()").fetchone()
    apart = abs((datetime.now(UTC) - row[0]).total_seconds()) if row else 0.0
    if apart > CLOCK_TOLERANCE:
        text = f"the database's clock and ours are {apart:.0f} s apart: deadlines would be off; synchronise them"
        yield Finding(check="clock", level="warning", text=text)
    else:
        yield Finding(check="clock", level="ok", text="the database's clock and ours agree")


def _powers(connection: psycopg.Connection) -> Iterator[Finding]:
    """The application should be unable to rewrite history: neither superuser nor owner of the tables."""
    row = connection.execute(
        "SELECT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),"
        " (SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tableowner = current_user)"
    ).fetchone()
    superuser, owned = row or (False, 0)
    if superuser or owned:
        what = "is a superuser" if superuser else f"owns {owned} tables"
        advice = "use another role in DATABASE_URL and name the owner in MIGRATE_DATABASE_URL"
        text = f"the application's role {what} and could switch off what protects the events: {advice}"
        yield Finding(check="privileges", level="warning", text=text)
    else:
        yield Finding(check="privileges", level="ok", text="the application's role owns no table")


def _about_plans(connection: psycopg.Connection, *, prepared: bool) -> Iterator[Finding]:
    """Whether plans that are kept go by index; a pooler may have dropped what we ask of a session at its start."""
    row = connection.execute("SHOW enable_seqscan").fetchone()
    if prepared and row != ("off",):
        text = (
            "statements are prepared, and a pooler drops what we ask of the session: give it to the application's role"
            " (ALTER ROLE … SET enable_seqscan = off), or set REPLI_PREPARED_STATEMENTS=false"
        )
        yield Finding(check="plans", level="warning", text=text)
    else:
        kept = "kept, and go by index" if prepared else "made anew for each statement"
        yield Finding(check="plans", level="ok", text=f"the database's plans are {kept}")


def _about_partitions(connection: psycopg.Connection, wanted: int) -> Iterator[Finding]:
    """Whether the events' table has the shape that the setting names; nothing where there is no table yet."""
    row = connection.execute(
        "SELECT to_regclass('games_event'),"
        " (SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass('games_event'))"
    ).fetchone()
    if row is None or row[0] is None:
        return
    shape = f"the events are in {row[1]} partitions" if row[1] else "the events are in one plain table"
    if row[1] == wanted:
        yield Finding(check="partitions", level="ok", text=shape)
        return
    text = (
        f"{shape}, and REPLI_EVENT_PARTITIONS is {wanted}, which is read when the table is made and changes nothing"
        f" later: set it to {row[1]}, or move the events (README, Growth)"
    )
    yield Finding(check="partitions", level="warning", text=text)


def _migrations(environment: Environment) -> Iterator[Finding]:
    wanted = set(MigrationLoader(None).disk_migrations)
    try:
        with psycopg.connect(environment.owner_database, connect_timeout=5) as connection:
            applied = set(connection.execute("SELECT app, name FROM django_migrations").fetchall())
    except psycopg.errors.UndefinedTable:
        applied = set()
    except psycopg.Error as error:
        yield Finding(check="migrations", level="warning", text=f"cannot be looked up ({_first_line(error)})")
        return
    missing = len(wanted - applied)
    if missing:
        text = f"{missing} not applied: run `.venv/bin/python manage.py migrate`"
        yield Finding(check="migrations", level="error", text=text)
    else:
        yield Finding(check="migrations", level="ok", text="all applied")


def _redis(environment: Environment) -> Iterator[Finding]:
    if not environment.redis_url and not _has_state(environment, "redis_url"):
        yield Finding(check="redis", level="error", text=f"REDIS_URL is not set and none is embedded: {START}")
        return
    try:
        with redis.Redis.from_url(environment.redis, socket_timeout=5, socket_connect_timeout=5) as client:
            facts = client.info("server")
    except (redis.RedisError, OSError) as error:
        remedy = "check REDIS_URL" if environment.redis_url else START
        yield Finding(check="redis", level="error", text=f"no connection ({_first_line(error)}): {remedy}")
        return
    valkey = facts.get("valkey_version")
    version = str(valkey or facts.get("redis_version"))
    name = "Valkey" if valkey else "Redis"
    if int(version.split(".", maxsplit=1)[0]) < OLDEST_REDIS:
        yield Finding(check="redis", level="error", text=f"{name} {version}; 7 or newer is needed")
    else:
        yield Finding(check="redis", level="ok", text=f"{name} {version}")


def _port(environment: Environment) -> Iterator[Finding]:
    host, port = environment.host, environment.port
    try:
        taken = ports.taken(host, port)
    except OSError as error:
        text = f"cannot listen on {host}, port {port} ({error.strerror}): set HOST and PORT"
        yield Finding(check="port", level="error", text=text)
        return
    if not taken:
        yield Finding(check="port", level="ok", text=f"{port} on {host} is free")
    elif async_to_sync(stack.healthy)(host, port):
        yield Finding(check="port", level="ok", text=f"Repli answers at {stack.address(host, port)}")
        yield _sweep(environment)
    else:
        text = f"{port} on {host} is taken by another program: make run PORT={port + 100}"
        yield Finding(check="port", level="error", text=text)


def _sweep(environment: Environment) -> Finding:
    """Deadlines and bots depend on worker and beat; asked only where the web process runs."""
    age = async_to_sync(stack.age_of_sweep)(environment.redis)
    if age is None or age > SLOW_SWEEP:
        when = "was never seen" if age is None else f"was last seen {age:.0f} s ago"
        text = f"the sweep {when}: deadlines and bots stand still; are worker and beat running?"
        return Finding(check="sweep", level="warning", text=text)
    return Finding(
        check="sweep", level="ok", text=f"deadlines and bots are looked after (last {max(age, 0):.1f} s ago)"
    )


def _has_state(environment: Environment, name: str) -> bool:
    path: Path = environment.data_dir / "servers.json"
    try:
        return name in path.read_text(encoding="utf-8")
    except OSError:
        return False


def _first_line(error: Exception) -> str:
    """The error's own words, on one line; drivers do not put passwords into them."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
