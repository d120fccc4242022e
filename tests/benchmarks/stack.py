"""The measured stack: all of Repli on durable embedded servers, with nothing changed but flood limits and sizes."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import msgspec
import psycopg

from tests.benchmarks.load.orders import AnyOrder, Done, Game
from tests.benchmarks.maker import Wish
from tests.servers import CHECKOUT, RunningStack, running_stack

UNLIMITED = {
    "REPLI_SOCKET_MESSAGES_PER_SECOND": "100000",
    "REPLI_SOCKET_BURST": "100000",
    "REPLI_THROTTLE_WRITE": "100000000/minute",
    "REPLI_THROTTLE_READ": "100000000/minute",
    "REPLI_LOG_LEVEL": "WARNING",
    # Deadlines are reckoned, stored and swept as ever; but games that wait to be played shall not be played by bots.
    "REPLI_TIMEOUT_SLACK": "36000",
}
MAKE_LIMIT = 120.0  # seconds


class Trouble(Exception):
    """A benchmark could not be run, in words for the table's foot."""


def allow_many_files() -> int:
    """Raise the limit of open files of this process, and so of all it starts, as far as it may; the limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


@contextlib.contextmanager
def stack(
    *, web_processes: int = 1, servers_only: bool = False, more: Mapping[str, str] | None = None
) -> Iterator[RunningStack]:
    """A fresh stack in a temporary folder, with `more` settings, stopped and removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="repli-bench-"))
    folder.chmod(0o711)
    try:
        settings = UNLIMITED | dict(more or {})
        with running_stack(
            folder / "data", web_processes=web_processes, settings=settings, servers_only=servers_only
        ) as running:
            _require_durable(running)
            yield running
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _require_durable(running: RunningStack) -> None:
    """Raises Trouble unless a commit is on disk when it is answered."""
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        if (value := _ask(running, f"SHOW {name}")) != "on":
            raise Trouble(f"PostgreSQL runs with {name} = {value}: no durable figure can be measured")


def version(running: RunningStack) -> str:
    """PostgreSQL's version."""
    return str(_ask(running, "SHOW server_version"))


def _ask(running: RunningStack, question: str) -> Any:
    with psycopg.connect(running.servers["superuser_database_url"]) as connection:
        found = connection.execute(question).fetchone()
        return found[0] if found else None


def settle(running: RunningStack) -> None:
    """Let the database write out what preparations left, and know its tables, before anything is measured."""
    with psycopg.connect(running.servers["superuser_database_url"], autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


def games(running: RunningStack, wish: Wish) -> list[Game]:
    """Make games in the stack's database."""
    environment = {**os.environ, "REPLI_DATA_DIR": str(running.data_dir), "DJANGO_SETTINGS_MODULE": "config.settings"}
    for name in ("DATABASE_URL", "MIGRATE_DATABASE_URL", "REDIS_URL"):
        environment.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.maker"],
        cwd=CHECKOUT,
        env=environment,
        input=msgspec.json.encode(wish),
        capture_output=True,
        check=False,
        timeout=MAKE_LIMIT,
    )
    if done.returncode != 0:
        raise Trouble(f"games could not be made:\n{done.stderr.decode(errors='replace')[-2000:]}")
    return msgspec.json.decode(done.stdout, type=list[Game])


class Load:
    """The load process. An order that is not answered in time ends it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.load"],
            cwd=CHECKOUT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def do(self, order: AnyOrder, limit: float = 180.0) -> Done:
        """Have an order carried out; raises Trouble when the load breaks down or takes longer than `limit` seconds."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        watchdog = threading.Timer(limit, self._process.kill)
        watchdog.start()
        try:
            self._process.stdin.write(msgspec.json.encode(order) + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError as error:
            raise Trouble(f"the load process broke down: {error}") from None
        finally:
            watchdog.cancel()
        if not line:
            raise Trouble(f"the load process broke down at {type(order).__name__}, or took longer than {limit:.0f} s")
        return msgspec.json.decode(line, type=Done)


def trusted(done: Done) -> Done:
    """The answer, if hardly anything went wrong; raises Trouble otherwise."""
    wrong = sum(done.errors.values())
    if wrong > 0.001 * done.moves:
        raise Trouble(f"{wrong} errors at {done.moves} moves: {done.errors}")
    return done


@contextlib.contextmanager
def program(
    command: Sequence[str], environment: Mapping[str, str], url: str, log: Path, limit: float = 30.0
) -> Iterator[int]:
    """A server of another kind, from when it accepts connections on to when it is stopped; its process id."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=CHECKOUT, env={**os.environ, **environment}, stdout=output, stderr=subprocess.STDOUT
        )
    parts, end = urlsplit(url), time.monotonic() + limit
    try:
        while True:
            with contextlib.suppress(OSError), socket.create_connection((parts.hostname, parts.port), 1):
                break
            if process.poll() is not None or time.monotonic() > end:
                raise Trouble(f"{command[2]} did not start:\n{log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.05)
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
