"""Starts the usual stack's two servers on the measured stack's PostgreSQL and Valkey, in a database of its own."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit, urlunsplit

import msgspec
import psycopg

from config.embedded import ports
from tests.benchmarks.load.orders import Game
from tests.benchmarks.stack import Trouble, program
from tests.servers import CHECKOUT, RunningStack

DATABASE = "usual"
THREADS = 8
UVICORN = (  # as Repli sets them: the fastest that uvicorn has
    *("--ws", "websockets-sansio", "--ws-per-message-deflate", "false"),
    *("--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning"),
)


@contextlib.contextmanager
def sockets(stack: RunningStack) -> Iterator[tuple[str, int]]:
    """Channels under uvicorn, with the options that Repli runs with; its address and process id."""
    _prepare(stack, [])
    port = ports.free()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "uvicorn", "tests.benchmarks.usual.asgi:application", "--port", str(port)]
    log = stack.data_dir.with_name("usual-sockets.log")
    with program([*command, *UVICORN], _environment(stack), url, log) as pid:
        yield url, pid


@contextlib.contextmanager
def rest(stack: RunningStack, games: Sequence[Game]) -> Iterator[tuple[str, list[Game]]]:
    """A REST framework view under gunicorn, one process with threads; its address and the games to be played there."""
    made = _prepare(stack, games)
    port = ports.free()
    command = [
        *(sys.executable, "-m", "gunicorn", "tests.benchmarks.usual.wsgi", "--bind", f"127.0.0.1:{port}"),
        *("--workers", "1", "--worker-class", "gthread", "--threads", str(THREADS), "--keep-alive", "60"),
        *("--log-level", "warning", "--no-control-socket"),
    ]
    url = f"http://127.0.0.1:{port}"
    with program(command, _environment(stack), url, stack.data_dir.with_name("usual-rest.log")):
        yield url, made


def _prepare(stack: RunningStack, games: Sequence[Game]) -> list[Game]:
    """Make the database if need be, its tables and these games in it."""
    with psycopg.connect(stack.servers["superuser_database_url"], autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS usual WITH (FORCE)")
        connection.execute("CREATE DATABASE usual")
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.usual.making"],
        cwd=CHECKOUT,
        env={**os.environ, **_environment(stack)},
        input=msgspec.json.encode(games),
        capture_output=True,
        check=False,
        timeout=60,
    )
    if done.returncode != 0:
        raise Trouble(f"the usual stack could not be prepared:\n{done.stderr.decode(errors='replace')[-2000:]}")
    return msgspec.json.decode(done.stdout, type=list[Game])


def _environment(stack: RunningStack) -> dict[str, str]:
    url = urlunsplit(urlsplit(stack.servers["superuser_database_url"])._replace(path=f"/{DATABASE}"))
    return {
        "DJANGO_SETTINGS_MODULE": "tests.benchmarks.usual.settings",
        "USUAL_DATABASE_URL": url,
        "USUAL_REDIS_URL": stack.servers["redis_url"],
    }
