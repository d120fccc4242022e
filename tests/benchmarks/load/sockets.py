"""Games played over sockets: a listener for each seat, a table for each game.

A move counts when it is acknowledged and its events are there on every connected socket of the game. Of a message no
more is decoded than a player needs for the next move.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from time import perf_counter

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from tests.benchmarks.load.orders import Game, Step

_choose = random.Random(1).choice
_TEXT, _CLOSE = WSMsgType.TEXT, WSMsgType.CLOSE


class _Document(msgspec.Struct):
    version: int
    legal_actions: list[msgspec.Raw]


class _Message(msgspec.Struct):
    type: str
    version: int = 0
    legal_actions: list[msgspec.Raw] | None = None
    game: _Document | None = None
    code: str = ""


_decode = msgspec.json.Decoder(_Message).decode


class Table:
    """A game with its sockets; at most one move is on its way."""

    __slots__ = (
        "acknowledged", "actions", "arrived", "game", "on_move", "position", "seats", "sent", "to_act", "under_way",
        "version",
    )  # fmt: skip

    def __init__(self, game: Game, on_move: Callable[[Table], None]) -> None:
        self.game = game
        self.on_move = on_move
        self.seats: list[Seat] = []
        self.actions: list[msgspec.Raw] = []  # of the seat to act
        self.to_act: Seat | None = None
        self.version = 0
        self.position = 0  # in the script
        self.sent = 0.0
        self.arrived = 0
        self.acknowledged = False
        self.under_way = False

    @property
    def over(self) -> bool:
        return self.to_act is None

    @property
    def step(self) -> Step | None:
        """The next move of the script."""
        return self.game.script[self.position] if self.position < len(self.game.script) else None

    @property
    def playable(self) -> bool:
        """Whether a move can be sent: the next one of the script, where there is one."""
        return self.step is not None if self.game.script else not self.over

    def move(self) -> None:
        """Let the seat to act send a random legal move."""
        seat = self.to_act
        assert seat is not None
        assert seat.transport is not None
        action, version = bytes(_choose(self.actions)), self.version
        self.begin()
        seat.transport.send(
            _TEXT,
            b'{"type":"move","command_id":"%d","expected_version":%d,"action":%b}' % (version, version, action),
        )

    def begin(self) -> None:
        """A move is sent now."""
        self.to_act = None
        self.arrived, self.acknowledged, self.under_way = 0, False, True
        self.sent = perf_counter()

    def acknowledge(self) -> None:
        self.acknowledged = True
        self.check()

    def check(self) -> None:
        if self.under_way and self.acknowledged and self.arrived >= len(self.seats):
            self.under_way = False
            self.on_move(self)


class Seat(WSListener):
    """One socket."""

    def __init__(self, table: Table, errors: Counter[str]) -> None:
        self.table = table
        self.errors = errors
        self.transport: WSTransport | None = None
        self.welcome: Callable[[], None] | None = None
        self.leaving = False

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type is not _TEXT and frame.msg_type != _TEXT:
            if frame.msg_type == _CLOSE and not self.leaving:
                self.errors[f"closed with {frame.get_close_code()}"] += 1
            return
        message = _decode(frame.get_payload_as_memoryview())
        table = self.table
        match message.type:
            case "events":
                if message.legal_actions:
                    table.to_act, table.actions, table.version = self, message.legal_actions, message.version
                table.arrived += 1
                table.check()
            case "ack":
                table.acknowledge()
            case "welcome":
                assert message.game is not None
                if message.game.legal_actions:
                    table.to_act, table.actions, table.version = self, message.game.legal_actions, message.game.version
                if self.welcome is not None:
                    self.welcome()
            case "error":
                self.errors[message.code] += 1

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        if not self.leaving:
            self.errors["socket lost"] += 1

    def leave(self) -> None:
        self.leaving = True
        if self.transport is not None:
            self.transport.send_close()
            self.transport.disconnect()


async def open_seat(table: Table, url: str, number: int, errors: Counter[str], welcomed: Callable[[], None]) -> None:
    """Connect one seat of a table; `welcomed` is called when the server has shown it the game."""
    seat = Seat(table, errors)
    seat.welcome = welcomed
    table.seats.append(seat)
    address = f"{url.replace('http', 'ws', 1)}/ws/v1/games/{table.game.id}/"
    headers = {"Authorization": f"Bearer {table.game.tokens[number]}"}
    await ws_connect(
        lambda: seat,
        address,
        extra_headers=headers,
        websocket_handshake_timeout=30,
        enable_auto_pong=True,
        use_aiofastnet=False,
    )
