"""Players, tables and sockets for tests, made through the services as the transports do. Nothing is mocked."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from uuid import UUID, uuid4

import msgspec
from asgiref.testing import ApplicationCommunicator
from django.db import connections

from accounts import tokens
from accounts.models import Player
from games.services import host, play, tables
from games.services.command import Caller
from games.services.tables import NewTable
from games.store.load import load
from games.ws.hub import hub
from games.ws.routing import application

WAIT = 5.0


class Someone(msgspec.Struct, frozen=True, kw_only=True):
    """A player with a token."""

    id: str
    token: str

    @property
    def caller(self) -> Caller:
        return Caller(player_id=self.id)

    @property
    def uuid(self) -> UUID:
        return UUID(self.id)


def somebody(name: str = "Ada") -> Someone:
    """A new guest."""
    player = Player.objects.create(display_name=name)
    return Someone(id=str(player.id), token=tokens.issue(player, "test").token)


def opened(
    players: Sequence[Someone],
    *,
    rules: str = "tiny",
    seats: int | None = None,
    options: dict[str, Any] | None = None,
    visibility: Any = "public",
) -> str:
    """A waiting table with these players on the first seats and bots on the others; its id."""
    count = seats or len(players)
    bots = [tables.BotSeat(seat=seat, level="easy") for seat in range(len(players), count)]
    new = NewTable(rules=rules, seats=count, options=options or {}, visibility=visibility, bots=bots)
    game_id: str = json.loads(tables.create_table(players[0].caller, new, None).body)["id"]
    for player in players[1:]:
        loaded = load(game_id)
        assert loaded is not None
        tables.join(Caller(player_id=player.id, code=loaded.code), game_id, None, None)
    return game_id


def started(players: Sequence[Someone], **table: Any) -> str:
    """A running table with these players on the first seats and bots on the others; its id."""
    game_id = opened(players, **table)
    tables.start(players[0].caller, game_id, None)
    return game_id


def state_of(game_id: str) -> Any:
    """The ruleset's own state of a game as it stands."""
    loaded = load(game_id)
    assert loaded is not None
    return loaded.table.state


def moved(player: Someone, game_id: str, action: dict[str, Any]) -> dict[str, Any]:
    """Let a player act; the answer."""
    answer: dict[str, Any] = json.loads(play.move(player.caller, game_id, action, None, None).body)
    return answer


def together(*calls: Callable[[], Any]) -> list[Any]:
    """Run calls at the same moment, each in a thread and on a connection of its own; their results or exceptions."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return call()
        except Exception as error:  # noqa: BLE001  (the test looks at it)
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(run, call) for call in calls]]


@contextmanager
def database_away() -> Iterator[None]:
    """No new connection finds the database; those that are open stay."""
    settings = connections.settings["default"]
    port = settings["PORT"]
    settings["PORT"] = "1"
    try:
        yield
    finally:
        settings["PORT"] = port


class Client:
    """One socket, as a client holds it."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def connect(self) -> tuple[bool, str | None]:
        """Whether the handshake is accepted, and with which subprotocol."""
        await self.inner.send_input({"type": "websocket.connect"})
        answer = await self.inner.receive_output(timeout=WAIT)
        return answer["type"] == "websocket.accept", answer.get("subprotocol")

    async def disconnect(self, code: int = 1000) -> None:
        await self.inner.send_input({"type": "websocket.disconnect", "code": code})
        await self.inner.wait(timeout=WAIT)

    async def send(self, **message: Any) -> None:
        await self.send_text(json.dumps(message))

    async def send_text(self, text: str) -> None:
        await self.inner.send_input({"type": "websocket.receive", "text": text})

    async def next(self) -> dict[str, Any]:
        """The next message."""
        output = await self.inner.receive_output(timeout=WAIT)
        assert output["type"] == "websocket.send", output
        message: dict[str, Any] = json.loads(output["text"])
        return message

    async def of(self, kind: str) -> dict[str, Any]:
        """The next message of this type; others before it are passed over."""
        while (message := await self.next())["type"] != kind:
            pass
        return message

    async def close_code(self) -> int:
        """The code with which the server closes; messages before that are passed over."""
        while (message := await self.inner.receive_output(timeout=WAIT))["type"] != "websocket.close":
            pass
        code: int = message["code"]
        return code

    async def silence(self) -> bool:
        return bool(await self.inner.receive_nothing(timeout=0.2))


def socket_to(
    path: str, token: str | None, headers: Sequence[tuple[bytes, bytes]] = (), subprotocols: Sequence[str] = ()
) -> Client:
    """A socket that is not yet connected."""
    own = [] if token is None else [(b"authorization", f"Bearer {token}".encode())]
    address, _, query = path.partition("?")
    scope = {
        "type": "websocket",
        "path": address,
        "query_string": query.encode(),
        "headers": [*own, *headers],
        "subprotocols": list(subprotocols),
    }
    communicator: Any = ApplicationCommunicator  # untyped
    return Client(communicator(application, scope))


@asynccontextmanager
async def socket(who: Someone | None, path: str) -> AsyncIterator[Client]:
    """An open socket, closed at the end."""
    client = socket_to(path, who.token if who else None)
    assert (await client.connect())[0]
    try:
        yield client
    finally:
        await client.disconnect()


@asynccontextmanager
async def at_game(who: Someone, game_id: str, query: str = "") -> AsyncIterator[tuple[Client, dict[str, Any]]]:
    """A game's socket and its welcome."""
    async with socket(who, f"/ws/v1/games/{game_id}/{query}") as client:
        yield client, await client.of("welcome")


async def hub_stopped() -> None:
    """End what the hub and the host of this loop run in the background."""
    await hub().stop()
    await host.stop()


def unique(prefix: str) -> str:
    return f"{prefix}-{uuid4().hex[:12]}"
