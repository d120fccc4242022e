"""All services together: who runs (written to `processes.json`), who failed, and the one end for all."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from config.embedded.state import write_private
from config.supervision.child import Child, open_lock, try_lock
from config.supervision.console import Console
from config.supervision.program import Program
from config.supervision.service import Service

PROCESSES_FILE = "processes.json"


class Stopped(Exception):
    """Raised inside the start when it is asked to stop."""


class Crew:
    """The services of one data folder and their children."""

    def __init__(self, data_dir: Path, console: Console) -> None:
        self.stop = asyncio.Event()
        self._hurry = asyncio.Event()
        self._data_dir = data_dir
        self._locks = data_dir / "locks"
        self._locks.mkdir(exist_ok=True)
        self._console = console
        self._services: dict[str, Service] = {}
        self._keepers: list[asyncio.Task[None]] = []
        self._single: Child | None = None

    def ask_to_stop(self) -> None:
        """Stop in good order; asked a second time, in a hurry."""
        (self._hurry if self.stop.is_set() else self.stop).set()

    async def leftovers_gone(self, seconds: float, ask: Callable[[], None]) -> bool:
        """Wait until no process of an earlier run holds a lock; after a while `ask` them to end."""
        clock = asyncio.get_running_loop()
        begun, asked = clock.time(), False
        while not all(self._free(path) for path in self._locks.glob("*.lock")):
            waited = clock.time() - begun
            if waited > seconds or self.stop.is_set():
                return False
            if waited > 1 and not asked:
                self._console.say("waiting for the last processes of an earlier run to end")
                ask()
                asked = True
            await asyncio.sleep(0.05)
        return True

    def start(self, *programs: Program) -> None:
        """Keep these programs running from now on."""
        for program in programs:
            service = Service(program, self._locks, self._console, self._note, self._recovered, self._hurry)
            self._services[program.name] = service
        for program in programs:
            self._keepers.append(asyncio.create_task(self._services[program.name].keep(self._services)))

    async def ready(self, *programs: Program) -> None:
        """Wait until all of them answer. Raises Trouble when one cannot be started, Stopped when asked to stop."""
        await self._unless_stopped(asyncio.gather(*(self._services[p.name].ready.wait() for p in programs)))

    async def once(self, program: Program) -> int:
        """Run a program to its end; its exit code."""
        with open_lock(self._locks / f"{program.name}.lock") as lock:
            try_lock(lock)
            child = Child(program, lock, lambda line: self._console.write(program.name, line))
        self._single = child
        try:
            await self._unless_stopped(child.finish())
        finally:
            child.send(program.force)
            await child.exited.wait()
            self._single = None
        return child.code

    async def until_stopped(self) -> None:
        """Wait for the wish to stop. Raises Trouble when a service gives up."""
        with contextlib.suppress(Stopped):
            await self._unless_stopped(self.stop.wait())

    async def end(self, groups: Sequence[Sequence[str]]) -> None:
        """Stop the services, group after group."""
        for group in groups:
            members = [service for name, service in self._services.items() if name.split("-")[0] in group]
            await asyncio.gather(*(service.stop() for service in members))
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        (self._data_dir / PROCESSES_FILE).unlink(missing_ok=True)

    def reap(self) -> None:
        """Look which children have ended; called at every SIGCHLD."""
        children = [service.child for service in self._services.values()]
        for child in (*children, self._single):
            if child is not None:
                child.poll()

    async def _unless_stopped(self, wanted: Awaitable[object]) -> None:
        task = asyncio.ensure_future(wanted)
        stop = asyncio.create_task(self.stop.wait())
        try:
            await asyncio.wait({task, stop, *self._keepers}, return_when=asyncio.FIRST_COMPLETED)
            for keeper in self._keepers:
                if keeper.done():
                    keeper.result()  # raises the Trouble that ended it
            if not task.done():
                raise Stopped
        finally:
            task.cancel()
            stop.cancel()
            await asyncio.gather(task, stop, return_exceptions=True)

    def _recovered(self, name: str) -> None:
        """A service came back: those that do not notice by themselves are started anew."""
        for service in self._services.values():
            if name in service.program.restart_after:
                service.again()

    def _note(self) -> None:
        """Write down who runs, for tests and tools."""
        living = {name: service.child.pid for name, service in self._services.items() if service.child is not None}
        write_private(self._data_dir / PROCESSES_FILE, json.dumps(living) + "\n")

    def _free(self, path: Path) -> bool:
        with open_lock(path) as lock:
            return try_lock(lock)
