"""Real servers for the suite, and the whole stack as a subprocess for tests that kill its parts.

`TestServers` is one per run: addresses are known at once (Django's settings need them), the servers start when the
first test needs them. Outside servers are honoured through DATABASE_URL, MIGRATE_DATABASE_URL,
SUPERUSER_DATABASE_URL (it may create databases) and REDIS_URL. Nothing survives the run, also when pytest is killed.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from config.embedded import ports, privileges, state

CHECKOUT = Path(__file__).resolve().parent.parent
START_LIMIT = 90.0


class TestServers:
    """PostgreSQL and Redis of one test run, with a database of its own."""

    __test__ = False

    def __init__(self) -> None:
        self.data_dir = _open_folder()
        self._outside = {name: os.environ[name] for name in _VARIABLES if os.environ.get(name)}
        embedded, _ = state.load(self.data_dir)
        self._database = f"repli_test_{secrets.token_hex(4)}" if self._outside.get("DATABASE_URL") else state.DATABASE
        self.database_url = self._url("DATABASE_URL", embedded.database_url)
        self.migrate_database_url = self._url("MIGRATE_DATABASE_URL", embedded.migrate_database_url)
        self.superuser_database_url = self._url("SUPERUSER_DATABASE_URL", embedded.superuser_database_url)
        self.redis_url = self._outside.get("REDIS_URL") or embedded.redis_url
        self._supervisor: subprocess.Popen[bytes] | None = None
        self._started = False
        atexit.register(self.stop)

    @property
    def variables(self) -> dict[str, str]:
        """The environment in which the application finds these servers."""
        return {
            "DATABASE_URL": self.database_url,
            "MIGRATE_DATABASE_URL": self.migrate_database_url,
            "REDIS_URL": self.redis_url,
            "REPLI_DATA_DIR": str(self.data_dir),
        }

    def start(self) -> None:
        """Start what is ours, make the database and migrate it as its owner. Once; later calls do nothing."""
        if self._started:
            return
        self._started = True
        if not (self._outside.get("DATABASE_URL") and self._outside.get("REDIS_URL")):
            self._start_embedded()
        if self._outside.get("DATABASE_URL"):
            self._create_outside_database()
        _checked([sys.executable, "manage.py", "migrate", "--verbosity", "0"], os.environ | self.variables)

    def stop(self) -> None:
        """Stop and remove everything that this run made. Later calls do nothing."""
        if self._started and self._outside.get("DATABASE_URL"):
            self._drop_outside_database()
        self._started = False
        if self._supervisor is not None:
            assert self._supervisor.stdin is not None
            self._supervisor.stdin.close()
            self._supervisor.wait(60)
            self._supervisor = None
        shutil.rmtree(self.data_dir, ignore_errors=True)

    def _url(self, name: str, embedded: str) -> str:
        """The address for one role; outside, a role that is not named is the next more powerful one that is."""
        if not self._outside.get("DATABASE_URL"):
            return embedded
        fallback = {
            "DATABASE_URL": ("DATABASE_URL",),
            "MIGRATE_DATABASE_URL": ("MIGRATE_DATABASE_URL", "DATABASE_URL"),
            "SUPERUSER_DATABASE_URL": ("SUPERUSER_DATABASE_URL", "MIGRATE_DATABASE_URL", "DATABASE_URL"),
        }
        return with_database(next(self._outside[n] for n in fallback[name] if n in self._outside), self._database)

    def _start_embedded(self) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in _VARIABLES}
        environment |= {name: self._outside[name] for name in ("DATABASE_URL", "REDIS_URL") if name in self._outside}
        with (self.data_dir / "log").open("wb") as log:
            self._supervisor = subprocess.Popen(
                [sys.executable, "-m", "config.supervisor", *_SERVERS_ONLY],
                cwd=CHECKOUT,
                env=environment | {"REPLI_DATA_DIR": str(self.data_dir)},
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        _until_ready(self._supervisor, self.data_dir, self.data_dir / "log")

    def _create_outside_database(self) -> None:
        owner = urlsplit(self.migrate_database_url).username or ""
        statement = sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(self._database), sql.Identifier(owner))
        with psycopg.connect(with_database(self.superuser_database_url, "postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def _drop_outside_database(self) -> None:
        statement = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(self._database))
        with psycopg.connect(with_database(self.superuser_database_url, "postgres"), autocommit=True) as connection:
            connection.execute(statement)


@dataclass(kw_only=True)
class RunningStack:
    """The whole of Repli as a subprocess: one supervisor and its children."""

    data_dir: Path
    ports: Sequence[int]
    supervisor: subprocess.Popen[bytes]
    log: Path
    host: str = "127.0.0.1"

    @property
    def url(self) -> str:
        """The address of the first web process, without a slash at the end."""
        return f"http://{self.host}:{self.ports[0]}"

    @property
    def urls(self) -> list[str]:
        """The addresses of all web processes."""
        return [f"http://{self.host}:{port}" for port in self.ports]

    @property
    def servers(self) -> dict[str, str]:
        """`servers.json`: database_url, migrate_database_url, superuser_database_url, redis_url and more."""
        found: dict[str, str] = json.loads((self.data_dir / state.FILE).read_text(encoding="utf-8"))
        return found

    def pids(self) -> dict[str, int]:
        """The children alive now, by name: postgres, valkey, web, web-2, ..., worker, beat."""
        found: dict[str, int] = json.loads((self.data_dir / "processes.json").read_text(encoding="utf-8"))
        return found

    def pid(self, name: str, *, other_than: int | None = None, seconds: float = 30) -> int:
        """The child's process id, waiting until it runs (as another process than `other_than`)."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            pid = self.pids().get(name)
            if pid is not None and pid != other_than:
                return pid
            time.sleep(0.02)
        raise AssertionError(f"{name} does not run again; the log says:\n{self.said()}")

    def until_healthy(self, seconds: float = 30) -> None:
        """Wait until every web process answers its health check."""
        limit = time.monotonic() + seconds
        for url in self.urls:
            while not _is_healthy(url):
                assert time.monotonic() < limit, f"{url} does not answer; the log says:\n{self.said()}"
                time.sleep(0.05)

    def kill(self, name: str) -> int:
        """Send SIGKILL to the child `name`; its process id."""
        pid = self.pid(name)
        os.kill(pid, signal.SIGKILL)
        return pid

    def said(self) -> str:
        """The log so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Stop the supervisor by a signal; its exit code."""
        if self.supervisor.poll() is None:
            self.supervisor.send_signal(number)
        return self.supervisor.wait(60)


