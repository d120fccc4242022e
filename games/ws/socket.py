"""What every socket does: authenticate, count messages, send without being held up by a slow reader.

Invariant: messages leave through the outbox alone, so they keep their order; who does not read for five seconds is let
go at once, as far as the game is concerned, and hears 4409 as soon as it reads again: it comes back with `after`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, ClassVar
from uuid import UUID

import structlog
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from accounts.tokens import AuthenticatedToken, authenticate
from config.observability import context, labels
from config.observability.figures import socket_messages, sockets, sockets_closed
from config.observability.tracing import span
from config.outages import OUTAGES, named
from config.sockets import SAY
from config.wire import problems
from config.wire.faults import invalid
from config.wire.problems import Problem
from config.wire.rest import as_problem
from games.rules.moments import rfc3339
from games.services import entropy, sentences  # noqa: F401  (sentences registers what people read)
from games.services.threads import in_thread
from games.ws import messages
from games.ws.address import header_of, number_of, query_of, token_of
from games.ws.hub import Hub, hub
from games.ws.outbox import Outbox

log = structlog.get_logger(__name__)

PROTOCOL = "repli.v1"
TRY_AGAIN_LATER = 1013
FAILED = 1011
SERVICE_RESTART = 1012
REFUSALS = {"not-found": 4404, "forbidden": 4403, "validation": 4400}
labels.add("code", map(str, messages.CLOSE_CODES))


class Socket(AsyncWebsocketConsumer):
    """Base of our consumers; subclasses implement `opened`, `received` and `left`."""

    kind: ClassVar[str] = labels.OTHER  # of socket, in metrics
    hub: Hub
    token: AuthenticatedToken
    language: problems.Language = "en"

    # --- for subclasses ---------------------------------------------------------------------------------------

    async def opened(self) -> None:
        """The token is good and the handshake done."""

    async def received(self, _message: messages.ClientMessage) -> None:
        """A well-formed message other than `ping`."""
        raise invalid(type="choice")

    async def left(self, _code: int) -> None:
        """The socket is closed."""

    # --- coming in ----------------------------------------------------------------------------------------------

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle ASGI messages one after the other: no channel layer, so no task for each, as Channels has it; and no
        thread hop, since connections live in our own threads.
        """
        self.scope, self.channel_layer, self.base_send = scope, None, send
        with contextlib.suppress(StopConsumer):
            while True:
                await self.dispatch(await receive())

    async def dispatch(self, message: dict[str, Any]) -> None:
        handler = getattr(self, message["type"].replace(".", "_"))
        await handler(message)

    async def connect(self) -> None:
        self._closing = False
        self._open = False
        self._gone = False
        self._outbox = Outbox(self.base_send, self._give_up, self.scope.get("extensions", {}).get(SAY))
        self._tokens, self._counted = float(settings.REPLI.socket_burst), time.monotonic()
        self._is_counted = False  # among the open ones
        context.learnt(request_id=context.request_id(header_of(self.scope, b"x-request-id"), entropy.new_id()))
        offered = self.scope.get("subprotocols") or []
        await self.accept(subprotocol=PROTOCOL if PROTOCOL in offered else None)
        try:
            await self._begin(token_of(self.scope, offered) or "")
        except Problem as problem:
            await self.refuse(REFUSALS.get(problem.code, FAILED))
        except OUTAGES as error:
            log.warning("socket not served", error=named(error))
            await self.refuse(TRY_AGAIN_LATER)
        except Exception:
            log.exception("socket could not be opened")
            await self.refuse(FAILED)

    async def _begin(self, token: str) -> None:
        found = await in_thread(authenticate, token)
        if found is None:
            await self.refuse(4401)
            return
        self.token, self.language, self.player_id = found, found.language, str(found.player_id)
        context.learnt(player=self.player_id)
        sockets(self.kind).inc()
        self._is_counted = True
        self.hub = hub()
        await self.hub.start()
        await self.opened()
        self._open = True

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self._closing or not self._open:
            return
        if not self._within_rate():
            self.push_problem(Problem("throttled"), None)
            await self.refuse(4429)
            return
        frame = text_data if text_data is not None else bytes_data or b""
        try:
            message = messages.from_client(frame)
        except Exception as error:  # noqa: BLE001  (whatever goes wrong is answered)
            loose = messages.object_of(frame)
            if loose is None or not isinstance(loose.get("type"), str):
                await self.refuse(4400)
                return
            command_id = loose.get("command_id")
            command_id = command_id if isinstance(command_id, str) and len(command_id) <= 64 else None
            await self._handle(error, loose["type"], command_id)
        else:
            await self._handle(message, messages.kind_of(message), getattr(message, "command_id", None))

    async def _handle(self, message: messages.ClientMessage | Exception, kind: str, command_id: str | None) -> None:
        """Do what a message asks for, or answer what was wrong with it."""
        result = "accepted"
        with context.joined(**_named(command_id)), span("socket command") as told:
            try:
                await self._heed(message)
            except Exception as error:  # noqa: BLE001  (whatever goes wrong is answered)
                result = self._answer_error(error, kind, command_id)
            told.note("repli.socket", self.kind)
            told.note("repli.message", kind)
            told.note("repli.result", result)
        socket_messages(kind, result).inc()

    async def _heed(self, message: messages.ClientMessage | Exception) -> None:
        if isinstance(message, Exception):
            raise message
        if isinstance(message, messages.Ping):
            self.push(messages.encode(messages.Pong(server_time=rfc3339(entropy.utcnow()))))
        else:
            await self.received(message)

    def _answer_error(self, error: Exception, kind: str, command_id: str | None) -> str:
        """Tell the client; the problem's code."""
        problem = as_problem(error)
        if problem is None:
            log.error("socket message failed", kind=labels.closed("message", kind), exc_info=error)
        elif problem.code == "unavailable":
            log.warning("socket message not served", kind=labels.closed("message", kind), error=named(error))
        problem = problem or Problem("internal")
        self.push_problem(problem, command_id)
        return problem.code

    def _within_rate(self) -> bool:
        """A token bucket: `socket_messages_per_second` sustained, `socket_burst` at once."""
        now, rate = time.monotonic(), settings.REPLI.socket_messages_per_second
        self._tokens = min(settings.REPLI.socket_burst, self._tokens + (now - self._counted) * rate)
        self._counted = now
        self._tokens -= 1
        return self._tokens >= 0

    async def service_restart(self, _message: dict[str, Any]) -> None:
        """This process is leaving (config/drain.py); what was sent so far has been answered."""
        await self.refuse(SERVICE_RESTART)

    async def disconnect(self, code: int) -> None:
        if not self._closing:  # its own wish, or the server's
            sockets_closed(self.kind, str(code)).inc()
        self._closing = True
        self._outbox.close()
        await self._leave(code)

    async def _leave(self, code: int) -> None:
        """Take the socket out of everything, once."""
        if self._is_counted:
            self._is_counted = False
            sockets(self.kind).dec()
        if hasattr(self, "token") and not self._gone:
            self._gone = True
            await self.left(code)

    # --- going out ------------------------------------------------------------------------------------------------

    @property
    def token_id(self) -> UUID:
        return self.token.token_id

    player_id: str

    def push(self, *payloads: bytes) -> None:
        """Send messages; a reader who is too far behind is let go. What is pushed together is never cut."""
        if not self._closing:
            self._outbox.push(*payloads)

    def push_problem(self, problem: Problem, command_id: str | None) -> None:
        """Queue a refusal."""
        named = {"command_id": command_id} if command_id is not None else {}
        self.push(messages.encode({"type": "error", **named, **problems.body(problem, self.language)}))

    def _give_up(self) -> None:
        """Let a reader go who does not read."""
        if not self._closing:
            self._closing = True
            self._last_words = asyncio.create_task(self._part(4409))

    async def _part(self, code: int) -> None:
        sockets_closed(self.kind, str(code)).inc()
        await self._close(code)
        await self._leave(code)

    async def refuse(self, code: int) -> None:
        """Close with a code, after what is queued has had a moment to leave."""
        if self._closing:
            return
        for _ in range(50):
            if self._outbox.idle:
                break
            await asyncio.sleep(0.01)
        self._closing = True
        await self._part(code)

    async def revoked(self) -> None:
        """The token is no longer valid."""
        await self.refuse(4401)

    async def _close(self, code: int) -> None:
        """Send the code. The server holds it back while the peer does not read: it leaves whenever that changes."""
        self._closed = asyncio.create_task(self._send_close(code))
        await asyncio.wait({self._closed}, timeout=0.1)

    async def _send_close(self, code: int) -> None:
        try:
            await self.close(code)
        except Exception as error:  # noqa: BLE001  (closed already, or the peer is gone)
            log.debug("close failed", error=type(error).__name__)

    # --- the address ------------------------------------------------------------------------------------------------

    def query(self, name: str) -> str | None:
        """A query parameter of the socket's address."""
        return query_of(self.scope, name)

    def query_number(self, name: str) -> int | None:
        """A query parameter that is a version. Raises Problem `validation`."""
        return number_of(self.scope, name)


def _named(command_id: str | None) -> dict[str, str]:
    return {} if command_id is None else {"command_id": context.told(command_id)}
