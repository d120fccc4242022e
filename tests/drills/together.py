"""Two processes are fed the same games' moves, over REST and sockets: nothing is lost, doubled or half.

Clients move where they are connected; now and then the same command goes to any process at the same time, or a rival
of it: another action of the same seat at the same version. One key has one outcome, and of two rivals one stands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import uuid4

from websockets.asyncio.client import ClientConnection

from tests.drills.audit import Tables, Verdict, compare, verify_events
from tests.drills.client import Client
from tests.drills.journal import Command
from tests.drills.tables import differences
from tests.drills.wire import Wire
from tests.servers import RunningStack

ENDS_WITHIN = 120.0  # seconds that the games under way may take when no other is begun
TWINS, RIVALS = 0.3, 0.3  # shares of the commands


@dataclass(kw_only=True)
class Seen:
    """What was observed."""

    twins: int = 0
    rivals: int = 0
    rivals_that_stand: int = 0
    verdict: Verdict = field(default_factory=Verdict)
    broken: list[str] = field(default_factory=list)


class Restless(Client):
    """A client whose commands have twins and rivals."""

    seen: Seen

    async def _send(self, command: Command, socket: ClientConnection) -> None:
        chance = self.dice.random()
        other = self._twin(command) if chance < TWINS else self._rival(command) if chance < TWINS + RIVALS else None
        beside = asyncio.create_task(other) if other else None
        try:
            await super()._send(command, socket)
        finally:
            if beside is not None:
                await asyncio.shield(beside)

    async def _ask(self, command: Command) -> dict[str, object] | None:
        path = f"/api/v1/games/{self.game_id}/moves/"
        answer = await self.wire.once("POST", path, self.account, command.body, command.id)
        if answer is None or answer.status_code >= 500:
            return None
        body: dict[str, object] = answer.json()
        return body

    async def _twin(self, command: Command) -> None:
        answer = await self._ask(command)
        self.seen.twins += 1
        if answer is None:
            return
        await _until(lambda: command.outcome != "open")
        said = (answer.get("code"), answer.get("version", 0), answer.get("receipt", ""))
        if command.outcome == "acknowledged" and said != (None, command.version, command.receipt):
            self.seen.broken.append(f"{self.game_id}: one key was answered {said} and {command.version}")
        if command.outcome == "refused" and answer.get("code") is None:
            self.seen.broken.append(f"{self.game_id}: one key stands and is refused with {command.code}")

    async def _rival(self, command: Command) -> None:
        action = dict(self.dice.choice(self.outlook["legal_actions"] or [command.body["action"]]))
        if action.get("card") == "JK":
            action["as"] = "2C"
        rival = Command(
            id=str(uuid4()), game_id=self.game_id, player_id=self.account.id, body=command.body | {"action": action}
        )
        self.journal.begin(rival)
        self.journal.sent(rival)
        answer = await self._ask(rival)
        self.seen.rivals += 1
        if answer is None:
            self.journal.lose(rival)
            return
        if (code := answer.get("code")) is not None:
            self.journal.refuse(rival, str(code))
            return
        self.journal.acknowledge(rival, int(str(answer["version"])), str(answer["receipt"]))
        self.seen.rivals_that_stand += 1
        await _until(lambda: command.outcome != "open")
        if command.outcome == "acknowledged":
            self.seen.broken.append(
                f"{self.game_id}: two rivals stand after version {command.body['expected_version']}"
            )


async def _until(happened: Callable[[], bool]) -> None:
    while not happened():  # noqa: ASYNC110  (the clients' states are plain values)
        await asyncio.sleep(0.01)


async def together(stack: RunningStack, wire: Wire, seconds: float, tables: int = 8) -> Seen:
    """Games one after the other at so many tables; begun games are played to their ends."""
    seen, games, ending = Seen(), list[list[Restless]](), asyncio.Event()

    async def play() -> None:
        while not ending.is_set():
            game = await wire.opened(4, 4, quick=True, lives=2)
            clients = [Restless(wire, game.id, account) for account in game.players]
            for client in clients:
                client.seen = seen
            games.append(clients)
            await asyncio.gather(*(client.run() for client in clients))

    async with asyncio.TaskGroup() as playing:
        for _ in range(tables):
            playing.create_task(play())
        await asyncio.sleep(seconds)
        ending.set()
        async with asyncio.timeout(ENDS_WITHIN):
            await _until(lambda: all(client.over.is_set() for clients in games for client in clients))
    for clients in games:
        for client in clients:
            seen.broken += await differences(client)
    stored = await asyncio.to_thread(Tables, stack, [clients[0].game_id for clients in games])
    seen.verdict = compare(wire.journal, stored)
    code, said = await asyncio.to_thread(verify_events, stack)
    seen.broken += seen.verdict.broken + ([] if code == 0 else [f"verify_events: {said}"])
    return seen
