"""Time and absence with real worker, beat and broker: late and lost seats go to bots, and come back for good."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import psycopg
from websockets.asyncio.client import connect

from tests.drills.client import Client
from tests.drills.tables import clients_of
from tests.drills.wire import Account, Opened, Wire
from tests.servers import RunningStack

GRACES = {"REPLI_ABSENCE_GRACE": "2", "REPLI_DEPLOY_GRACE": "8"}
AFTER_ALL = 60.0  # seconds in which whatever was delayed has happened
SOON = 2.0  # seconds after its deadline in which a bot has played for a seat


@dataclass(kw_only=True)
class Seen:
    """One takeover: seconds from what was due to `seat_controlled`, and to the bot's first event for that seat."""

    what: str
    reason: str
    taken_over: float
    played: float | None = None


@dataclass(frozen=True, kw_only=True)
class Stored:
    """An event of the table, read directly."""

    version: int
    type: str
    seat: int | None
    by: str | None
    at: datetime
    data: dict[str, Any]


def stored(stack: RunningStack, game_id: str) -> list[Stored]:
    with psycopg.connect(stack.servers["superuser_database_url"]) as connection:
        found = connection.execute(
            "SELECT version, type, seat, meta -> 'cause' ->> 'by', recorded_at, data::text FROM games_event"
            " WHERE game_id = %s ORDER BY version",
            [game_id],
        )
        return [
            Stored(version=version, type=kind, seat=seat, by=by, at=at, data=json.loads(data))
            for version, kind, seat, by, at, data in found
        ]


class Clocks:
    """The scenes; each returns what was seen. `broken` holds what should not have been."""

    def __init__(self, stack: RunningStack, wire: Wire) -> None:
        self.stack, self.wire = stack, wire
        self.broken: list[str] = []

    async def late(self, what: str = "nothing killed", kill: str | None = None) -> Seen:
        """A player who never answers, with nobody connected; then back, and playing to the end."""
        game = await self.wire.opened(1, 2, quick=True, lives=1, move_seconds=5)
        deadline = await self._deadline(game)
        if kill is not None:
            await asyncio.sleep(max(0.0, (deadline - datetime.now(UTC)).total_seconds() - 0.5))
            self.stack.kill(kill)
        taken = await self._taken_over(game)
        played = await self._event(game, lambda event: event.version > taken.version and event.seat == 0)
        seen = Seen(
            what=f"late, {what}",
            reason=taken.data["reason"],
            taken_over=(taken.at - deadline).total_seconds(),
            played=(played.at - deadline).total_seconds(),
        )
        await self._comes_back(game)
        return seen

    async def lost(self, what: str = "nothing killed", kill: str | None = None) -> Seen:
        """A player whose only socket closes; the seat is taken over while its turn still runs."""
        game = await self.wire.opened(2, 2, quick=True, lives=1, move_seconds=60)
        address = f"{self.wire.url().replace('http', 'ws', 1)}/ws/v1/games/{game.id}/"
        async with connect(address, additional_headers=game.players[0].headers, proxy=None) as socket:
            await socket.recv()
            await asyncio.sleep(1.5)  # so that the broker has it on its disk
        closed = datetime.now(UTC)
        if kill is not None:
            self.stack.kill(kill)
        taken = await self._taken_over(game)
        return Seen(what=f"lost, {what}", reason=taken.data["reason"], taken_over=(taken.at - closed).total_seconds())

    async def _deadline(self, game: Opened) -> datetime:
        """When the only player's turn ends; asked once, over REST, as soon as it has begun."""
        while True:
            view = await self.wire.game(game.id, game.players[0])
            if "0" in view["deadlines"]:
                return datetime.fromisoformat(view["deadlines"]["0"])
            await asyncio.sleep(0.05)

    async def _taken_over(self, game: Opened) -> Stored:
        return await self._event(game, lambda event: event.type == "seat_controlled" and event.data["by"] == "bot")

    async def _event(self, game: Opened, wanted: Callable[[Stored], bool]) -> Stored:
        """The first stored event of that kind, as soon as there is one."""
        async with asyncio.timeout(AFTER_ALL):
            while True:
                found = await asyncio.to_thread(stored, self.stack, game.id)
                for event in found:
                    if wanted(event):
                        return event
                await asyncio.sleep(0.1)

    async def _comes_back(self, game: Opened) -> None:
        """`resume`, then play to the end: from then on no bot has moved for this seat."""
        player: Account = game.players[0]
        answer = await self.wire.insist("POST", f"/api/v1/games/{game.id}/resume/", player)
        if answer.status_code == 409 and (await self.wire.game(game.id, player))["status"] == "finished":
            return  # the bots were faster
        back = answer.json()
        if back["seats"][0]["controller"] != "player":
            self.broken.append(f"{game.id}: resume did not give the seat back")
        clients: list[Client] = clients_of(self.wire, game.id, [player])
        async with asyncio.timeout(AFTER_ALL):
            await clients[0].run()
        for event in await asyncio.to_thread(stored, self.stack, game.id):
            if event.version > back["version"] and event.seat == 0 and event.by in {"bot", "clock"}:
                self.broken.append(f"{game.id}: after resume, event {event.version} of seat 0 came by {event.by}")


async def all_scenes(clocks: Clocks) -> list[Seen]:
    """Each scene once, with and without a process killed."""
    seen = [await clocks.late(), await clocks.late("worker killed", "worker"), await clocks.late("beat killed", "beat")]
    seen.append(await clocks.late("broker killed", "valkey"))
    seen += [await clocks.lost(), await clocks.lost("worker killed", "worker")]
    seen.append(await clocks.lost("broker killed", "valkey"))
    for one in seen:
        undisturbed = "nothing" in one.what
        if undisturbed and one.played is not None and one.played > SOON:
            clocks.broken.append(f"{one.what}: played {one.played:.1f} s after the deadline")
    return seen
