"""One per process: reads the bus, keeps a room per game with open sockets, and heals what the bus has lost.

Invariant: the bus only says "look"; every socket knows its version and gets each append exactly once, in order, from
the database. A gap on the bus is found by the check every 15 seconds and after each reconnection.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import time
from collections.abc import Callable, Coroutine
from typing import Any, Protocol
from uuid import UUID
from weakref import WeakKeyDictionary

import msgspec
import redis.asyncio
import structlog
from django.conf import settings
from redis.exceptions import RedisError

from accounts.tokens import living
from config.observability.figures import bus_lost, bus_up, fanout_seconds, rooms
from config.outages import OUTAGES, named
from games.services import presence, watch
from games.services.host import host
from games.services.threads import in_thread
from games.services.wake import CHANNEL, Wake
from games.services.watch import Telling
from games.store.load import load, versions
from games.ws import messages
from games.ws.room import GameSocket, Room

log = structlog.get_logger(__name__)

CHECK_SECONDS = 15.0
TOKEN_SECONDS = 20.0
RECONNECT_SECONDS = 0.5
LATE_SECONDS = 1.0  # between two looks while the database is away
_local = fanout_seconds("local")
_decode = msgspec.json.Decoder(list[Wake]).decode


class Listener(Protocol):
    """A socket that is not about one game."""

    @property
    def token_id(self) -> UUID: ...

    def push(self, *payloads: bytes) -> None: ...

    async def revoked(self) -> None: ...


class Hub:
    """Rooms by game, sockets by player, lobby sockets; started by the first socket."""

    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}
        self.players: dict[str, set[Listener]] = {}
        self.lobby: set[Listener] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._jobs: set[asyncio.Task[None]] = set()
        self._listening = asyncio.Event()
        self._late = asyncio.Event()  # something could not be looked up: look again soon

    # --- coming and going ---------------------------------------------------------------------------------

    async def start(self) -> None:
        """Begin to listen, once; returns when the bus is heard or after a moment without it."""
        if not self._tasks:
            loops: tuple[Callable[[], Coroutine[Any, Any, None]], ...] = (
                self._listen,
                self._check_versions,
                self._renew_leases,
                self._check_tokens,
            )
            nobody = contextvars.Context()  # else their lines would carry the ids of the first socket
            self._tasks = [asyncio.create_task(loop(), context=nobody.copy()) for loop in loops]
            host().listeners.append(self.advanced)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._listening.wait(), 2)

    async def stop(self) -> None:
        """End all that runs in the background."""
        with contextlib.suppress(ValueError):
            host().listeners.remove(self.advanced)
        tasks = [*self._tasks, *self._jobs]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks = []

    def room(self, game_id: str) -> Room:
        """The game's room, opened if there is none."""
        room = self.rooms.get(game_id)
        if room is None:
            room = self.rooms[game_id] = Room(game_id)
            rooms.inc()
        return room

    def leave(self, socket: GameSocket) -> None:
        """Take a socket out of its room, and close the room behind the last one."""
        room = self.rooms.get(socket.game_id)
        if room is not None and room.leave(socket):
            del self.rooms[socket.game_id]
            rooms.dec()

    # --- hearing --------------------------------------------------------------------------------------------

    def hear(self, wake: Wake) -> None:
        """Act on a wake-up from the bus or from this very process."""
        match wake.kind:
            case "game":
                self.look(wake.id, wake.version, wake.at)
            case "presence":
                if (room := self.rooms.get(wake.id)) and wake.notice:
                    room.tell(messages.encode({"type": "presence", **wake.notice}), but_seat=wake.notice["seat"])
            case "player":
                payload = messages.encode({"type": "notice", **(wake.notice or {})})
                for listener in self.players.get(wake.id, ()):
                    listener.push(payload)
            case "tokens":
                self._run(self._drop_tokens())
            case "lobby":
                if self.lobby:
                    self._run(self._tell_lobby(wake.id))

    def advanced(self, telling: Telling) -> None:
        """This process has made an append: its own sockets get it at once, without a look at the database."""
        room = self.rooms.get(telling.after.id)
        if room is None:
            return
        if room.follow(telling):
            _local.observe(time.perf_counter() - host().stood_at)
        else:
            self.look(room.game_id, telling.after.version)

    def look(self, game_id: str, version: int, stood_at: float = 0.0) -> None:
        """The game is at that version, since `stood_at` if that is known: its sockets are served what they lack."""
        room = self.rooms.get(game_id)
        if room is not None and room.version < version:
            self._run(room.catch_up(version, stood_at))

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        job = asyncio.create_task(self._logged(work))
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)

    async def _logged(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except OUTAGES as error:
            log.warning("socket work put off", error=named(error))
            self._late.set()
        except Exception:
            log.exception("socket work failed")

    async def _tell_lobby(self, game_id: str) -> None:
        payload = await in_thread(_table_message, game_id)
        for listener in list(self.lobby):
            listener.push(payload)

    # --- loops ------------------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        while True:
            try:
                async with (
                    redis.asyncio.from_url(settings.REPLI.bus, health_check_interval=10) as client,
                    client.pubsub(ignore_subscribe_messages=True) as bus,
                ):
                    await bus.subscribe(CHANNEL)
                    await bus.get_message(timeout=5.0)  # confirmed: only now does a look miss nothing said later
                    self._listening.set()
                    bus_up.set(1)
                    await self._logged(self._compare())  # what was said while nobody listened
                    await self._hear_all(bus)
            except (RedisError, OSError, msgspec.MsgspecError) as error:
                self._listening.clear()
                bus_up.set(0)
                bus_lost.inc()
                log.warning("bus lost", error=type(error).__name__)
                await asyncio.sleep(RECONNECT_SECONDS)

    async def _hear_all(self, bus: Any) -> None:
        while True:
            message = await bus.get_message(timeout=5.0)
            if message is None:
                continue
            try:
                wakes = _decode(message["data"])
            except msgspec.MsgspecError:  # said by another version of this service: found by the check instead
                log.warning("word on the bus not understood")
                continue
            for wake in wakes:
                self.hear(wake)

    async def _check_versions(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CHECK_SECONDS):
                    await self._late.wait()
                    await asyncio.sleep(LATE_SECONDS)
            self._late.clear()
            await self._logged(self._compare())

    async def _compare(self) -> None:
        """Compare the versions of all games served here with the database, in one query."""
        if self.rooms:
            for game_id, version in (await in_thread(versions, list(self.rooms))).items():
                self.look(game_id, version)

    async def _renew_leases(self) -> None:
        while True:
            await asyncio.sleep(presence.RENEW_SECONDS)
            leases = [lease for room in self.rooms.values() for lease in room.leases()]
            if leases:
                await self._logged(in_thread(presence.renew, leases))
            if self.players:
                await self._logged(in_thread(presence.around, list(self.players)))

    async def _check_tokens(self) -> None:
        while True:
            await asyncio.sleep(TOKEN_SECONDS)
            await self._logged(self._drop_tokens())

    async def _drop_tokens(self) -> None:
        """Close the sockets whose tokens have been revoked or have expired."""
        listeners: list[Listener] = [
            *(socket for room in self.rooms.values() for socket in room.sockets),
            *(listener for group in self.players.values() for listener in group),
            *self.lobby,
        ]
        if not listeners:
            return
        valid = await in_thread(living, {listener.token_id for listener in listeners})
        await asyncio.gather(*(listener.revoked() for listener in listeners if listener.token_id not in valid))


def _table_message(game_id: str) -> bytes:
    """What the lobby is told about a table: itself while it is open, else that it is gone."""
    loaded = load(game_id)
    if loaded is None or loaded.table.status != "waiting" or loaded.table.visibility != "public":
        return messages.encode(messages.Table(id=game_id, change="gone", game=None))
    document = watch.document(loaded, None)
    return messages.encode(messages.Table(id=game_id, change="open", game=document))


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """This process's hub (one per event loop)."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]
