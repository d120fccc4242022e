"""A game's open sockets in this process, and the way its events take to them.

Invariant: under the room's lock, the folded table and every socket's version are the same; a socket gets each append
once and in order. Each payload is encoded once per distinct viewer (each seat, all spectators), not per socket.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from typing import Protocol
from uuid import UUID

from config.observability.figures import fanout_seconds
from games.rules.moments import rfc3339
from games.rules.seats import Seat
from games.rules.table import Chair, Recorded, Table, advance, appends
from games.services import entropy, watch
from games.services.command import Caller, existing, require_visible
from games.services.threads import in_thread
from games.services.watch import Telling
from games.store.cache import Loaded
from games.store.load import history
from games.ws import messages

_by_bus = fanout_seconds("bus")


class GameSocket(Protocol):
    """What a room needs of a socket."""

    game_id: str
    socket_id: str

    @property
    def player_id(self) -> str: ...
    @property
    def token_id(self) -> UUID: ...

    def push(self, *payloads: bytes) -> None: ...

    async def revoked(self) -> None: ...


class Room:
    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.table = Table(id=game_id)
        self.sockets: set[GameSocket] = set()
        self._lock = asyncio.Lock()
        self._joining = 0
        self._chairs: Sequence[Chair | None] = ()  # those that `_seats` was made from
        self._seats: dict[str, Seat] = {}

    @property
    def version(self) -> int:
        """The version up to which the room's sockets have been served."""
        return self.table.version

    async def join(self, socket: GameSocket, caller: Caller, after: int | None) -> None:
        """Welcome a socket, send what it missed, and keep it. Raises Problem `not-found`."""
        self._joining += 1
        try:
            async with self._lock:
                loaded, welcome = await in_thread(_welcome, caller, self.game_id)
                await self._advance(loaded)
                socket.push(welcome)
                if after is not None:
                    await self._send_missed(socket, after)
                self.sockets.add(socket)
        finally:
            self._joining -= 1

    def leave(self, socket: GameSocket) -> bool:
        """Let a socket go; True if nobody is left."""
        self.sockets.discard(socket)
        return not self.sockets and not self._joining

    async def catch_up(self, version: int, stood_at: float = 0.0) -> None:
        """Bring all sockets to at least this version, committed at `stood_at` (seconds since 1970; 0: not known)."""
        async with self._lock:
            if self.version < version and self.sockets:
                self._deliver(await in_thread(history, self.game_id, self.version))
                if stood_at:
                    _by_bus.observe(max(0.0, time.time() - stood_at))

    def follow(self, telling: Telling) -> bool:
        """Serve an append that this process has made, if it is the next one and nothing else is under way."""
        if self._lock.locked() or self.version != telling.before.version:
            return False
        self._tell_all(telling)
        return True

    async def resend(self, socket: GameSocket, after: int) -> None:
        """Send a socket all events after a version again."""
        async with self._lock:
            await self._send_missed(socket, after)

    def tell(self, payload: bytes, but_seat: Seat) -> None:
        """Send the same to every socket but those of one seat, whom it is about."""
        for socket in self.sockets:
            if self.table.seat_of(socket.player_id) != but_seat:
                socket.push(payload)

    def leases(self) -> Iterable[tuple[str, str, str]]:
        """(game, player, socket) of every seated player's socket."""
        for socket in self.sockets:
            if self.table.seat_of(socket.player_id) is not None:
                yield self.game_id, socket.player_id, socket.socket_id

    async def _advance(self, loaded: Loaded) -> None:
        """Take the room to where a loaded game stands, serving those who are in it already."""
        if not self.sockets:
            self.table = loaded.table
        elif self.version < loaded.table.version:
            self._deliver(await in_thread(history, self.game_id, self.version))

    async def _send_missed(self, socket: GameSocket, after: int) -> None:
        if after < self.version:
            seat = self.table.seat_of(socket.player_id)
            socket.push(*await in_thread(missed, self.table, seat, after))

    def _deliver(self, records: Iterable[Recorded]) -> None:
        for group in appends(records):
            self._tell_all(Telling(self.table, group, advance(self.table, group)))

    def _tell_all(self, telling: Telling) -> None:
        """Serve one append to every socket; its payload is made once for each distinct viewer."""
        self.table, now = telling.after, rfc3339(entropy.utcnow())
        payloads: dict[Seat | None, bytes] = {}
        seats = self._seats_now()
        for socket in self.sockets:
            seat = seats.get(socket.player_id)
            if seat not in payloads:
                payloads[seat] = messages.encode(watch.events_message(telling, seat, now))
            socket.push(payloads[seat])

    def _seats_now(self) -> dict[str, Seat]:
        """Seats by player; made anew only when somebody sat down or got up."""
        if self._chairs is not self.table.chairs:
            self._chairs = self.table.chairs
            self._seats = {c.player_id: seat for seat, c in enumerate(self._chairs) if c and c.player_id}
        return self._seats


def _welcome(caller: Caller, game_id: str) -> tuple[Loaded, bytes]:
    loaded = existing(game_id)
    require_visible(loaded, caller)
    document = watch.document(loaded, caller.player_id)
    return loaded, messages.encode(messages.Welcome(version=loaded.table.version, game=document))


def missed(table: Table, seat: Seat | None, after: int) -> list[bytes]:
    """The `events` messages after a version up to where `table` stands, one per append."""
    now, found = rfc3339(entropy.utcnow()), []
    records = history(table.id, until=table.version)
    before = advance(Table(id=table.id), records[:after])
    for group in appends(records[after:]):
        after_group = advance(before, group)
        last = group[-1].version == table.version
        message = watch.events_message(Telling(before, group, after_group), seat, now, last=last)
        found.append(messages.encode(message))
        before = after_group
    return found
