"""Kill -9 of a process at random moments under load, again and again; then the clients' log against the tables."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.drills.audit import Tables, Verdict, compare, verify_events
from tests.drills.client import Client
from tests.drills.journal import Journal
from tests.drills.tables import clients_of, differences
from tests.drills.wire import Wire
from tests.servers import RunningStack, running_stack

TARGETS = ("web", "worker", "postgres", "valkey")
SETTINGS = {
    "REPLI_THROTTLE": "false",
    "REPLI_BOT_PAUSE_MIN": "0",
    "REPLI_BOT_PAUSE_MAX": "0.02",
    "REPLI_SOCKET_MESSAGES_PER_SECOND": "1000",
    "REPLI_SOCKET_BURST": "1000",
}
BEFORE = 100  # acknowledged moves before each kill
GOES_ON = 90.0  # seconds after which a game that stands still has been lost


@dataclass(kw_only=True)
class Kill:
    """One killed process."""

    target: str
    process: str
    acknowledged_before: int  # since the kill before
    in_flight: list[str]
    again: float = 0.0  # seconds until the next process ran
    goes_on: float = 0.0  # seconds until a move that was begun after that was acknowledged


@dataclass(kw_only=True)
class Report:
    """What was observed; `broken` is empty if every promise was kept."""

    kills: list[Kill]
    journal: Journal
    verdict: Verdict
    tracebacks: list[str]
    broken: list[str]
    seconds: float


@dataclass(kw_only=True)
class Drill:
    """`each` kills of every target, or as many as fit into `seconds`."""

    stack: RunningStack
    targets: Sequence[str] = TARGETS
    each: int = 20
    seconds: float = 900.0
    tables: int = 5
    before: int = BEFORE
    seed: int = 1
    say: Callable[[str], None] = print
    kills: list[Kill] = field(default_factory=list)
    games: list[list[Client]] = field(default_factory=list)
    journal: Journal = field(default_factory=Journal)

    async def run(self) -> Report:
        begun = time.monotonic()
        dice = random.Random(self.seed)
        async with Wire(self.stack.urls, self.journal, dice) as wire, asyncio.TaskGroup() as together:
            ending = asyncio.Event()
            load = [together.create_task(self._load(wire, ending)) for _ in range(self.tables)]
            await self._kills(dice, begun + self.seconds)
            ending.set()
            async with asyncio.timeout(GOES_ON * 2):
                await asyncio.gather(*load)
            found = [await differences(client) for clients in self.games for client in clients]
        broken = [fault for faults in found for fault in faults]
        return await asyncio.to_thread(self._report, broken, begun)

    async def _load(self, wire: Wire, ending: asyncio.Event) -> None:
        """One game after the other, each to its end, so that every client can be compared with a fresh GET."""
        while not ending.is_set():
            game = await wire.opened(3, 4, quick=True, lives=2)
            clients = clients_of(wire, game.id, game.players, retries=0.6)
            self.games.append(clients)
            await asyncio.gather(*(client.run() for client in clients))

    async def _kills(self, dice: random.Random, limit: float) -> None:
        order = [target for target in self.targets for _ in range(self.each)]
        dice.shuffle(order)
        counted = 0
        for number, target in enumerate(order, 1):
            await self._moves(counted + self.before)
            if time.monotonic() > limit:
                self.say(f"time is over after {number - 1} of {len(order)} kills")
                return
            if target == "web":  # one of the two must be left to play on
                await asyncio.to_thread(self.stack.until_healthy, 60)
            await asyncio.sleep(dice.random() * 0.5)
            await self._until(lambda: bool(self.journal.in_flight), "nothing is in flight")
            kill = self._kill(target, dice, self.journal.acknowledged - counted)
            counted = self.journal.acknowledged
            await self._recovery(kill)
            self.say(
                f"{number:3}/{len(order)} {kill.process}: {len(kill.in_flight)} in flight, "
                f"again after {kill.again:.1f} s, play goes on after {kill.goes_on:.1f} s"
            )
        await self._moves(counted + self.before)

    async def _moves(self, number: int) -> None:
        await self._until(lambda: self.journal.acknowledged >= number, "play stands still")

    def _kill(self, target: str, dice: random.Random, acknowledged: int) -> Kill:
        running = self.stack.pids()
        process = dice.choice([name for name in running if name.split("-")[0] == target])
        flying = list(self.journal.in_flight)
        kill = Kill(target=target, process=process, acknowledged_before=acknowledged, in_flight=flying)
        self._killed_at, self._killed_pid = time.monotonic(), running[process]
        os.kill(running[process], signal.SIGKILL)
        self.kills.append(kill)
        return kill

    async def _recovery(self, kill: Kill) -> None:
        await asyncio.to_thread(self.stack.pid, kill.process, other_than=self._killed_pid, seconds=60)
        again = time.monotonic()
        kill.again = again - self._killed_at
        await self._until(lambda: self.journal.newest_acknowledged > again, "no move stands after the kill")
        kill.goes_on = self.journal.last_acknowledged - self._killed_at

    async def _until(self, reached: Callable[[], bool], otherwise: str) -> None:
        limit = time.monotonic() + GOES_ON
        while not reached():
            if time.monotonic() > limit:
                raise AssertionError(f"{otherwise} after {[kill.process for kill in self.kills[-3:]]}")
            await asyncio.sleep(0.003)

    def _report(self, broken: list[str], begun: float) -> Report:
        tables = Tables(self.stack, [clients[0].game_id for clients in self.games])
        verdict = compare(self.journal, tables)
        code, said = verify_events(self.stack)
        if code != 0:
            broken.append(f"verify_events: {said}")
        return Report(
            kills=self.kills,
            journal=self.journal,
            verdict=verdict,
            tracebacks=tracebacks(self.stack.said()),
            broken=[*self.journal.broken, *verdict.broken, *broken],
            seconds=time.monotonic() - begun,
        )


def tracebacks(log: str) -> list[str]:
    """The first line of code and the kind of every traceback in the log, by process, and how often it came."""
    found: Counter[str] = Counter()
    begun: dict[str, str] = {}
    for line in log.splitlines():
        process, _, words = line.partition("| ")
        if words.startswith('  File "'):
            begun.setdefault(process, words.strip())
        elif process in begun and not words.startswith("  "):
            found[f"{process.strip()}: {words.strip()}, {begun.pop(process)}"] += 1
    return [f"{times} x {line}" for line, times in found.items()]


def kill_drill(folder: Path, **settings: object) -> Report:
    """The whole drill on a stack of its own."""
    with running_stack(folder, web_processes=2, settings=SETTINGS) as stack:
        return asyncio.run(Drill(stack=stack, **settings).run())  # type: ignore[arg-type]
