"""The launcher on real servers: start, stop, kill -9, keep, refuse. Each test has data folders of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.embedded import ports
from tests.servers import CHECKOUT, RunningStack, running_stack


def test_what_was_written_survives_kill_9_of_both_servers_and_a_restart(folder: Path) -> None:
    with running_stack(folder, servers_only=True) as stack:
        first = stack.servers
        before = stack.pids()
        _keep(stack)

        stack.kill("postgres")
        stack.kill("valkey")

        assert stack.pid("postgres", other_than=before["postgres"]) != before["postgres"]
        assert stack.pid("valkey", other_than=before["valkey"]) != before["valkey"]
        eventually(lambda: _kept(stack))
        assert stack.stop() == 0

    with running_stack(folder, servers_only=True) as stack:
        assert {key: stack.servers[key] for key in first} == first
        assert _kept(stack)


def test_nothing_survives_kill_9_of_the_supervisor_and_the_next_start_succeeds(folder: Path) -> None:
    with running_stack(folder, servers_only=True) as stack:
        orphans = list(stack.pids().values())
        assert stack.stop(signal.SIGKILL) == -signal.SIGKILL

        with running_stack(folder, servers_only=True) as second:
            assert not set(orphans) & set(second.pids().values())
            assert not any(alive(pid) for pid in orphans)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_everything_in_order(folder: Path, number: signal.Signals) -> None:
    with running_stack(folder, servers_only=True) as stack:
        children = list(stack.pids().values())

        assert stack.stop(number) == 0

        assert not any(alive(pid) for pid in children)
        assert "database system is shut down" in stack.said()
        assert stack.said().splitlines()[-1].endswith("stopped")
        assert not (folder / "processes.json").exists()


def test_a_second_start_on_the_same_folder_says_that_it_is_in_use(stack: RunningStack) -> None:
    code, said = supervisor("--servers-only", REPLI_DATA_DIR=str(stack.data_dir))

    assert code == 1
    assert f"in use by process {stack.supervisor.pid}" in said
    assert "Traceback" not in said


def test_a_taken_port_is_told_before_anything_is_started(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        code, said = supervisor(REPLI_DATA_DIR=str(folder), PORT=str(port))

    assert code == 1
    assert f"Port {port} on 127.0.0.1 is taken by another program" in said
    assert not (folder / "postgres").exists()
    assert "Traceback" not in said


def test_two_folders_run_side_by_side(stack: RunningStack, folder: Path) -> None:
    with running_stack(folder, servers_only=True) as other:
        for each in (stack, other):
            with psycopg.connect(each.servers["database_url"]) as connection:
                connection.execute("SELECT 1")

        assert stack.servers["instance"] != other.servers["instance"]
        assert not set(stack.pids().values()) & set(other.pids().values())


def test_a_port_that_another_program_took_meanwhile_is_replaced(folder: Path) -> None:
    with running_stack(folder, servers_only=True) as stack:
        before = stack.servers
    with (
        socket.create_server(("127.0.0.1", int(before["postgres_port"]))),
        running_stack(folder, servers_only=True) as stack,
    ):
        assert stack.servers["postgres_port"] != before["postgres_port"]
        assert stack.servers["valkey_port"] == before["valkey_port"]


def test_lost_passwords_are_made_anew_and_the_data_stay() -> None:
    folder = Path(tempfile.mkdtemp(prefix="repli-launcher-"))
    folder.chmod(0o711)  # so that the servers' user can enter it, and the data are in it
    try:
        with running_stack(folder / "data", servers_only=True) as stack:
            _keep(stack)
        (folder / "data" / "servers.json").unlink()

        with running_stack(folder / "data", servers_only=True) as stack:
            assert _kept(stack)
    finally:
        shutil.rmtree(folder)


def test_secrets_are_for_our_eyes_only_and_nobody_gets_in_without(stack: RunningStack) -> None:
    for name in ("servers.json", "processes.json"):
        assert stat.S_IMODE((stack.data_dir / name).stat().st_mode) == 0o600
    password = stack.servers["superuser_password"]
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(stack.servers["superuser_database_url"].replace(password, "wrong"))
    with (
        redis.Redis(port=int(stack.servers["valkey_port"]), retry=Retry(NoBackoff(), 0)) as stranger,
        pytest.raises(redis.AuthenticationError),
    ):
        stranger.ping()
    assert password not in stack.said()


def test_the_database_does_not_log_what_a_failed_statement_held(stack: RunningStack) -> None:
    with psycopg.connect(stack.servers["superuser_database_url"], autocommit=True) as connection:
        connection.execute("CREATE TABLE once (card text PRIMARY KEY)")
        connection.execute("INSERT INTO once VALUES ('QUEEN-OF-SPADES')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO once VALUES ('QUEEN-OF-SPADES')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO once VALUES (%s)", ["QUEEN-OF-SPADES"])

    eventually(lambda: stack.said().count("duplicate key") == 2)
    assert "QUEEN-OF-SPADES" not in stack.said()


def test_ports_of_the_servers_are_none_that_outgoing_connections_get() -> None:
    for _ in range(20):
        assert 20_000 <= ports.free() < 32_000


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """Servers for the tests that only look."""
    with running_stack(tmp_path_factory.mktemp("shared") / "data", servers_only=True) as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder whose path has a space and a quote."""
    return tmp_path / "o'clock data"


def supervisor(*arguments: str, **variables: str) -> tuple[int, str]:
    """Run the supervisor until it ends by itself: its exit code and its log."""
    unset = {"DATABASE_URL", "REDIS_URL", "MIGRATE_DATABASE_URL"}
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    done = subprocess.run(
        [sys.executable, "-m", "config.supervisor", *arguments],
        cwd=CHECKOUT,
        env=environment | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def eventually(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until it holds."""
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, "it did not come about"
        time.sleep(0.05)


def alive(pid: int) -> bool:
    """Whether the process exists and is no zombie."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not Path("/proc/self").exists()


def _keep(stack: RunningStack) -> None:
    with psycopg.connect(stack.servers["superuser_database_url"]) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    with redis.Redis.from_url(stack.servers["redis_url"]) as client:
        client.set("kept", "42")
        client.execute_command("WAITAOF", 1, 0, 2000)


def _kept(stack: RunningStack) -> bool:
    servers = stack.servers
    try:
        with psycopg.connect(servers["superuser_database_url"], connect_timeout=2) as connection:
            row = connection.execute("SELECT answer FROM kept").fetchone()
        with redis.Redis.from_url(servers["redis_url"]) as client:
            return row == (42,) and client.get("kept") == b"42"
    except (psycopg.Error, redis.RedisError):
        return False
