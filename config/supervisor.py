"""`make run`: the whole of Repli in the foreground, under one supervisor, with one log.

Order of life: embedded servers (unless DATABASE_URL and REDIS_URL name others), migrations, web, worker, beat;
and back in the opposite order. It imports no Django, so that its first line appears at once.
"""

import argparse
import asyncio
import fcntl
import json
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from config.embedded import ports, postgres, privileges, state, valkey
from config.embedded.trouble import Trouble
from config.environment import Environment, faults
from config.supervision import stack
from config.supervision.console import Console
from config.supervision.crew import PROCESSES_FILE, Crew, Stopped
from config.supervision.program import Program

READY_FILE = "ready"
ORDER_OF_END = (("web",), ("worker", "beat"), ("valkey", "postgres"))


class Supervisor:
    """One run of the stack on one data folder."""

    def __init__(self, environment: Environment, options: argparse.Namespace, console: Console) -> None:
        self._environment = environment
        self._options = options
        self._console = console
        self._data_dir = environment.data_dir.expanduser().resolve()
        self._ports = [] if options.servers_only else options.web_ports or [environment.port]
        self._instance: str | None = None

    async def run(self) -> int:
        """Start everything, run until asked to stop, stop everything; 0, or 1 after trouble."""
        self._console.say(f"starting; data folder: {self._data_dir}")
        with _locked(self._data_dir, self._ports):
            crew = Crew(self._data_dir, self._console)
            self._listen_to_signals(crew)
            code = 0
            try:
                await self._start(crew)
                await crew.until_stopped()
            except Stopped:
                pass
            except Trouble as trouble:
                self._console.say(str(trouble))
                code = 1
            finally:
                (self._data_dir / READY_FILE).unlink(missing_ok=True)
                self._console.say("stopping")
                await crew.end(ORDER_OF_END)
                self._discard()
            self._console.say("stopped")
            return code

    async def _start(self, crew: Crew) -> None:
        if not await crew.leftovers_gone(45, lambda: _end_leftovers(self._data_dir)) and not crew.stop.is_set():
            raise Trouble(f"Processes of an earlier run do not end; {self._data_dir / PROCESSES_FILE} has their ids.")
        for port in self._ports:
            _check_port(self._environment.host, port)
        urls = await self._start_servers(crew)
        if not self._options.servers_only:
            await self._start_application(crew, urls)
        (self._data_dir / READY_FILE).write_text(f"{os.getpid()}\n", encoding="utf-8")

    async def _start_servers(self, crew: Crew) -> dict[str, str]:
        """Start what is not named by the environment; all URLs by the name of their variable."""
        outside = self._environment
        given = {
            "DATABASE_URL": outside.database_url,
            "MIGRATE_DATABASE_URL": outside.migrate_database_url or outside.database_url,
            "REDIS_URL": outside.redis_url,
        }
        if outside.database_url and outside.redis_url:
            self._console.say("using the PostgreSQL and the Redis that DATABASE_URL and REDIS_URL name")
            return {name: url for name, url in given.items() if url}
        servers, new = state.load(self._data_dir)
        servers = state.with_free_ports(servers)
        state.save(self._data_dir, servers)
        self._instance = servers.instance
        programs, urls = self._embedded(servers, new=new)
        crew.start(*programs)
        await crew.ready(*programs)
        self._console.say(f"{' and '.join(program.name for program in programs)}: ready")
        return {name: url or urls[name] for name, url in given.items()}

    def _embedded(self, servers: state.Servers, *, new: bool) -> tuple[list[Program], dict[str, str]]:
        premises = privileges.choose(self._data_dir, servers.instance)
        if premises.user is not None:
            self._console.say(f"the servers run as user {premises.user.name}, with their data in {premises.data}")
        programs: list[Program] = []
        urls: dict[str, str] = {}
        if not self._environment.database_url:
            if not (premises.data / "postgres").exists():
                self._console.say("making the database (once)")
            postgres.prepare(premises, servers, new_secrets=new, quick=self._options.quick)
            programs.append(postgres.program(premises, servers, quick=self._options.quick))
            urls |= {"DATABASE_URL": servers.database_url, "MIGRATE_DATABASE_URL": servers.migrate_database_url}
        if not self._environment.redis_url:
            valkey.prepare(premises)
            programs.append(valkey.program(premises, servers))
            urls |= {"REDIS_URL": servers.redis_url}
        return programs, urls

    async def _start_application(self, crew: Crew, urls: dict[str, str]) -> None:
        host = self._environment.host
        urls = urls | {"REPLI_DATA_DIR": str(self._data_dir)}
        self._console.say("migrating the database")
        if await crew.once(stack.migrate(urls)) != 0:
            raise Trouble("The database could not be migrated; the reason is above.")
        self._console.say("starting web, worker and beat")
        names = ["web", *(f"web-{number}" for number in range(2, len(self._ports) + 1))]
        webs = [stack.web(name, host, port, urls) for name, port in zip(names, self._ports, strict=True)]
        others = [stack.worker(urls), stack.beat(urls)]
        crew.start(*webs, *others)
        await crew.ready(*webs, *others)
        self._console.say(_welcome(stack.address(host, self._ports[0])))

    def _listen_to_signals(self, crew: Crew) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGCHLD, crew.reap)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, crew.ask_to_stop)
        if self._options.until_stdin_closes:
            loop.add_reader(sys.stdin.fileno(), _stop_at_end, crew)

    def _discard(self) -> None:
        """A temporary run leaves nothing behind."""
        if self._options.temporary:
            if self._instance is not None and os.geteuid() == 0:
                shutil.rmtree(privileges.home_of(self._instance), ignore_errors=True)
            shutil.rmtree(self._data_dir, ignore_errors=True)


