"""A database is backed up, destroyed and restored by the scripts of deploy/backup: the same games, still protected."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

import psycopg
import pytest
from psycopg import errors, sql

from config import libpq
from config.embedded.trouble import Trouble
from config.environment import ROOT, Environment
from tests.servers import TestServers

pytestmark = pytest.mark.timeout(400)  # a dozen processes, one after the other
PASSWORD = "p@ss:w/rd '%s' #"  # a name of no file, and nothing that a shell or a URL leaves alone


@dataclass(frozen=True, kw_only=True)
class Place:
    """A database and roles of this test's own, made by the scripts' own means."""

    name: str
    superuser: str
    environment: dict[str, str]
    secret: str

    @property
    def application(self) -> str:
        return self.environment["DATABASE_URL"]

    @property
    def owner(self) -> str:
        return self.environment["MIGRATE_DATABASE_URL"]

    def run(self, *command: str | Path, code: int = 0, **more: str) -> str:
        """What a program says, all of it; never a password."""
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment | more, capture_output=True, text=True, timeout=110, check=False
        )
        said = done.stdout + done.stderr
        assert done.returncode == code, said
        assert self.secret not in said
        return said if code else done.stdout.strip()

    def python(self, *arguments: str) -> str:
        return self.run(sys.executable, *arguments)

    def destroy(self) -> None:
        """The database and its roles are gone."""
        owner, application = (sql.Identifier(str(urlsplit(url).username)) for url in (self.owner, self.application))
        with psycopg.connect(self.superuser, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(self.name)))
            for role in (application, owner):
                connection.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(role))


@pytest.fixture(scope="module")
def place(servers: TestServers) -> Iterator[Place]:
    mark, secret = secrets.token_hex(4), secrets.token_hex(8)
    parts = urlsplit(servers.superuser_database_url)
    with psycopg.connect(servers.superuser_database_url) as connection:
        row = connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    if row != (True,):
        pytest.skip("SUPERUSER_DATABASE_URL is no superuser's: databases and roles cannot be made here")

    def url(role: str) -> str:
        password = quote(secret + PASSWORD, safe="")
        return f"postgresql://{role}_{mark}:{password}@{parts.hostname}:{parts.port}/backup_{mark}?application_name=it"

    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "DJANGO_"))}
    environment |= servers.variables | {
        "DATABASE_URL": url("app"),
        "MIGRATE_DATABASE_URL": url("owner"),
        "SUPERUSER_DATABASE_URL": servers.superuser_database_url,
        "REPLI_PYTHON": sys.executable,
        "REPLI_THROTTLE": "false",
        "REPLI_ALLOWED_HOSTS": "testserver",
    }
    made = Place(
        name=f"backup_{mark}", superuser=servers.superuser_database_url, environment=environment, secret=secret
    )
    try:
        made.python("-m", "config.libpq", "prepare")
        made.python("manage.py", "migrate", "--verbosity", "0")
        yield made
    finally:
        made.destroy()


@pytest.fixture(scope="module")
def spoken(place: Place, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every command line of PostgreSQL's programs, as others could read it; all of this is skipped without programs."""
    folder = tmp_path_factory.mktemp("tools")
    try:
        tools = libpq.tools(folder, Environment().model_copy(update={"migrate_database_url": place.owner}))
    except Trouble as trouble:
        pytest.skip(str(trouble))
    spoken = folder / "spoken"
    for name in libpq.PROGRAMS:
        shim = folder / name
        shim.write_text(f'#!/bin/bash\nprintf "%s\\n" "{name} $*" >>"{spoken}"\nexec "{tools / name}" "$@"\n', "utf-8")
        shim.chmod(0o755)
    place.environment["REPLI_PG_BIN"] = str(folder)
    return spoken


@pytest.fixture(scope="module")
def begun(place: Place, spoken: Path) -> dict[str, str]:
    """A finished, an aborted, a waiting and a running game."""
    known: dict[str, str] = json.loads(place.python("-m", "tests.operating.life", "begin").splitlines()[-1])
    return known


