"""One seat's client: a socket that is opened again whenever it breaks, and moves over REST and socket in turn.

It knows what the messages told it and nothing else. A move whose answer was lost is repeated with its command id, or
given up; either way the events tell later what became of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any
from uuid import uuid4

import websockets
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from tests.drills.journal import Command
from tests.drills.wire import ONE_ANSWER, Account, Wire

MOVED_ON = {"stale-version", "not-your-turn"}
BROKEN = (OSError, TimeoutError, ConnectionClosed, InvalidHandshake, InvalidMessage)


class Client:
    """A seated player until the game is over."""

    def __init__(self, wire: Wire, game_id: str, account: Account, *, retries: float = 1.0) -> None:
        self.wire, self.journal, self.dice = wire, wire.journal, wire.dice
        self.game_id, self.account = game_id, account
        self.events: list[dict[str, Any]] = []
        self.outlook: dict[str, Any] = {"to_act": [], "legal_actions": [], "deadline": None}
        self.over = asyncio.Event()
        self._retries = retries
        self._changed = asyncio.Event()
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._again: Command | None = None  # a move to be repeated
        self._settled = 0  # the version at which nothing more is to be tried

    @property
    def version(self) -> int:
        """The last version that was received."""
        return len(self.events)

    async def run(self) -> None:
        """Play until the game is over."""
        closed = False
        while not self.over.is_set():
            address = self.wire.url().replace("http", "ws", 1)
            path = f"{address}/ws/v1/games/{self.game_id}/?after={self.version}"
            try:
                async with connect(
                    path, additional_headers=self.account.headers, open_timeout=10, close_timeout=1, proxy=None
                ) as socket:
                    self.journal.reopened += closed
                    await self._served(socket)
                    self.journal.closes["by the client at the end"] += 1
            except ConnectionClosed as end:
                closed = True
                self.journal.closed(end.rcvd.code if end.rcvd else 1006)
            except websockets.exceptions.InvalidStatus as refused:
                self.journal.handshake(refused.response.status_code, "retry-after" in refused.response.headers)
            except BROKEN as error:
                self.journal.answers[f"socket {type(error).__name__}"] += 1
            await asyncio.sleep(0 if self.over.is_set() else 0.05 + self.dice.random() * 0.2)

    async def _served(self, socket: ClientConnection) -> None:
        """Read and move until the game is over. Raises ConnectionClosed when the socket breaks."""
        tasks = [asyncio.create_task(self._read(socket)), asyncio.create_task(self._move(socket))]
        over = asyncio.create_task(self.over.wait())
        try:
            await asyncio.wait([*tasks, over], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (*tasks, over):
                task.cancel()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            self._answers.clear()
        for error in done:
            if isinstance(error, Exception):
                raise error

    # --- hearing ------------------------------------------------------------------------------------------------

    async def _read(self, socket: ClientConnection) -> None:
        while True:
            self._take(json.loads(await socket.recv()))

    def _take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "welcome":
                if message["version"] == self.version:
                    self._see(message["game"])
            case "events":
                self._append(message)
            case "ack" | "error" if message.get("command_id") in self._answers:
                answer = self._answers[message["command_id"]]
                if not answer.done():
                    answer.set_result(message)
            case "error":
                self.journal.promise(f"an error came unasked: {message['code']}")

    def _append(self, message: dict[str, Any]) -> None:
        for event in message["events"]:
            if event["seq"] != self.version + 1:
                kind = "again" if event["seq"] <= self.version else "after a hole"
                self.journal.promise(f"{self.game_id}: event {event['seq']} came {kind} after {self.version}")
                return
            self.events.append(event)
        if message["to_act"] is not None:
            self._see(message)
        if self.events[-1]["type"] in {"game_finished", "game_aborted"}:
            self.over.set()

    def _see(self, outlook: dict[str, Any]) -> None:
        self.outlook = {name: outlook[name] for name in self.outlook}
        self._changed.set()

    # --- moving -------------------------------------------------------------------------------------------------

    async def _move(self, socket: ClientConnection) -> None:
        while True:
            command = self._next()
            if command is None:
                self._changed.clear()
                await self._changed.wait()
                continue
            await self._send(command, socket)

    def _next(self) -> Command | None:
        """The move to be repeated, or a new one if there is something to do."""
        if self._again is not None:
            return self._again
        actions = self.outlook["legal_actions"]
        if not actions or self._settled >= self.version:
            return None
        action = dict(self.dice.choice(actions))
        if action.get("card") == "JK":
            action["as"] = "2C"
        command = Command(
            id=str(uuid4()),
            game_id=self.game_id,
            player_id=self.account.id,
            body={"action": action, "expected_version": self.version},
        )
        self.journal.begin(command)
        return command

    async def _send(self, command: Command, socket: ClientConnection) -> None:
        self._again = command if self.dice.random() < self._retries else None  # until there is an answer
        self.journal.sent(command)
        try:
            answered = await (self._by_rest(command) if self.dice.random() < 0.5 else self._by_socket(command, socket))
        finally:
            if command.outcome == "open":
                self.journal.lose(command)
        if not answered:
            await asyncio.sleep(0.05 + self.dice.random() * 0.2)

    async def _by_rest(self, command: Command) -> bool:
        path = f"/api/v1/games/{self.game_id}/moves/"
        answer = await self.wire.once("POST", path, self.account, command.body, command.id)
        if answer is None or answer.status_code >= 500:
            return False
        body = answer.json()
        await self._settle(command, body, None if answer.is_success else body["code"])
        return True

    async def _by_socket(self, command: Command, socket: ClientConnection) -> bool:
        answer = self._answers[command.id] = asyncio.get_running_loop().create_future()
        await socket.send(json.dumps({"type": "move", "command_id": command.id, **command.body}))
        try:
            async with asyncio.timeout(ONE_ANSWER):
                message = await answer
        except TimeoutError:
            self.journal.answers["socket no answer"] += 1
            return False
        code = message.get("code")
        if code is not None:
            self.journal.answer("socket", 500 if code == "internal" else 0, code)
        if code in {"unavailable", "internal"}:
            return False
        await self._settle(command, message, code)
        return True

    async def _settle(self, command: Command, answer: dict[str, Any], code: str | None) -> None:
        """The server has said whether the move stands."""
        self._again = None
        if code is None:
            self.journal.acknowledge(command, answer["version"], answer["receipt"])
            self._settled = max(self._settled, command.body["expected_version"])
            return
        self.journal.refuse(command, code)
        if code in MOVED_ON:
            self._settled = max(self._settled, command.body["expected_version"])
        elif code == "game-state":
            await self._back()
        else:
            self.journal.promise(f"{self.game_id}: a legal action was refused: {code}")

    async def _back(self) -> None:
        """A bot holds the seat, or the game is over."""
        answer = await self.wire.once("POST", f"/api/v1/games/{self.game_id}/resume/", self.account)
        if answer is not None and answer.is_success:
            self.journal.answers["seats taken back"] += 1
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                await self.over.wait()
