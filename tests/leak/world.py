"""One world: a game played through the whole product (REST, sockets, the clock, PostgreSQL, Valkey) while all listen.

The first world makes up its steps as it goes and keeps them; the second does the same steps, with other hidden cards.
Everything that comes back to anybody is kept as it came.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, ParamSpec, TypeVar

import msgspec
import psycopg
from django.db import connections
from psycopg import sql

from games.rules.seats import Seat
from games.rules.table import Table
from games.services import clock
from games.services.presence import LEASES, is_connected
from games.services.wake import Wake, client, publish
from games.store import cache
from games.store.load import history, load
from tests.api.client import Reply, Visitor
from tests.leak.exchange import Doings, Story
from tests.leak.lines import Lines, noted
from tests.leak.sources import Sources, taken_from
from tests.leak.taps import WAIT, Tap
from tests.leak.transcript import COURSE, Leak, Sent, of_frames, of_reply
from tests.leak.trial import Act, Look, Message, Peek, Question, Reopened, Request, Resume, Step, Trial, Viewer

P = ParamSpec("P")
T = TypeVar("T")

_thread = ThreadPoolExecutor(1, thread_name_prefix="clients")  # one, so that it keeps its database connection


async def blocking(call: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
    """Run a blocking call beside the loop that the sockets live in."""
    return await asyncio.get_running_loop().run_in_executor(_thread, lambda: call(*args, **more))


class World:
    game_id: str
    code: str

    def __init__(self, trial: Trial, sources: Sources, lines: Lines, doings: Doings | None) -> None:
        self.trial, self.sources, self.lines = trial, sources, lines
        self.given = doings  # of the second world; the first one notes its own
        self.doings: dict[int, tuple[Seat, dict[str, Any]]] = {}
        self.version = 0
        self.sent: dict[str, list[Sent]] = {viewer.name: [] for viewer in trial.viewers}
        self.at_game: dict[str, Tap] = {}
        self.at_me: dict[str, Tap] = {}
        self.keys: dict[Seat, list[Act]] = {}
        self._bot = sources.choose
        sources.choose = self._bots_choice

    # --- asking -----------------------------------------------------------------------------------------------

    async def ask(
        self, viewer: Viewer, channel: str, method: str, path: str, body: Any = None, key: str | None = None
    ) -> Reply:
        """A request whose whole answer is kept."""
        named = {"X_Request_Id": f"{viewer.name}-{len(self.sent[viewer.name])}".replace(" ", "-")}
        if key is not None:
            named["Idempotency_Key"] = key
        if viewer.code and self.trial.setting.visibility == "private" and "games/" in path and hasattr(self, "code"):
            path += ("&" if "?" in path else "?") + f"code={self.code}"
        reply = await blocking(_asked, viewer.visitor, method, path, body, named)
        self.sent[viewer.name].append(of_reply(channel, reply))
        return reply

    def phase(self, name: str) -> None:
        self.sources.phase(name)
        self.lines.phase = name

    # --- before the start -------------------------------------------------------------------------------------

    async def set_up(self) -> None:
        """The table is opened, everybody comes, and the game begins."""
        self.phase("setting up")
        setting, players = self.trial.setting, self.trial.players
        new = {
            "rules": self.trial.case.rules.key,
            "seats": setting.seats,
            "options": setting.options,
            "visibility": setting.visibility,
            "bots": [{"seat": seat, "level": level} for seat, level in setting.bots.items()],
        }
        opened = (await self.ask(players[0], "create", "POST", "games/", new, "create")).ok(201)
        self.game_id, self.code = opened["id"], opened["code"]
        for viewer in players[1:]:
            self.sources.pass_time(300)
            (await self.ask(viewer, "join", "POST", self._path("seats/"), {"seat": viewer.seat}, "join")).ok(201)
        for viewer in players:
            if (given := setting.client_seeds.get(viewer.seat or 0)) is not None:
                (await self.ask(viewer, "seed", "PUT", self._path("seats/mine/"), {"client_seed": given})).ok()
        for viewer in self.trial.viewers:
            await self._listen(viewer)
        self.sources.pass_time(1000)
        started = (await self.ask(players[0], "start", "POST", self._path("start/"))).ok()
        await self._caught_up(started["version"])

    async def _listen(self, viewer: Viewer) -> None:
        """Open the viewer's sockets; a refused one is kept by its close code."""
        tap = await self._tap(viewer)
        await tap.until(lambda: tap.closed_with or tap.frames)
        if tap.closed_with is not None:
            await tap.close()
            self.sent[viewer.name].append(Sent("socket closed", str(tap.closed_with).encode()))
            return
        self.at_game[viewer.name] = tap
        me = self.at_me[viewer.name] = await Tap("/ws/v1/me/", viewer.token).open()
        await me.until_type("welcome")
        if viewer.seat is not None:  # the lease is written after the welcome
            await blocking(_until_connected, self.game_id, viewer.player_id)

    async def _tap(self, viewer: Viewer, query: str = "") -> Tap:
        if viewer.code and viewer.seat is None and self.trial.setting.visibility == "private":
            query += ("&" if query else "?") + f"code={self.code}"
        return await Tap(f"/ws/v1/games/{self.game_id}/{query}", viewer.token).open()

    def _path(self, rest: str = "") -> str:
        return f"games/{self.game_id}/{rest}"

    # --- during the game --------------------------------------------------------------------------------------

    async def take(self, number: int, step: Step) -> None:
        """One step; when it is over, every socket has got what it caused."""
        self.phase(f"step {number}")
        match step:
            case Act():
                await self._act(step)
            case Look(wait=wait):
                self.sources.pass_time(wait)
                await blocking(clock.look_after, self.game_id)
                await self._caught_up((await self.table()).version)
            case Resume(seat=seat, wait=wait):
                self.sources.pass_time(wait)
                reply = await self.ask(self._player(seat), "resume", "POST", self._path("resume/"))
                await self._caught_up(reply.ok()["version"])
            case Peek(viewer=name, path=path):
                viewer = next(viewer for viewer in self.trial.viewers if viewer.name == name)
                await self.ask(viewer, f"peek {path}", "GET", self._path(path))

    async def _act(self, step: Act) -> None:
        self.sources.pass_time(step.wait)
        viewer, key = self._player(step.seat), f"move-{self.version}"
        action = step.action if self.given is None else self._given(self.version, step.seat)
        self.doings[self.version] = (step.seat, action)
        self.keys.setdefault(step.seat, []).append(msgspec.structs.replace(step, action=action, wait=self.version))
        body = {"action": action} | ({"expected_version": self.version} if step.expecting else {})
        if step.by_socket:
            tap = self.at_game[viewer.name]
            await tap.send(type="move", command_id=key, **body)
            await tap.until_answered(key)
            answer = next(m for m in tap.messages() if m.get("command_id") == key)
            assert answer["type"] == "ack", answer
        else:
            answer = (await self.ask(viewer, "move", "POST", self._path("moves/"), body, key)).ok(201)
        await self._caught_up(answer["version"])

    async def _caught_up(self, version: int) -> None:
        if version > self.version:
            self.version = version
            for tap in self.at_game.values():
                await tap.until_version(version)

    def _player(self, seat: Seat) -> Viewer:
        return next(viewer for viewer in self.trial.players if viewer.seat == seat)

    def _bots_choice(self, table: Table, seat: Seat) -> Any:
        """A bot's choice is one more step: made up in the first world, repeated in the second."""
        if self.given is not None:
            return table.ruleset.parse_action(self._given(table.version, seat), table.options, table.seats)
        chosen = self._bot(table, seat)
        self.doings[table.version] = (seat, msgspec.to_builtins(chosen, str_keys=True))
        return chosen

    def _given(self, version: int, seat: Seat) -> dict[str, Any]:
        """What this seat did here in the first world. Raises Leak if it was not its turn there."""
        assert self.given is not None
        who, action = self.given.get(version, (None, {}))
        if who != seat:
            raise Leak("everybody", COURSE, f"version {version}: seat {who} acts", f"seat {seat} does")
        return action

    async def table(self) -> Table:
        loaded = await blocking(load, self.game_id)
        assert loaded is not None
        return loaded.table

    async def story(self) -> Story:
        return Story(self.game_id, await blocking(history, self.game_id), self.doings)

    # --- at the end -------------------------------------------------------------------------------------------

    async def settle(self) -> None:
        """All that was on its way has come: what every socket was sent up to here is kept."""
        self.phase("settling")
        for name, me in self.at_me.items():
            player_id = next(viewer.player_id for viewer in self.trial.viewers if viewer.name == name)
            await blocking(publish, Wake(kind="player", id=player_id, notice={"kind": "marker"}))
            await me.until(lambda me=me: any(m.get("kind") == "marker" for m in me.messages()))  # type: ignore[misc]
        for name, tap in self.at_game.items():
            await tap.send(type="ping")
            await tap.until_type("pong")
            self.sent[name] += [*of_frames("socket", tap.frames), *of_frames("me", self.at_me[name].frames)]

    def moves_of(self, viewer: Viewer) -> list[Act]:
        """The viewer's own moves, with the version they were made at as `wait`."""
        return [] if viewer.seat is None else self.keys.get(viewer.seat, [])

    async def question(self, viewer: Viewer, questions: list[Question]) -> None:
        """Everything that this viewer tries at the end."""
        self.phase(f"end {viewer.name}")
        tap = self.at_game.get(viewer.name)
        begun = len(tap.frames) if tap else 0
        for number, each in enumerate(questions):
            match each:
                case Request(method=method, path=path, body=body, key=key):
                    channel = f"move {method} {path}" if path.endswith("moves/") else f"{method} {path}"
                    await self.ask(viewer, channel.replace(self.game_id, "GAME"), method, path, body, key)
                case Message(content=content) if tap:
                    # Sent again under a key of their own kind, repeats are told from first answers by their number.
                    seen = len([m for m in tap.messages() if m.get("command_id") == content["command_id"]])
                    await tap.send(**content)
                    await tap.until(lambda c=content, s=seen: _answers(tap, c) > s)  # type: ignore[misc]
                case Reopened(query=query) if tap:
                    await self._reopen(viewer, query, number)
        if tap:
            own = [frame for frame in tap.frames[begun:] if b'"type":"presence"' not in frame]
            self.sent[viewer.name] += of_frames("answer", own)

    async def _reopen(self, viewer: Viewer, query: str, number: int) -> None:
        tap = await self._tap(viewer, query)
        try:
            await tap.until_type("welcome")
            await tap.send(type="ping")
            await tap.until_type("pong")
        finally:
            await tap.close()
        shown = [frame for frame in tap.frames if b'"type":"presence"' not in frame]
        self.sent[viewer.name] += of_frames(f"reopened{query and ' ' + query} {number}", shown)


