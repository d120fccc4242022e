"""The embedded Valkey: its configuration, and whether it answers. It keeps its data (appended once a second)."""

import os
from functools import partial
from pathlib import Path

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from config.embedded import privileges
from config.embedded.privileges import Premises
from config.embedded.state import Servers, write_private
from config.supervision.program import Program

ONCE = Retry(NoBackoff(), 0)
CONFIGURATION = """\
# Written by Repli at each start.
bind 127.0.0.1
protected-mode yes
port {port}
requirepass {password}
dir ./
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
daemonize no
loglevel warning
logfile ""
"""


def program(premises: Premises, servers: Servers) -> Program:
    """Valkey as a program of the stack."""
    folder = premises.data / "valkey"
    return Program(
        name="valkey",
        command=(str(premises.valkey), "valkey.conf"),
        environment=dict(os.environ),
        folder=folder,
        user=premises.user,
        noise=("Memory overcommit must be enabled",),  # true for large data sets; ours is small
        answers=partial(answers, servers.redis_url),
        before=partial(_configure, folder, premises, servers),
    )


def prepare(premises: Premises) -> None:
    """Make the folder."""
    privileges.own_folder(premises.data / "valkey", premises.user)


async def answers(url: str) -> bool:
    """Whether `PING` is answered (not while the data are still being read in)."""
    try:
        async with client(url) as connection:
            return bool(await connection.ping())
    except (RedisError, OSError):
        return False


def client(url: str) -> redis.asyncio.Redis:
    """A client that says at once when it cannot connect."""
    return redis.asyncio.Redis.from_url(url, retry=ONCE, socket_timeout=2, socket_connect_timeout=2)


def _configure(folder: Path, premises: Premises, servers: Servers) -> None:
    text = CONFIGURATION.format(port=servers.valkey_port, password=servers.valkey_password)
    write_private(folder / "valkey.conf", text, premises.user)
