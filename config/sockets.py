"""Uvicorn's WebSocket protocol with a short way out: text that is UTF-8 already goes to the transport as one frame.

An ASGI `send` costs a message, a coroutine and the text's way through `str` for each frame, several times a move's own
share. Applications find the short way in the scope's extensions under `SAY`; whoever does not know it, or runs under
another server, sends as ever. Invariant: a frame takes the short way only while the socket is open and its transport
takes data; else `say` does nothing and answers False, and the ordinary way decides what happens. What a peer can make
this process keep has a bound: pieces of one message, which may be empty, and pongs that the peer does not read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State

from config.garbage import socket_closed

SAY = "repli.say"
Say = Callable[[bytes], bool]  # a text's bytes; whether they are on their way

MOST_PIECES = 1024  # of one message
_TEXT = 0x81  # a whole message of text (RFC 6455, 5.2)


class SocketProtocol(WebSocketsSansIOProtocol):
    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)  # the application begins afterwards
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[SAY] = self.say

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        socket_closed()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < MOST_PIECES:
            super().handle_cont(event)
        elif not self.close_sent:
            self.frames = []
            self.conn.fail(CloseCode.MESSAGE_TOO_BIG)
            self.handle_parser_exception()

    def handle_ping(self) -> None:
        if self.writable.is_set():
            super().handle_ping()
        else:  # a peer that does not read: pongs may be left out (RFC 6455, 5.5.3)
            self.conn.data_to_send()

    def say(self, payload: bytes) -> bool:
        """Send a text message now, if that can be done at once."""
        if (
            not self.handshake_complete
            or self.close_sent
            or self.disconnected
            or not self.writable.is_set()
            or self.conn.state is not State.OPEN
            or self.conn.extensions
        ):
            return False
        self.transport.write(_head(len(payload)) + payload)
        return True


def _head(length: int) -> bytes:
    """The head of an unmasked frame (RFC 6455, 5.2)."""
    if length < 126:
        return bytes((_TEXT, length))
    if length < 65_536:
        return bytes((_TEXT, 126)) + length.to_bytes(2, "big")
    return bytes((_TEXT, 127)) + length.to_bytes(8, "big")