def _answers(tap: Tap, content: dict[str, Any]) -> int:
    return len([m for m in tap.messages() if m.get("command_id") == content["command_id"]])


def _until_connected(game_id: str, player_id: str) -> None:
    limit = time.monotonic() + WAIT
    while not is_connected(game_id, player_id):
        assert time.monotonic() < limit, "an open socket counts as a connection"
        time.sleep(0.02)


def _asked(visitor: Visitor, method: str, path: str, body: Any, named: dict[str, str]) -> Reply:
    return visitor.ask(method, path, body, **named)


@asynccontextmanager
async def world(trial: Trial, sources: Sources, superuser: str, doings: Doings | None = None) -> AsyncIterator[World]:
    """A world that leaves nothing behind: its game is gone afterwards, so that the next may take its id."""
    with taken_from(sources), noted() as lines:
        made = World(trial, sources, lines, doings)
        try:
            yield made
        finally:
            for tap in (*made.at_game.values(), *made.at_me.values()):
                await tap.close()
            if hasattr(made, "game_id"):
                await blocking(_forget, made.game_id, [viewer.player_id for viewer in trial.players], superuser)


def _forget(game_id: str, player_ids: list[str], superuser: str) -> None:
    """Only the database's superuser can do this, with all triggers off."""
    with psycopg.connect(superuser) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute("DELETE FROM games_receipt WHERE player_id = ANY(%s::uuid[])", [player_ids])
        for name in ("games_event", "games_feed", "games_seat"):
            connection.execute(sql.SQL("DELETE FROM {} WHERE game_id = %s").format(sql.Identifier(name)), [game_id])
        connection.execute("DELETE FROM games_game WHERE id = %s", [game_id])
    cache.drop(game_id)
    client().delete(f"repli.sockets.{game_id}")
    for member in client().zscan_iter(LEASES, match=f"{game_id}|*"):
        client().zrem(LEASES, member[0])


async def put_away() -> None:
    """Give the clients' database connection back."""
    await blocking(connections.close_all)
