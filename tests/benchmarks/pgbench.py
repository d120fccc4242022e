"""PostgreSQL's own load generator: one-row transactions a second, the measure of what this disk and database give."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg

from config.embedded import programs

REFERENCE = 20_968.0  # transactions/s on the reference machine, where the recorded peers were measured
SCHEMA = "benchmark_pgbench"
_TABLE = f"""DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; CREATE SCHEMA {SCHEMA};
    CREATE TABLE {SCHEMA}.event (game_id int, version bigserial, data text, PRIMARY KEY (game_id, version))"""
_SCRIPT = f"""\\set game random(1, 1000000)
INSERT INTO {SCHEMA}.event (game_id, data) VALUES (:game, '{{"card":"AH","seat":1,"type":"card_played"}}');
"""
_FOUND = re.compile(r"tps = ([\d.]+)")


def transactions_per_second(url: str, *, clients: int = 32, seconds: int = 3) -> float | None:
    """One-row inserts, each a durable transaction, from so many connections at once; None without pgbench.

    `url`: a role that may make a schema. What is made is dropped again.
    """
    pgbench = _program()
    if pgbench is None:
        return None
    with psycopg.connect(url, autocommit=True) as connection, tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        connection.execute(_TABLE)
        script.write(_SCRIPT)
        script.flush()
        try:
            options = ("-n", "-M", "prepared", "-c", str(clients), "-j", "2", "-T", str(seconds), "-f", script.name)
            said = subprocess.run([pgbench, *options, url], capture_output=True, text=True, check=True).stdout
        finally:
            connection.execute(f"DROP SCHEMA {SCHEMA} CASCADE")
    found = _FOUND.search(said)
    assert found, said
    return float(found[1])


def scaled(recorded: float, today: float) -> float:
    """What a figure recorded on the reference machine is worth on this one today, by pgbench's figures."""
    return recorded * today / REFERENCE


def _program() -> str | None:
    """The embedded PostgreSQL's own pgbench, else the machine's."""
    own = programs.postgres_folder() / "bin" / "pgbench"
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/pgbench"), reverse=True)
    found = next((path for path in (own, *debian) if path.is_file()), None)
    return str(found) if found else shutil.which("pgbench")
