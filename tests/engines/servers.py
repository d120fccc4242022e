"""PostgreSQL 15, Redis and pgbouncer from Debian's packages, started for one run; nothing of them is left after it.

As root they run as the user `postgres`. The kernel ends them too when whoever started them is killed.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import redis

from config.embedded import ports

POSTGRES = Path("/usr/lib/postgresql/15/bin")
PACKAGES = {
    "postgresql-15": str(POSTGRES / "postgres"),
    "redis-server": "/usr/bin/redis-server",
    "pgbouncer": "/usr/sbin/pgbouncer",
}
START_LIMIT = 60.0
PR_SET_PDEATHSIG = 1
DATABASE = "repli"
ROLES = """
CREATE ROLE repli_owner LOGIN PASSWORD 'owner';
CREATE ROLE repli_app LOGIN PASSWORD 'app';
ALTER ROLE postgres PASSWORD 'super'"""
# Transaction mode as an operator would set it up: nothing of a session survives a transaction.
PGBOUNCER = """\
[databases]
* = host=127.0.0.1 port={postgres}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {users}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
logfile =
"""
USERS = '"repli_app" "app"\n"repli_owner" "owner"\n"postgres" "super"\n'


@dataclass(frozen=True, kw_only=True)
class Engines:
    """Addresses of running servers: the application's through pgbouncer where there is one, the others direct."""

    application: str
    owner: str
    superuser: str
    redis: str
    prepared_statements: bool
    versions: Sequence[str]

    @property
    def variables(self) -> dict[str, str]:
        """The environment in which the application and the suite find them."""
        return {
            "DATABASE_URL": self.application,
            "MIGRATE_DATABASE_URL": self.owner,
            "SUPERUSER_DATABASE_URL": self.superuser,
            "REDIS_URL": self.redis,
            "REPLI_PREPARED_STATEMENTS": str(self.prepared_statements).lower(),
        }


def missing(*, pgbouncer: bool = False) -> list[str]:
    """The packages that would have to be installed."""
    wanted = [name for name in PACKAGES if pgbouncer or name != "pgbouncer"]
    return [name for name in wanted if not os.access(PACKAGES[name], os.X_OK)]


@contextmanager
def debian(*, pgbouncer: bool = False) -> Iterator[Engines]:
    """Running servers, new and empty. Raises RuntimeError, with what was said, if one does not start."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="repli-engines-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        if os.geteuid() == 0:
            os.chown(folder, *_postgres())
        postgres, cache, bouncer = _ports(3)
        _start_postgres(stack, folder, postgres)
        _start_redis(stack, folder, cache)
        if pgbouncer:
            _start_pgbouncer(stack, folder, bouncer, postgres)
        yield Engines(
            application=_url("repli_app", "app", bouncer if pgbouncer else postgres),
            owner=_url("repli_owner", "owner", postgres),
            superuser=_url("postgres", "super", postgres),
            redis=f"redis://:engines@127.0.0.1:{cache}/0",
            prepared_statements=not pgbouncer,
            versions=[_version(name) for name in PACKAGES if pgbouncer or name != "pgbouncer"],
        )


def _start_postgres(stack: ExitStack, folder: Path, port: int) -> None:
    data = folder / "postgres"
    options = ("--no-sync", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-D", str(data))
    subprocess.run([str(POSTGRES / "initdb"), *options], check=True, stdout=subprocess.DEVNULL, **_as_postgres(folder))
    settings = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off"}
    settings["max_connections"] = 200
    flags = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    _start(stack, folder, [PACKAGES["postgresql-15"], "-D", str(data), *flags], signal.SIGQUIT)
    url = _url("postgres", "super", port, "postgres")
    _until(lambda: _connects(url), folder, "postgres")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(ROLES)
        connection.execute(f"CREATE DATABASE {DATABASE} OWNER repli_owner")
    # From now on everybody is asked for a password.
    (data / "pg_hba.conf").write_text("host all all 127.0.0.1/32 scram-sha-256\n")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT pg_reload_conf()")


def _start_redis(stack: ExitStack, folder: Path, port: int) -> None:
    options = ("--port", str(port), "--bind", "127.0.0.1", "--requirepass", "engines", "--save", "")
    _start(stack, folder, [PACKAGES["redis-server"], *options], signal.SIGTERM)

    def answers() -> bool:
        try:
            with redis.Redis(port=port, password="engines") as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    _until(answers, folder, "redis-server")


def _start_pgbouncer(stack: ExitStack, folder: Path, port: int, postgres: int) -> None:
    users, settings = folder / "users.txt", folder / "pgbouncer.ini"
    users.write_text(USERS)
    settings.write_text(PGBOUNCER.format(port=port, postgres=postgres, users=users))
    for path in (users, settings):
        path.chmod(0o644)
    _start(stack, folder, [PACKAGES["pgbouncer"], "-q", str(settings)], signal.SIGTERM)
    _until(lambda: _connects(_url("repli_app", "app", port)), folder, "pgbouncer")


def _start(stack: ExitStack, folder: Path, command: Sequence[str], end: signal.Signals) -> None:
    """Start a server; the stack ends it by the signal `end`."""
    with (folder / f"{Path(command[0]).name}.log").open("wb") as log:
        server = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_end_with_parent(end),  # noqa: PLW1509 (one call into the kernel)
            **_as_postgres(folder),
        )
    stack.callback(_stop, server, end)


def _stop(server: subprocess.Popen[bytes], end: signal.Signals) -> None:
    server.send_signal(end)
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _end_with_parent(number: signal.Signals) -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)


def _until(reached: Callable[[], bool], folder: Path, name: str) -> None:
    limit = time.monotonic() + START_LIMIT
    while not reached():
        if time.monotonic() > limit:
            said = (folder / f"{name}.log").read_text(errors="replace")
            raise RuntimeError(f"{name} did not start:\n{said}")
        time.sleep(0.05)


def _connects(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def _ports(number: int) -> list[int]:
    found: list[int] = []
    while len(found) < number:
        found.append(ports.free(besides=frozenset(found)))
    return found


def _url(user: str, password: str, port: int, database: str = DATABASE) -> str:
    return f"postgresql://{user}:{password}@127.0.0.1:{port}/{database}"


def _version(package: str) -> str:
    said = subprocess.run([PACKAGES[package], "--version"], capture_output=True, text=True, check=True).stdout
    words = said.split("\n", maxsplit=1)[0].replace("v=", "").split()
    number = next(word for word in words if word[0].isdigit())
    return f"{package.split('-', maxsplit=1)[0]} {number}"


def _postgres() -> tuple[int, int]:
    entry = pwd.getpwnam("postgres")
    return entry.pw_uid, entry.pw_gid


def _as_postgres(folder: Path) -> Mapping[str, Any]:
    """Arguments of a subprocess: PostgreSQL and pgbouncer refuse to run as root."""
    facts: dict[str, Any] = {"cwd": folder}
    if os.geteuid() == 0:
        uid, gid = _postgres()
        facts |= {"user": uid, "group": gid, "extra_groups": []}
    return facts