@contextlib.contextmanager
def running_stack(
    data_dir: Path,
    port: int | None = None,
    *,
    web_processes: int = 1,
    settings: Mapping[str, str] | None = None,
    servers_only: bool = False,
) -> Iterator[RunningStack]:
    """Start everything on `data_dir` with embedded servers of its own, yield when it answers, stop it at the end.

    `settings` are further environment variables. The data stay, so that a second stack may go on with them.
    """
    numbers = [port or ports.free()]
    while len(numbers) < web_processes:
        numbers.append(ports.free(besides=frozenset(numbers)))
    environment = {name: value for name, value in os.environ.items() if name not in _VARIABLES}
    environment |= {"REPLI_DATA_DIR": str(data_dir), "PORT": str(numbers[0]), "HOST": "127.0.0.1", **(settings or {})}
    extra = ["--servers-only"] if servers_only else ["--web-ports", ",".join(map(str, numbers))]
    data_dir.mkdir(parents=True, exist_ok=True)
    log = data_dir.with_name(f"{data_dir.name}.log")
    with log.open("ab") as output:
        supervisor = subprocess.Popen(
            [sys.executable, "-m", "config.supervisor", "--until-stdin-closes", *extra],
            cwd=CHECKOUT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    stack = RunningStack(data_dir=data_dir, ports=numbers, supervisor=supervisor, log=log)
    atexit.register(_remove_home, data_dir)
    try:
        _until_ready(supervisor, data_dir, log)
        yield stack
    finally:
        stack.stop()
        assert supervisor.stdin is not None
        with contextlib.suppress(OSError):
            supervisor.stdin.close()


_VARIABLES = ("DATABASE_URL", "MIGRATE_DATABASE_URL", "SUPERUSER_DATABASE_URL", "REDIS_URL", "REPLI_DATA_DIR", "PORT")
_SERVERS_ONLY = ("--servers-only", "--quick", "--temporary", "--until-stdin-closes")


def _open_folder() -> Path:
    """A temporary folder that the servers' user can enter, so that nothing need be copied for it."""
    folder = Path(tempfile.mkdtemp(prefix="repli-tests-"))
    folder.chmod(0o711)
    return folder


def _until_ready(supervisor: subprocess.Popen[bytes], data_dir: Path, log: Path) -> None:
    limit = time.monotonic() + START_LIMIT
    wanted = f"{supervisor.pid}\n"
    while True:
        with contextlib.suppress(OSError):
            if (data_dir / "ready").read_text(encoding="utf-8") == wanted:
                return
        if supervisor.poll() is not None or time.monotonic() > limit:
            said = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
            raise RuntimeError(f"the servers did not start:\n{said}")
        time.sleep(0.02)


def _is_healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _checked(command: Sequence[str], environment: Mapping[str, str]) -> None:
    done = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def with_database(url: str, name: str) -> str:
    """The same server's database of that name."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def _remove_home(data_dir: Path) -> None:
    """Remove what a stack that ran as root may have kept outside its data folder."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        instance = json.loads((data_dir / state.FILE).read_text(encoding="utf-8"))["instance"]
        if os.geteuid() == 0:
            shutil.rmtree(privileges.home_of(instance), ignore_errors=True)
