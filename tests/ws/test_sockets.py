"""What a peer can make a web process keep, frame by frame, without a network."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Close, Frame, Opcode

from config.sockets import MOST_PIECES, SocketProtocol

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Transport(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__({"sockname": ("127.0.0.1", 1), "peername": ("127.0.0.1", 2)})
        self.written = bytearray()
        self.closed = False

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


async def echo(_scope: Any, receive: Any, send: Any) -> None:
    """Accepts, then says each text again until the end."""
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})


async def opened() -> tuple[SocketProtocol, Transport]:
    config = uvicorn.Config(echo, log_config=None, ws_per_message_deflate=False, ws_ping_interval=None)
    config.load()
    protocol, transport = SocketProtocol(config, ServerState(), {}), Transport()
    protocol.connection_made(transport)
    protocol.data_received(HANDSHAKE)
    await quiet()
    transport.written.clear()
    return protocol, transport


async def quiet() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def frame(opcode: Opcode, data: bytes = b"", *, last: bool = True) -> bytes:
    return Frame(opcode, data, last).serialize(mask=True)


async def ended(protocol: SocketProtocol) -> None:
    protocol.connection_lost(None)
    await quiet()


@pytest.mark.parametrize("content", [b"", b"x"])
async def test_a_message_in_endless_pieces_closes_with_1009(content: bytes) -> None:
    protocol, transport = await opened()

    protocol.data_received(frame(Opcode.TEXT, content, last=False))
    for _ in range(2 * MOST_PIECES):
        protocol.data_received(frame(Opcode.CONT, content, last=False))

    assert transport.closed
    assert len(protocol.frames) <= MOST_PIECES
    assert Close.parse(bytes(transport.written[2:])).code == 1009
    await ended(protocol)


async def test_a_message_in_several_pieces_is_heard() -> None:
    protocol, transport = await opened()

    protocol.data_received(frame(Opcode.TEXT, b"a", last=False))
    for number in range(9):
        protocol.data_received(frame(Opcode.CONT, b"b", last=number == 8))
    await quiet()

    assert bytes(transport.written) == b"\x81\x0aabbbbbbbbb"
    await ended(protocol)


async def test_pongs_do_not_pile_up_before_a_peer_that_does_not_read() -> None:
    protocol, transport = await opened()

    protocol.data_received(frame(Opcode.PING, b"1"))
    protocol.pause_writing()
    for _ in range(100):
        protocol.data_received(frame(Opcode.PING, b"2" * 125))
    protocol.resume_writing()
    protocol.data_received(frame(Opcode.PING, b"3"))

    assert bytes(transport.written) == b"\x8a\x011\x8a\x013"
    await ended(protocol)
