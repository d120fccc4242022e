"""The programs of this project, besides the embedded servers: migrations, web, worker, beat.

The owner's database URL goes to the migrations alone.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from redis.exceptions import RedisError

from config.embedded import valkey
from config.environment import Environment
from config.supervision.program import Program

CHECKOUT = Path(__file__).resolve().parent.parent.parent
SERVERS = ("postgres", "valkey")
HEALTH = "/healthz"
SWEEP = "repli.beat.sweep"  # where the sweep leaves its sign: milliseconds since 1970
SILENCE = 20.0  # seconds without a sweep that are no longer taken for load

# Celery warns of root at each start; whoever starts Repli as root has decided so.
_CELERY = ("-W", "ignore:You're running the worker with superuser", "-m", "celery", "--quiet", "-A", "config")
COMMANDS: Mapping[str, tuple[str, ...]] = {  # arguments of Python, in the checkout's folder
    "migrate": ("manage.py", "migrate", "--no-input", "--verbosity", "1"),
    "web": ("-W", "ignore:No directory at", "-m", "config.web"),
    "worker": (*_CELERY, "worker", "--pool", "threads", "--concurrency", "4", "--without-gossip", "--without-mingle"),
    # It remembers nothing: the schedule is short, and a file may be torn when it is killed.
    "beat": (*_CELERY, "beat", "--scheduler", "celery.beat:Scheduler", "--pidfile="),
}


def migrate(urls: Mapping[str, str]) -> Program:
    """Bring the database to this version's shape."""
    return _python("migrate", COMMANDS["migrate"], urls)


def web(name: str, host: str, port: int, urls: Mapping[str, str]) -> Program:
    """One ASGI process."""
    return _python(
        name,
        COMMANDS["web"],
        _for_application(urls) | {"REPLI_PROCESS": "web", "HOST": host, "PORT": str(port)},
        needs=SERVERS,
        answers=partial(healthy, host, port),
        grace=Environment().drain_seconds + 4,
    )


def worker(urls: Mapping[str, str]) -> Program:
    """The Celery worker: sweeps and bots. It may stay deaf when its broker came back, so it is started anew."""
    return _python(
        "worker",
        COMMANDS["worker"],
        _for_application(urls) | {"REPLI_PROCESS": "worker"},
        needs=SERVERS,
        says=" ready.",
        lives=partial(sweeps, urls["REDIS_URL"]),
        restart_after=frozenset({"valkey"}),
        grace=8.0,
    )


def beat(urls: Mapping[str, str]) -> Program:
    """Celery's clock."""
    return _python(
        "beat",
        COMMANDS["beat"],
        _for_application(urls) | {"REPLI_PROCESS": "beat"},
        needs=SERVERS,
        lives=partial(sweeps, urls["REDIS_URL"]),
        restart_after=frozenset({"valkey"}),
        grace=3.0,
    )


async def healthy(host: str, port: int) -> bool:
    """Whether the web process answers its health check with success."""
    address = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 (asking, not listening)
    try:
        async with asyncio.timeout(5):
            reader, writer = await asyncio.open_connection(address, port)
            try:
                writer.write(f"GET {HEALTH} HTTP/1.1\r\nHost: {_bracketed(host)}\r\nConnection: close\r\n\r\n".encode())
                return b" 200 " in await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False


async def sweeps(redis_url: str, seconds: float) -> bool:
    """Whether the sweep, run by worker and beat together, was seen lately; in doubt yes."""
    age = await age_of_sweep(redis_url)
    return seconds < SILENCE or (age is not None and age < SILENCE)


async def age_of_sweep(redis_url: str) -> float | None:
    """Seconds since the last sweep, by the clock of the Redis that keeps its sign; 0 when it cannot be asked."""
    try:
        async with valkey.client(redis_url) as client:
            sign = await client.get(SWEEP)
            seconds, microseconds = await client.time()
    except (RedisError, OSError):
        return 0.0
    return None if sign is None else seconds + microseconds / 1e6 - int(sign) / 1000


def address(host: str, port: int) -> str:
    """The URL that a person on this machine types."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 (shown, not listened on)
    return f"http://{_bracketed(shown)}:{port}/"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _for_application(urls: Mapping[str, str]) -> dict[str, str]:
    return {name: url for name, url in urls.items() if name != "MIGRATE_DATABASE_URL"}


def _python(
    name: str,
    arguments: tuple[str, ...],
    variables: Mapping[str, str],
    **settings: Any,
) -> Program:
    inherited = {key: value for key, value in os.environ.items() if key != "MIGRATE_DATABASE_URL"}
    return Program(
        name=name,
        command=(sys.executable, *arguments),
        environment=inherited | {"PYTHONUNBUFFERED": "1"} | dict(variables),
        folder=CHECKOUT,
        stop=signal.SIGTERM,
        **settings,
    )
