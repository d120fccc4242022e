"""Many at once, over REST and sockets on all server processes: one of them wins, and a repeat gets the first answer."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect

from tests.drills.wire import ONE_ANSWER, Account, Opened, Wire

LINES = 2  # sockets of each player at each process


@dataclass(kw_only=True)
class Rounds:
    """What was observed."""

    rounds: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One answer: `raw` as it came, `code` empty if the move stands."""

    transport: str
    raw: bytes
    code: str
    version: int
    receipt: str


class Line:
    """An open socket that notes the answers to commands."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self._answers: dict[str, asyncio.Queue[str]] = {}
        self.reader = asyncio.create_task(self._read())

    async def ask(self, command_id: str, body: dict[str, Any]) -> Reply:
        answers = self._answers.setdefault(command_id, asyncio.Queue())
        await self.socket.send(json.dumps({"type": "move", "command_id": command_id, **body}))
        async with asyncio.timeout(ONE_ANSWER):
            text = await answers.get()
        message = json.loads(text)
        return Reply(
            transport="socket",
            raw=text.encode(),
            code=message.get("code", ""),
            version=message.get("version", 0),
            receipt=message.get("receipt", ""),
        )

    async def _read(self) -> None:
        async for frame in self.socket:
            text = frame if isinstance(frame, str) else frame.decode()
            message = json.loads(text)
            if message["type"] in {"ack", "error"}:
                self._answers.setdefault(message["command_id"], asyncio.Queue()).put_nowait(text)


class Table:
    """A running game of two players and all their lines."""

    def __init__(self, wire: Wire, opened: Opened, lines: dict[str, list[Line]]) -> None:
        self.wire, self.id, self.players, self.lines = wire, opened.id, opened.players, lines

    async def acting(self) -> tuple[Account, dict[str, Any], Account]:
        """Who is to act, the game as that player sees it, and the other one."""
        views = [await self.wire.game(self.id, player) for player in self.players]
        seat = next(number for number, view in enumerate(views) if view["legal_actions"])
        return self.players[seat], views[seat], self.players[1 - seat]

    async def at_once(self, player: Account, commands: Sequence[tuple[str, dict[str, Any]]]) -> list[Reply]:
        """Every command at the same moment, half of them over REST and half over the player's sockets."""
        lines = self.lines[player.id]
        first = self.wire.dice.randrange(2)
        return await asyncio.gather(
            *(
                self.by_rest(player, key, body)
                if number % 2 == first
                else lines[number // 2 % len(lines)].ask(key, body)
                for number, (key, body) in enumerate(commands)
            )
        )

    async def by_rest(self, player: Account, key: str, body: dict[str, Any]) -> Reply:
        answer = await self.wire.once("POST", f"/api/v1/games/{self.id}/moves/", player, body, key)
        assert answer is not None, "the server answers"
        document = answer.json()
        return Reply(
            transport="REST",
            raw=answer.content,
            code="" if answer.status_code == 201 else f"{answer.status_code} {document['code']}",
            version=document.get("version", 0),
            receipt=document.get("receipt", ""),
        )


@asynccontextmanager
async def table_for_two(wire: Wire) -> AsyncIterator[Table]:
    """A game whose every move is ours."""
    opened = await wire.opened(2, 2)
    async with AsyncExitStack() as closing:
        lines: dict[str, list[Line]] = {}
        for player in opened.players:
            for url in wire.urls * LINES:
                address = f"{url.replace('http', 'ws', 1)}/ws/v1/games/{opened.id}/"
                socket = await closing.enter_async_context(
                    connect(address, additional_headers=player.headers, open_timeout=ONE_ANSWER, proxy=None)
                )
                lines.setdefault(player.id, []).append(Line(socket))
        yield Table(wire, opened, lines)


def _body(view: dict[str, Any]) -> dict[str, Any]:
    return {"action": view["legal_actions"][0], "expected_version": view["version"]}


async def same_version(table: Table, seen: Rounds, moves: int = 50) -> None:
    """That many moves of one seat at one expected version: one stands, the others are 409."""
    player, view, _ = await table.acting()
    replies = await table.at_once(player, [(str(uuid4()), _body(view)) for _ in range(moves)])
    seen.rounds += 1
    seen.answers.update(f"{reply.transport} {reply.code or 'stands'}" for reply in replies)
    standing = [reply for reply in replies if not reply.code]
    refused = [reply for reply in replies if reply.code.removeprefix("409 ") in {"stale-version", "not-your-turn"}]
    if len(standing) != 1 or len(refused) != moves - 1:
        seen.broken.append(f"{len(standing)} of {moves} stand, {len(refused)} are refused as they should be")
    after = await table.wire.game(table.id, player)
    if standing and after["version"] != standing[0].version:
        seen.broken.append(f"the game is at {after['version']}, the move that stands at {standing[0].version}")


async def same_key(table: Table, seen: Rounds, repeats: int = 20) -> None:
    """One command that many times, then the other player's own command with an equal key."""
    player, view, other = await table.acting()
    key = str(uuid4())
    replies = await table.at_once(player, [(key, _body(view))] * repeats)
    seen.rounds += 1
    seen.answers.update(f"{reply.transport} {reply.code or 'answered'}" for reply in replies)
    for transport in ("REST", "socket"):
        different = {reply.raw for reply in replies if reply.transport == transport}
        if len(different) != 1:
            seen.broken.append(f"{len(different)} different answers over {transport}")
    if len({(reply.code, reply.version, reply.receipt) for reply in replies}) != 1 or replies[0].code:
        seen.broken.append("REST and socket do not answer the same")
    after = await table.wire.game(table.id, player)
    if after["version"] != replies[0].version:
        seen.broken.append(f"the game is at {after['version']}, the answers say {replies[0].version}")
    turn, view, _ = await table.acting()
    if turn == other:
        equal = await table.by_rest(other, key, _body(view))
        again = await table.lines[other.id][0].ask(key, _body(view))
        seen.answers["the other's equal key: its own event"] += 1
        if equal.code or equal.version <= replies[0].version or again.receipt != equal.receipt:
            seen.broken.append("another player's equal key is not independent")


async def races(wire: Wire, rounds: int) -> tuple[Rounds, Rounds]:
    """Both kinds, so many rounds each."""
    versions, keys = Rounds(), Rounds()
    while versions.rounds < rounds or keys.rounds < rounds:
        async with table_for_two(wire) as table:
            for _ in range(4):  # few enough for any game to go on
                if versions.rounds < rounds:
                    await same_version(table, versions)
                if keys.rounds < rounds:
                    await same_key(table, keys)
    versions.broken += wire.journal.broken
    return versions, keys
