"""The three sockets: a game's, the player's own, the lobby's."""

from __future__ import annotations

import uuid
from functools import partial
from typing import assert_never

import msgspec

from config.observability import context
from config.observability.figures import sockets_closed
from config.wire.problems import Problem
from games.services import entropy, play, presence, wake
from games.services.command import Caller
from games.services.host import Ask, Moved, host
from games.services.threads import in_thread
from games.services.wake import Wake
from games.ws import messages
from games.ws.socket import SERVICE_RESTART, Socket


class _Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What is taken from a resume's answer, the game."""

    version: int


_seen = msgspec.json.Decoder(_Seen).decode


class GameConsumer(Socket):
    """A seat or a spectator at one game."""

    kind = "game"

    async def opened(self) -> None:
        self.socket_id = entropy.new_id()
        self.game_id = _game_id(self.scope["url_route"]["kwargs"]["game_id"])
        context.learnt(game=self.game_id)
        self.caller = Caller(player_id=self.player_id, code=self.query("code"))
        after = self.query_number("after")
        room = self.hub.room(self.game_id)
        try:
            await room.join(self, self.caller, after)
        except BaseException:
            self.hub.leave(self)
            raise
        if self._gone:  # it did not even read its welcome
            self.hub.leave(self)
            return
        await self._appear()

    async def received(self, message: messages.ClientMessage) -> None:
        match message:
            case messages.Move(command_id=command_id, action=action, expected_version=expected):
                asked = play.move_key(command_id, action, expected)
                step = play.step(self.caller, action, expected)
                ask = Ask(self.caller, self.game_id, asked, step, partial(self._acknowledge, command_id))
                with play.Counted(self.game_id) as counted:
                    moved = await host().move(ask)
                    counted.told(moved.answer)
                self.hub.look(self.game_id, moved.version)  # a repeat may be news to the room
            case messages.Resume(command_id=command_id):
                asked = play.resume_key(command_id)
                answer = await in_thread(play.resume, self.caller, self.game_id, asked)
                self.hub.look(self.game_id, _seen(answer.body).version)
            case messages.Sync(after=after):
                await self.hub.room(self.game_id).resend(self, after)
            case messages.Ping():
                raise AssertionError("answered by the base")
            case _:
                assert_never(message)

    def _acknowledge(self, command_id: str, moved: Moved) -> None:
        """Say that the move stands, also for a repeat."""
        self.push(messages.encode(messages.Ack(command_id=command_id, version=moved.version, receipt=moved.receipt)))

    async def left(self, code: int) -> None:
        if not hasattr(self, "game_id"):
            return
        seat = self._seat  # while the room is there: the player may have sat down since the socket opened
        self.hub.leave(self)
        if seat is None:
            return
        going = code == SERVICE_RESTART
        await in_thread(_departed, self.game_id, self.player_id, self.socket_id, seat, going_away=going)

    async def _appear(self) -> None:
        seat = self._seat
        if seat is not None:
            await in_thread(_arrived, self.game_id, self.player_id, self.socket_id, seat)

    @property
    def _seat(self) -> int | None:
        room = self.hub.rooms.get(self.game_id)
        return room.table.seat_of(self.player_id) if room else None


class MeConsumer(Socket):
    """What concerns the player, whatever the game."""

    kind = "me"

    async def opened(self) -> None:
        self.hub.players.setdefault(self.player_id, set()).add(self)
        self.push(messages.encode(messages.Welcome()))
        await in_thread(presence.around, [self.player_id])

    async def left(self, _code: int) -> None:
        sockets = self.hub.players.get(self.player_id, set())
        sockets.discard(self)
        if not sockets:
            self.hub.players.pop(self.player_id, None)


class LobbyConsumer(Socket):
    """Open public tables as they appear, change and go."""

    kind = "lobby"

    async def opened(self) -> None:
        self.hub.lobby.add(self)
        self.push(messages.encode(messages.Welcome()))

    async def left(self, _code: int) -> None:
        self.hub.lobby.discard(self)


class NoSuchSocket(Socket):
    """Every other address."""

    async def connect(self) -> None:
        self._closing = self._gone = True
        await self.accept()
        sockets_closed(self.kind, "4404").inc()
        await self._close(4404)

    async def disconnect(self, _code: int) -> None:
        """Nothing was begun."""


def _arrived(game_id: str, player_id: str, socket_id: str, seat: int) -> None:
    """A seated player's socket is there; the others hear of it if it is the player's first."""
    known = presence.is_connected(game_id, player_id)
    presence.opened(game_id, player_id, socket_id)
    if not known:
        wake.publish(Wake(kind="presence", id=game_id, notice={"seat": seat, "connected": True}))


def _departed(game_id: str, player_id: str, socket_id: str, seat: int, *, going_away: bool) -> None:
    """A seated player's socket is gone; the others hear of it if it was the player's last."""
    presence.closed(game_id, player_id, socket_id, going_away=going_away)
    if not presence.is_connected(game_id, player_id):
        wake.publish(Wake(kind="presence", id=game_id, notice={"seat": seat, "connected": False}))


def _game_id(given: str) -> str:
    try:
        return str(uuid.UUID(given))
    except ValueError:
        raise Problem("not-found", "no-such-game") from None
