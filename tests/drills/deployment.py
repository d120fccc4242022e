"""Web, worker and beat, as many as a deployment has, each a process of its own that is stopped and started by itself.

They are started by the very commands that `make run` uses; nobody restarts what dies. `Supervised` is the same for a
stack whose supervisor starts anew what has ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import httpx

from config.embedded import ports
from config.supervision import stack as programs
from config.supervision.program import Program
from tests.drills.audit import Servers
from tests.engines.servers import debian, missing
from tests.servers import CHECKOUT, RunningStack, running_stack

HOST = "127.0.0.1"
READY_LIMIT = 60.0
END_LIMIT = 45.0


@dataclass(kw_only=True)
class Restart:
    """One process that was asked to end and started anew; seconds since the signal. `code` is None if unknown."""

    process: str
    asked: float
    stopped: float
    code: int | None
    ready: float


class Fleet(Servers, Protocol):
    """What can be restarted, and where its web processes and servers are."""

    @property
    def urls(self) -> Sequence[str]: ...
    @property
    def names(self) -> Sequence[str]: ...

    def restart(self, name: str) -> Restart: ...
    def said(self) -> str: ...


class Deployment:
    """Processes on servers that are there already. `variables` hold the addresses and all settings."""

    def __init__(self, folder: Path, variables: dict[str, str], servers: Mapping[str, str], *, each: int = 2) -> None:
        self.data_dir = folder
        self.servers = servers
        self._variables = variables | {"REPLI_DATA_DIR": str(folder)}
        numbers: list[int] = []
        while len(numbers) < each:
            numbers.append(ports.free(besides=frozenset(numbers)))
        self.urls = [f"http://{HOST}:{port}" for port in numbers]
        webs = [programs.web(_numbered("web", at), HOST, port, self._variables) for at, port in enumerate(numbers)]
        workers = [_named(programs.worker(self._variables), "worker", at) for at in range(each)]
        beats = [_named(programs.beat(self._variables), "beat", at) for at in range(each)]
        self._programs: dict[str, Program] = {program.name: program for program in (*webs, *workers, *beats)}
        self._addresses = dict(zip((web.name for web in webs), self.urls, strict=True))
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def names(self) -> list[str]:
        return list(self._programs)

    def start(self) -> None:
        """Migrate as the owner, then start everything and wait until it is ready."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"]
        subprocess.run(command, cwd=CHECKOUT, env=os.environ | self._variables, check=True)
        for name in self._programs:
            self._start(name)
        for name in self._programs:
            self._until_ready(name, 0)

    def stop(self) -> dict[str, int | None]:
        """Ask all to end, the ones that serve first; exit codes."""
        codes = {}
        for name, process in self._running.items():
            process.terminate()
            codes[name] = self._ended(process)
        self._running = {}
        return codes

    def restart(self, name: str) -> Restart:
        """SIGTERM, wait for the end, start anew, wait until ready."""
        process, begun, said = self._running[name], time.monotonic(), len(self._log(name))
        process.terminate()
        code = self._ended(process)
        stopped = time.monotonic() - begun
        self._start(name)
        self._until_ready(name, said)
        return Restart(process=name, asked=begun, stopped=stopped, code=code, ready=time.monotonic() - begun)

    def said(self) -> str:
        """All logs, each line with its process's name in front."""
        return "\n".join(f"{name} | {line}" for name in self._programs for line in self._log(name).splitlines())

    def _start(self, name: str) -> None:
        program = self._programs[name]
        self._alive(name).unlink(missing_ok=True)
        with (self.data_dir / f"{name}.log").open("ab") as log:
            environment = {key: value for key, value in program.environment.items() if key != "SUPERUSER_DATABASE_URL"}
            environment["REPLI_ALIVE_FILE"] = str(self._alive(name))
            self._running[name] = subprocess.Popen(
                program.command,
                cwd=program.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _until_ready(self, name: str, said: int) -> None:
        """A web process answers `/readyz`, a worker says so past `said` characters of its log, beat has sent a task."""
        process, begun = self._running[name], time.monotonic()
        while True:
            assert process.poll() is None, f"{name} ended with code {process.returncode}:\n{self._log(name)[-3000:]}"
            assert time.monotonic() < begun + READY_LIMIT, f"{name} is not ready:\n{self._log(name)[-3000:]}"
            if self._is_ready(name, said):
                return
            time.sleep(0.05)

    def _is_ready(self, name: str, said: int) -> bool:
        if name in self._addresses:
            return _answers(f"{self._addresses[name]}/readyz")
        return self._alive(name).exists() or (self._programs[name].says or "\0") in self._log(name)[said:]

    def _alive(self, name: str) -> Path:
        return self.data_dir / f"{name}.alive"

    def _log(self, name: str) -> str:
        path = self.data_dir / f"{name}.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    @staticmethod
    def _ended(process: subprocess.Popen[bytes]) -> int | None:
        try:
            return process.wait(END_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return None


class Supervised:
    """A stack under its supervisor, as a fleet: a child that was asked to end is started anew by itself."""

    def __init__(self, stack: RunningStack) -> None:
        self._stack = stack
        self.urls, self.data_dir = stack.urls, stack.data_dir

    @property
    def servers(self) -> dict[str, str]:
        return self._stack.servers

    @property
    def names(self) -> list[str]:
        return [name for name in self._stack.pids() if name.split("-")[0] in {"web", "worker", "beat"}]

    def restart(self, name: str) -> Restart:
        pid, begun = self._stack.pid(name), time.monotonic()
        os.kill(pid, signal.SIGTERM)
        self._stack.pid(name, other_than=pid, seconds=END_LIMIT)
        stopped = time.monotonic() - begun
        if name.startswith("web"):
            self._stack.until_healthy(READY_LIMIT)
        return Restart(process=name, asked=begun, stopped=stopped, code=None, ready=time.monotonic() - begun)

    def said(self) -> str:
        return self._stack.said()


@contextmanager
def deployed(folder: Path, settings: dict[str, str], *, pgbouncer: bool = False) -> Iterator[tuple[Deployment, str]]:
    """A running deployment, and in words what it runs on: Debian's servers, or the embedded ones without these."""
    with ExitStack() as stack:
        if packages := missing(pgbouncer=pgbouncer):
            words = f"the embedded servers, since these packages are not installed: {', '.join(packages)}"
            embedded = stack.enter_context(running_stack(folder / "servers", servers_only=True))
            servers = embedded.servers
            names = ("DATABASE_URL", "MIGRATE_DATABASE_URL", "REDIS_URL")
            variables = {name: servers[name.lower()] for name in names}
        else:
            engines = stack.enter_context(debian(pgbouncer=pgbouncer))
            words, variables = ", ".join(engines.versions), engines.variables
            servers = {name.lower(): value for name, value in variables.items()}
        deployment = Deployment(folder / "processes", variables | settings, servers)
        try:
            deployment.start()
            yield deployment, words
        finally:
            deployment.stop()


async def restarted(fleet: Fleet, name: str) -> Restart:
    """`restart` beside an event loop."""
    return await asyncio.to_thread(fleet.restart, name)


def _answers(url: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return httpx.get(url, timeout=5).status_code == 200
    return False


def _numbered(name: str, place: int) -> str:
    return name if place == 0 else f"{name}-{place + 1}"


def _named(program: Program, name: str, place: int) -> Program:
    """One of several of a kind; workers on one machine need names of their own."""
    own = _numbered(name, place)
    extra = ("--hostname", f"{own}@%h") if name == "worker" else ()
    return dataclasses.replace(program, name=own, command=(*program.command, *extra))