@pytest.fixture(scope="module")
def backup(place: Place, begun: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(place.run("deploy/backup/backup.sh", tmp_path_factory.mktemp("backups") / "new"))


def heads(place: Place) -> list[dict[str, object]]:
    """Where all games stand now."""
    with psycopg.connect(place.owner) as connection:
        found = connection.execute(
            "SELECT id::text, version, encode(head, 'hex') FROM games_game ORDER BY id"
        ).fetchall()
    return [dict(zip(("game_id", "version", "head"), row, strict=True)) for row in found]


def kept(backup: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (backup / "heads.jsonl").read_text("utf-8").splitlines()]


def test_heads_are_those_of_the_audit(place: Place, backup: Path, tmp_path: Path) -> None:
    place.python("manage.py", "verify_events", "--export-heads", str(tmp_path / "heads"))

    assert (tmp_path / "heads").read_bytes() == (backup / "heads.jsonl").read_bytes()
    assert len(kept(backup)) == 4


def test_a_backup_is_for_nobody_else(backup: Path) -> None:
    assert sorted(each.name for each in backup.parent.iterdir()) == [backup.name]
    assert sorted(each.name for each in backup.iterdir()) == ["SHA256SUMS", "database.dump", "heads.jsonl"]
    assert {each.stat().st_mode & 0o077 for each in (backup, *backup.iterdir())} == {0}


def test_a_database_that_holds_tables_is_not_touched_unasked(place: Place, backup: Path) -> None:
    before = heads(place)

    assert "--overwrite" in place.run("deploy/backup/restore.sh", backup, code=1)
    with psycopg.connect(place.owner):
        assert "other sessions" in place.run("deploy/backup/restore.sh", "--overwrite", backup, code=1)

    assert heads(place) == before


def test_a_damaged_backup_is_refused(place: Place, backup: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    for each in backup.iterdir():
        (damaged / each.name).write_bytes(each.read_bytes())
    (damaged / "database.dump").write_bytes((backup / "database.dump").read_bytes()[:-1])

    assert "damaged" in place.run("deploy/backup/restore.sh", "--overwrite", damaged, code=1)


def test_a_dump_that_breaks_off_changes_nothing(place: Place, backup: Path, tmp_path: Path) -> None:
    before, half = heads(place), tmp_path / "half"
    half.mkdir()
    dump = (backup / "database.dump").read_bytes()
    (half / "database.dump").write_bytes(dump[: len(dump) - 200])
    (half / "heads.jsonl").write_bytes((backup / "heads.jsonl").read_bytes())
    place.run("bash", "-c", f"cd '{half}' && sha256sum database.dump heads.jsonl > SHA256SUMS")

    assert "nothing was changed" in place.run("deploy/backup/restore.sh", "--overwrite", half, code=1)

    assert heads(place) == before


def test_what_was_destroyed_comes_back_and_goes_on(
    place: Place, begun: dict[str, str], backup: Path, spoken: Path, tmp_path: Path
) -> None:
    place.destroy()

    said = place.run("deploy/backup/restore.sh", backup)

    assert "4 games, the same chain heads" in said
    assert heads(place) == kept(backup)
    _is_protected(place)
    assert int(place.python("-m", "tests.operating.life", "go-on", begun["game"], begun["player"])) > 3
    assert heads(place) != kept(backup)

    place.run("deploy/backup/restore.sh", "--overwrite", backup)

    assert heads(place) == kept(backup)
    _is_protected(place)
    again = Path(place.run("deploy/backup/backup.sh", tmp_path / "again"))
    assert kept(again) == kept(backup)
    lines = spoken.read_text("utf-8")
    assert {line.split()[0] for line in lines.splitlines() if line.split()} >= set(libpq.PROGRAMS)
    assert place.secret not in lines, "a password stood on a command line"


def _is_protected(place: Place) -> None:
    for table in ("games_event", "games_feed", "games_applied", "accounts_audit", "rankings_adjustment"):
        refused(place.application, f"DELETE FROM {table}", errors.InsufficientPrivilege)
        refused(place.application, f"TRUNCATE {table}", errors.InsufficientPrivilege)
        refused(place.owner, f"TRUNCATE {table}", errors.RestrictViolation)
    for statement in ("UPDATE games_event SET data = '{}'", "UPDATE accounts_audit SET reason = ''"):
        refused(place.application, statement, errors.InsufficientPrivilege)
        refused(place.owner, statement, errors.RestrictViolation)


def test_an_older_pg_dump_is_not_taken(place: Place, tmp_path: Path) -> None:
    for name in libpq.PROGRAMS:
        (tmp_path / name).write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 14.3 (Debian)'\n", "utf-8")
        (tmp_path / name).chmod(0o755)

    said = place.run("deploy/backup/backup.sh", tmp_path / "none", code=1, REPLI_PG_BIN=str(tmp_path))

    assert "at least as new as the server" in said


def refused(url: str, statement: str, error: type[psycopg.Error]) -> None:
    with psycopg.connect(url) as connection, pytest.raises(error):
        connection.execute(statement.encode())
