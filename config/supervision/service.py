"""Keeping one program alive: start it when what it needs is ready, start it again when it dies, stop it in order."""

import asyncio
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

from config.embedded.trouble import Trouble
from config.supervision.child import Child, open_lock, try_lock
from config.supervision.console import Console
from config.supervision.program import Program

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0
PROVEN = 2.0  # seconds after which a run counts as a good one, and the next pause is short again
LEFTOVER_LIMIT = 45.0
LAST_SECONDS = 5.0
PROBE_PAUSE = 0.05
WATCH_PAUSE = 3.0
PATIENCE = 10.0  # seconds that a program gets to say that it is ready


class Service:
    """One program that is to run for as long as the stack does. `ready` is set while it answers."""

    def __init__(
        self,
        program: Program,
        locks: Path,
        console: Console,
        changed: Callable[[], None],
        recovered: Callable[[str], None],
        hurry: asyncio.Event,
    ) -> None:
        self.program = program
        self.ready = asyncio.Event()
        self.child: Child | None = None
        self._lock = locks / f"{program.name}.lock"
        self._console = console
        self._changed = changed
        self._recovered = recovered
        self._hurry = hurry
        self._endings: set[asyncio.Task[None]] = set()
        self._said = False
        self._stopping = asyncio.Event()

    async def keep(self, services: Mapping[str, "Service"]) -> None:
        """Run the program again and again until `stop`; Trouble when its very first start does not succeed."""
        clock = asyncio.get_running_loop()
        pause, proven = FIRST_PAUSE, False
        while True:
            for name in set(self.program.needs) & set(services):  # servers outside are nobody's to wait for
                await services[name].ready.wait()
            if self._stopping.is_set():
                return
            started = clock.time()
            child = await self._start()
            answered = await self._until_ready(child)
            if answered and proven:
                self._recovered(self.program.name)
            proven = proven or answered
            watch = asyncio.create_task(self._watch(child))
            await child.finish()
            watch.cancel()
            self.ready.clear()
            self.child = None
            self._changed()
            if self._stopping.is_set():
                return
            if not proven:
                raise Trouble(f"{self.program.name} could not be started ({child.ending}); its own words are above.")
            # A program that was killed did not fail by itself: no need to wait for whatever made it fail.
            blameless = clock.time() - started > PROVEN or child.code == -signal.SIGKILL
            pause = FIRST_PAUSE if blameless else min(pause * 2, LONGEST_PAUSE)
            self._console.say(f"{self.program.name} {child.ending}; starting it again")
            await asyncio.sleep(pause)

    async def stop(self) -> None:
        """Ask the program to end, and make it end when its time is over."""
        self._stopping.set()
        if self.child is not None:
            await self._end(self.child)

    def again(self) -> None:
        """End this run, so that another one follows."""
        if self.child is not None and not self._stopping.is_set():
            ending = asyncio.create_task(self._end(self.child))
            self._endings.add(ending)
            ending.add_done_callback(self._endings.discard)

    async def _end(self, child: Child) -> None:
        child.send(self.program.stop)
        await _within(self.program.grace, child.exited, self._hurry)
        for number in (self.program.force, signal.SIGKILL):
            if child.exited.is_set():
                return
            self._console.say(f"{self.program.name} is made to end")
            child.send(number)
            await _within(LAST_SECONDS, child.exited)

    async def _start(self) -> Child:
        """Start the program once no process of an earlier run is left."""
        with open_lock(self._lock) as lock:
            await self._alone(lock)
            self.program.before()
            self._said = not self.program.says
            self.child = Child(self.program, lock, self._write)
        self._changed()
        return self.child

    async def _watch(self, child: Child) -> None:
        """End a run that goes on without working."""
        clock = asyncio.get_running_loop()
        begun = clock.time()
        while True:
            await asyncio.sleep(WATCH_PAUSE)
            if not await self.program.lives(clock.time() - begun):
                break
        self._console.say(f"{self.program.name} runs but shows no sign of life")
        await self._end(child)

    def _write(self, line: str) -> None:
        self._said = self._said or self.program.says in line
        if not any(noise in line for noise in self.program.noise):
            self._console.write(self.program.name, line)

    async def _alone(self, lock: IO[bytes]) -> None:
        """Hold the lock that every process of an earlier run inherited."""
        clock = asyncio.get_running_loop()
        begun, said = clock.time(), False
        while not try_lock(lock):
            if clock.time() > begun + LEFTOVER_LIMIT:
                raise Trouble(
                    f"A process of an earlier {self.program.name} does not end. End it by hand "
                    f"(`fuser -v '{self._lock}'` names it), then start again."
                )
            if not said and clock.time() > begun + 1:
                self._console.say(f"waiting for the last process of an earlier {self.program.name} to end")
                said = True
            await asyncio.sleep(PROBE_PAUSE)

    async def _until_ready(self, child: Child) -> bool:
        """Ask the program until it answers or ends; one that takes too long is made to end."""
        clock = asyncio.get_running_loop()
        begun = clock.time()
        limit = begun + self.program.start_limit
        while not child.exited.is_set():
            if (self._said or clock.time() > begun + PATIENCE) and await self.program.answers():
                self.ready.set()
                return True
            if clock.time() > limit:
                self._console.say(f"{self.program.name} did not answer within {self.program.start_limit:.0f} seconds")
                child.send(self.program.force)
                limit = float("inf")
            await _within(PROBE_PAUSE, child.exited)
        return False


async def _within(seconds: float, wanted: asyncio.Event, *others: asyncio.Event) -> bool:
    """Wait for any of the events, at most `seconds`; whether the first one came."""
    waits = [asyncio.create_task(event.wait()) for event in (wanted, *others)]
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
    return wanted.is_set()
