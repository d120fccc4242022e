"""The embedded PostgreSQL: its cluster, its configuration, and whether it answers.

A cluster appears under its final name only when it is complete: roles and database included. Statements and
their parameters never reach the log: they may hold hidden cards.
"""

import os
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import psycopg

from config.embedded import privileges
from config.embedded.privileges import Premises
from config.embedded.state import APPLICATION, DATABASE, OWNER, SUPERUSER, Servers, write_private
from config.embedded.trouble import Trouble
from config.supervision.program import Program

DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
QUICK = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "on"}
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "dynamic_shared_memory_type": "posix",
    "max_parallel_workers_per_gather": "0",
    "max_logical_replication_workers": "0",
    "jit": "off",
    "password_encryption": "scram-sha-256",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_destination": "stderr",
    "logging_collector": "off",
    "log_line_prefix": "",
    "log_checkpoints": "off",
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
}
if sys.platform == "linux":
    # After a kill, one call for the whole file system instead of one for each of a thousand files: seconds less.
    SETTINGS["recovery_init_sync_method"] = "syncfs"
ACCESS = "# Written by Repli at each start.\nhost all all 127.0.0.1/32 scram-sha-256\n"
INITDB = (
    f"--username={SUPERUSER}",
    "--auth=reject",  # who may connect is written at each start
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
)


def program(premises: Premises, servers: Servers, *, quick: bool = False) -> Program:
    """PostgreSQL as a program of the stack; `quick` gives up the disk's guarantees, for tests."""
    folder = premises.data / "postgres"
    return Program(
        name="postgres",
        command=(str(premises.postgres / "bin" / "postgres"), "-D", str(folder)),
        environment=_environment(),
        folder=premises.data if premises.user is None else Path("/"),
        user=premises.user,
        # Said to everybody who knocks too early, our own question for readiness first of all.
        noise=("FATAL:  the database system is starting up", "FATAL:  the database system is not yet accepting"),
        answers=partial(answers, servers.superuser_database_url),
        before=partial(_configure, folder, premises, servers, quick=quick),
        stop=signal.SIGINT,  # a "fast" shutdown: sessions are cut, nothing is lost
        orphan=signal.SIGINT,
        grace=30.0,
        force=signal.SIGQUIT,
    )


def prepare(premises: Premises, servers: Servers, *, new_secrets: bool = False, quick: bool = False) -> None:
    """Make the cluster where there is none yet, or give it `new_secrets`; the server must not be running."""
    folder = premises.data / "postgres"
    if (folder / "PG_VERSION").exists():
        _check_version(folder)
        if new_secrets:
            (folder / "postmaster.pid").unlink(missing_ok=True)
            write_passwords(premises, servers, folder)
        return
    unfinished = premises.data / "postgres.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    privileges.own_folder(unfinished, premises.user)
    _run(premises, "initdb", *INITDB, *(("--no-sync",) if quick else ()), "-D", str(unfinished))
    write_passwords(premises, servers, unfinished, create=True)
    unfinished.rename(folder)


def write_passwords(premises: Premises, servers: Servers, folder: Path, *, create: bool = False) -> None:
    """Set the three roles' passwords (and `create` them) in single-user mode, with the server stopped."""
    word = "CREATE" if create else "ALTER"
    statements = [
        f"ALTER ROLE {SUPERUSER} PASSWORD '{servers.superuser_password}'",
        f"{word} ROLE {OWNER} LOGIN PASSWORD '{servers.owner_password}'",
        f"{word} ROLE {APPLICATION} LOGIN PASSWORD '{servers.application_password}'",
    ]
    if create:
        statements += [
            f"CREATE DATABASE {DATABASE} OWNER {OWNER}",
            f"REVOKE ALL ON DATABASE {DATABASE} FROM PUBLIC",
            f"GRANT CONNECT ON DATABASE {DATABASE} TO {APPLICATION}",
        ]
    _run(premises, "postgres", "--single", "-j", "-D", str(folder), SUPERUSER, feed=";\n\n".join(statements) + ";\n\n")


async def answers(url: str) -> bool:
    """Whether `SELECT 1` is answered."""
    try:
        connection = await psycopg.AsyncConnection.connect(url, connect_timeout=2)
        async with connection:
            await connection.execute("SELECT 1")
    except (psycopg.Error, OSError):
        return False
    return True


def _configure(folder: Path, premises: Premises, servers: Servers, *, quick: bool) -> None:
    """Write the configuration anew, and remove what a killed server left: no earlier run is alive any more."""
    settings = SETTINGS | (QUICK if quick else DURABLE) | {"port": str(servers.postgres_port)}
    lines = [f"{name} = '{value}'" for name, value in settings.items()]
    texts = {"postgresql.conf": "# Written by Repli at each start.\n" + "\n".join(lines) + "\n", "pg_hba.conf": ACCESS}
    for name, text in texts.items():
        write_private(folder / name, text, premises.user)
    (folder / "postmaster.pid").unlink(missing_ok=True)


def _check_version(folder: Path) -> None:
    version = (folder / "PG_VERSION").read_text(encoding="utf-8").strip()
    if version != "18":
        raise Trouble(f"{folder} was made by PostgreSQL {version}, but this is 18: use another REPLI_DATA_DIR.")


def _environment() -> dict[str, str]:
    """Ours without PG… variables, which would redirect the server's programs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return kept | {"LC_ALL": "C"}


def _run(premises: Premises, name: str, *arguments: str, feed: str = "") -> None:
    """Run one of PostgreSQL's programs to its end; its own words are shown when it fails."""
    done = subprocess.run(  # noqa: S603
        [str(premises.postgres / "bin" / name), *arguments],
        input=feed,
        text=True,
        capture_output=True,
        check=False,
        cwd="/",
        env=_environment(),
        timeout=120,
        **privileges.as_user(premises.user),
    )
    # Single-user mode reports a failed statement in words only, not in its exit code.
    failed = [line for line in done.stderr.splitlines() if "ERROR:" in line or "FATAL:" in line]
    if done.returncode != 0 or failed:
        raise Trouble(f"PostgreSQL could not be set up ({name}): {' '.join(failed) or done.stderr.strip()}")
