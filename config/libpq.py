"""PostgreSQL's own programs for the scripts in deploy/backup: which of them to use, and how they connect.

`python -m config.libpq tools FOLDER` writes FOLDER/service, a libpq service file (readable by us alone) with the
service `repli`: the owner's connection. It prints the folder of a psql and pg_dump that fit the server.
`python -m config.libpq prepare` makes the roles and the database that the settings name, where they are missing, as
the superuser in SUPERUSER_DATABASE_URL. Passwords go neither onto a command line nor, in clear, to the server.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from config.embedded import programs
from config.embedded.trouble import Trouble
from config.environment import Environment

PROGRAMS = ("psql", "pg_dump", "pg_restore")


def main(arguments: list[str]) -> int:
    try:
        match arguments:
            case ["tools", folder]:
                print(tools(Path(folder), Environment()))  # noqa: T201  (the answer)
            case ["prepare"]:
                for line in prepare(Environment(), os.environ["SUPERUSER_DATABASE_URL"]):
                    print(line)  # noqa: T201
            case _:
                sys.exit(__doc__)
    except (Trouble, psycopg.Error) as error:
        print(f"repli: {str(error).strip()}", file=sys.stderr)  # noqa: T201  (drivers put no passwords into it)
        return 1
    return 0


def tools(folder: Path, environment: Environment) -> Path:
    """Write the service file; the folder of programs that fit the server, those of its own version first."""
    members = conninfo_to_dict(environment.owner_database)
    lines = [f"{name}={value}" for name, value in members.items() if value is not None]
    descriptor = os.open(folder / "service", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write("\n".join(["[repli]", *lines, ""]))
    with psycopg.connect(environment.owner_database, connect_timeout=10) as connection:
        server = connection.info.server_version // 10_000
    fitting = [(version, place) for place in _places() if (version := _version(place)) >= server]
    if not fitting:
        raise Trouble(
            f"no pg_dump at least as new as the server (PostgreSQL {server}) was found: name the folder of its"
            " programs in REPLI_PG_BIN"
        )
    return min(fitting)[1]


def _places() -> Iterator[Path]:
    """Where PostgreSQL's programs may be; only there if the environment names a folder."""
    if named := os.environ.get("REPLI_PG_BIN"):
        yield Path(named)
        return
    if found := shutil.which("pg_dump"):
        yield Path(found).parent
    yield from Path("/usr/lib/postgresql").glob("*/bin")
    try:
        yield programs.postgres_folder() / "bin"
    except Trouble:
        return  # images leave the embedded servers out


def _version(place: Path) -> int:
    """The programs' major version; -1 where one is missing."""
    if not all(os.access(place / name, os.X_OK) for name in PROGRAMS):
        return -1
    said = subprocess.run([place / "pg_dump", "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    found = re.search(r"\b(\d+)(?:\.\d+|\w+)?", said.stdout)
    return int(found[1]) if found else -1


# --- roles and database -------------------------------------------------------------------------------------------


def prepare(environment: Environment, superuser: str) -> Iterator[str]:
    """Make the owner, the application's role and the database where they are missing; what was made, in words."""
    owner = conninfo_to_dict(environment.owner_database)
    application = conninfo_to_dict(environment.application_database)
    with psycopg.connect(make_conninfo(superuser, dbname="postgres"), autocommit=True) as connection:
        for role in {each["user"]: each for each in (owner, application)}.values():
            if _make_role(connection, role):
                yield f"made the role {role['user']}"
        name = owner["dbname"]
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            return
        named = {
            "database": sql.Identifier(str(name)),
            "owner": sql.Identifier(str(owner["user"])),
            "application": sql.Identifier(str(application["user"])),
        }
        for statement in (
            "CREATE DATABASE {database} OWNER {owner} ENCODING 'UTF8' TEMPLATE template0",
            "REVOKE ALL ON DATABASE {database} FROM PUBLIC",
            "GRANT CONNECT ON DATABASE {database} TO {application}",
        ):
            connection.execute(sql.SQL(statement).format(**named))
        yield f"made the database {name}"


def _make_role(connection: psycopg.Connection[Any], role: dict[str, Any]) -> bool:
    """Make a role that can log in; False if there is one. Its password is sent as the server would keep it."""
    name = str(role["user"])
    if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone():
        return False
    statement = sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(name))
    if password := role.get("password"):
        kept = connection.pgconn.encrypt_password(str(password).encode(), name.encode(), b"scram-sha-256").decode()
        statement += sql.SQL(" PASSWORD {}").format(sql.Literal(kept))
    connection.execute(statement)
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