def _stop_at_end(crew: Crew) -> None:
    if not os.read(sys.stdin.fileno(), 1024):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        crew.stop.set()


def _locked(data_dir: Path, web_ports: Sequence[int]) -> IO[str]:
    """Make the data folder and hold its lock for this run."""
    try:
        if not data_dir.exists():
            data_dir.mkdir(parents=True)
            data_dir.chmod(0o711 if os.geteuid() == 0 else 0o700)
        lock = (data_dir / "lock").open("a+", encoding="utf-8")
    except OSError as error:
        raise Trouble(f"The data folder {data_dir} cannot be used: {error.strerror}. Set REPLI_DATA_DIR.") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip() or "another start"
        lock.close()
        raise Trouble(
            f"The data folder {data_dir} is in use by {holder}.\n"
            "Stop that one first, or start a second one beside it: make run PORT=8100 REPLI_DATA_DIR=.repli-8100"
        ) from None
    lock.truncate(0)
    lock.write(f"process {os.getpid()} (port {web_ports[0]})\n" if web_ports else f"process {os.getpid()}\n")
    lock.flush()
    return lock


def _check_port(host: str, port: int) -> None:
    try:
        taken = ports.taken(host, port)
    except OSError as error:
        raise Trouble(f"Cannot listen on {host}, port {port}: {error.strerror}. Set HOST and PORT.") from None
    if taken:
        raise Trouble(
            f"Port {port} on {host} is taken by another program. Choose another one: make run PORT={port + 100}"
        )


def _end_leftovers(data_dir: Path) -> None:
    """Ask the processes of an earlier run to end (where the kernel did not: not on Linux)."""
    with suppress(OSError, ValueError):
        for name, pid in json.loads((data_dir / PROCESSES_FILE).read_text(encoding="utf-8")).items():
            with suppress(OSError):
                os.kill(pid, signal.SIGINT if name == "postgres" else signal.SIGTERM)


def _welcome(url: str) -> str:
    return "\n".join(
        (
            "",
            f"Repli is ready: {url}",
            "To play: open it in a browser, press Play, and click the cards; three bots sit at your table.",
            f"From a program: POST {url}api/v1/accounts/guest/ gives a token, POST {url}api/v1/games/ a game.",
            f"Documentation: {url}api/v1/docs/    Stop: Ctrl-C",
            "",
        )
    )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m config.supervisor", description="Run Repli in the foreground.")
    parser.add_argument(
        "--web-ports",
        type=lambda text: [int(port) for port in text.split(",")],
        help="one ASGI process on each of these ports, as 8001,8002 (default: one on PORT)",
    )
    parser.add_argument("--servers-only", action="store_true", help="PostgreSQL and Valkey, nothing else")
    parser.add_argument("--quick", action="store_true", help="give up the disk's guarantees (tests)")
    parser.add_argument("--temporary", action="store_true", help="remove the data folder at the end")
    parser.add_argument("--until-stdin-closes", action="store_true", help="stop when standard input ends")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until stopped; 0 after a wished stop, 1 after trouble, said in plain words."""
    options = _options(arguments)
    console = Console()
    try:
        environment = Environment()
    except ValidationError as error:
        for fault in faults(error):
            console.say(f"setting {fault}")
        return 1
    try:
        with suppress(KeyboardInterrupt):  # pressed before we listened for it
            return asyncio.run(Supervisor(environment, options, console).run())
    except Trouble as trouble:  # before there was anything to stop
        console.say(str(trouble))
    return 1


if __name__ == "__main__":
    sys.exit(main())
