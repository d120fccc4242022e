"""A rolling restart under load: every process is asked to end and started anew, one after the other, in the middle of
many games of every ruleset; then the clients' log against the tables.

Promised: no acknowledged move is lost and none stands twice, every game comes to its end, ranked games are rated once,
what two beats ask for twice is done once, sockets are told 1012 and come back, and no answer is a failure but 503 with
Retry-After.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import psycopg

from tests.drills.audit import Tables, Verdict, command, compare
from tests.drills.client import Client
from tests.drills.deployment import Fleet, Restart, restarted
from tests.drills.journal import Journal
from tests.drills.kills import tracebacks
from tests.drills.metering import Meter
from tests.drills.tables import clients_of, differences
from tests.drills.wire import Account, Wire

STANDSTILL = 60.0  # seconds without an acknowledged move or a finished game after which all is lost
CAUGHT_UP = 60.0  # seconds in which followers have applied every finished game
FOLLOWERS = ("ratings", "statistics", "conduct")
CHANGES = """
SELECT game_id::text, player_id::text, x::text FROM rankings_rating_change x WHERE game_id = ANY(%s::uuid[])"""
PATIENCE = 0.2  # seconds between two looks at a ticket


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A game to be played: `players` of our clients at `seats`, bots at the others; ranked ones have no bots."""

    rules: str
    seats: int
    players: int
    ranked: bool = False
    options: dict[str, Any] = field(default_factory=dict)


SHORT = {
    "gg": Plan(rules="gg", seats=4, players=2, options={"lives": 1, "quick": True}),
    "plie": Plan(rules="plie", seats=3, players=2),
    "barbu": Plan(rules="barbu", seats=3, players=2, options={"contracts": ["king_of_hearts"]}),
    "vingtsept": Plan(rules="vingtsept", seats=3, players=2, options={"mode": "custom", "objective": 9}),
}
RANKED = {
    "gg": Plan(rules="gg", seats=2, players=2, ranked=True),
    "plie": Plan(rules="plie", seats=2, players=2, ranked=True),
    "barbu": Plan(rules="barbu", seats=3, players=3, ranked=True),
    "vingtsept": Plan(rules="vingtsept", seats=2, players=2, ranked=True),
}


def plans(games: int, ranked: int) -> list[Plan]:
    """So many games, `ranked` of them ranked; the rulesets in turn, the long ones first."""
    kinds = ["barbu", *(rules for rules in SHORT if rules != "barbu")]
    special = [RANKED[kinds[number % len(kinds)]] for number in range(ranked)]
    return special + [SHORT[kinds[number % len(kinds)]] for number in range(games - ranked)]


@dataclass(kw_only=True)
class Report:
    """What was observed; `broken` is empty if every promise was kept."""

    restarts: list[Restart]
    moves: dict[str, int]  # acknowledged before, during and after the restarts
    games: Counter[str]  # by ruleset and mode
    ended: Counter[str]  # by when: before, during, after
    rated: int
    journal: Journal
    verdict: Verdict
    meter: Meter
    tracebacks: list[str]
    broken: list[str]
    seconds: float

    def during(self, restart: Restart) -> int:
        """Moves acknowledged from the signal until the process was ready again."""
        end = restart.asked + restart.ready
        return sum(restart.asked <= each.answered < end for each in self.journal.commands.values() if each.version)


@dataclass(kw_only=True)
class Played:
    """A game that was played to its end."""

    plan: Plan
    clients: list[Client]
    over: float


@dataclass(kw_only=True)
class Rolling:
    """All plans, casual ones `at_once` at a time, with one restart of every process in the middle."""

    fleet: Fleet
    plans: Sequence[Plan]
    at_once: int = 12
    begin: float = 0.3  # share of the games that are over when the first process is asked to end
    seed: int = 1
    say: Callable[[str], None] = print
    journal: Journal = field(default_factory=Journal)
    played: list[Played] = field(default_factory=list)
    restarts: list[Restart] = field(default_factory=list)
    _over: int = 0

    async def run(self) -> Report:
        begun = time.monotonic()
        meter = Meter(self.fleet.urls)
        async with Wire(self.fleet.urls, self.journal, random.Random(self.seed)) as wire:
            metering = asyncio.create_task(meter.run())
            try:
                await self._all(wire)
                found = [await differences(client) for played in self.played for client in played.clients]
            finally:
                metering.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await metering
        broken = [fault for faults in found for fault in faults]
        return await asyncio.to_thread(self._report, broken, meter, begun)

    # --- playing ------------------------------------------------------------------------------------------------

    async def _all(self, wire: Wire) -> None:
        room = asyncio.Semaphore(self.at_once)
        async with asyncio.TaskGroup() as together:
            watch = together.create_task(self._moves_on())
            restarts = together.create_task(self._restart_all())
            ranked = Counter(plan.rules for plan in self.plans if plan.ranked)
            games = [together.create_task(self._ranked(wire, RANKED[rules], times)) for rules, times in ranked.items()]
            games += [together.create_task(self._casual(wire, plan, room)) for plan in self.plans if not plan.ranked]
            await asyncio.gather(*games, restarts)
            watch.cancel()

    async def _casual(self, wire: Wire, plan: Plan, room: asyncio.Semaphore) -> None:
        async with room:
            game = await wire.opened(plan.players, plan.seats, rules=plan.rules, **plan.options)
            await self._to_its_end(plan, clients_of(wire, game.id, game.players))

    async def _ranked(self, wire: Wire, plan: Plan, times: int) -> None:
        """So many games of one kind, by tickets; who meets whom is the matcher's affair."""
        accounts = [await wire.registered() for _ in range(times * plan.players)]
        found = await asyncio.gather(*(self._matched(wire, plan, account) for account in accounts))
        tables: dict[str, list[Account]] = {}
        for game_id, account in zip(found, accounts, strict=True):
            tables.setdefault(game_id, []).append(account)
        await asyncio.gather(
            *(self._to_its_end(plan, clients_of(wire, game_id, players)) for game_id, players in tables.items())
        )

    async def _matched(self, wire: Wire, plan: Plan, account: Account) -> str:
        ask = {"rules": plan.rules, "mode": "ranked", "seats": plan.seats}
        ticket = (await wire.insist("POST", "/api/v1/matchmaking/tickets/", account, ask)).json()
        while ticket["status"] == "searching":
            await asyncio.sleep(PATIENCE)
            ticket = (await wire.insist("GET", f"/api/v1/matchmaking/tickets/{ticket['id']}/", account)).json()
        assert ticket["status"] == "matched", ticket
        return str(ticket["game_id"])

    async def _to_its_end(self, plan: Plan, clients: list[Client]) -> None:
        await asyncio.gather(*(client.run() for client in clients))
        self._over += 1
        self.played.append(Played(plan=plan, clients=clients, over=time.monotonic()))

    async def _moves_on(self) -> None:
        """Fail when nothing happens any more."""
        seen, since = (-1, -1), time.monotonic()
        while True:
            now = (self.journal.acknowledged, self._over)
            if now != seen:
                seen, since = now, time.monotonic()
            if time.monotonic() > since + STANDSTILL:
                raise AssertionError(f"play stands still after {[each.process for each in self.restarts]}")
            await asyncio.sleep(0.5)

    async def _restart_all(self) -> None:
        enough = len(self.plans) * self.begin
        while self._over < enough or self.journal.acknowledged < len(self.plans):  # noqa: ASYNC110 (games end in many places)
            await asyncio.sleep(0.05)
        for name in self.fleet.names:
            restart = await restarted(self.fleet, name)
            self.restarts.append(restart)
            code = "" if restart.code is None else f" with code {restart.code}"
            self.say(f"{name}: stopped after {restart.stopped:.1f} s{code}, ready after {restart.ready:.1f} s")

    # --- looking ------------------------------------------------------------------------------------------------

    def _report(self, broken: list[str], meter: Meter, begun: float) -> Report:
        tables = Tables(self.fleet, [played.clients[0].game_id for played in self.played])
        verdict = compare(self.journal, tables)
        first, last = self.restarts[0].asked, self.restarts[-1].asked + self.restarts[-1].ready
        phases = Counter(_phase(each.answered, first, last) for each in self.journal.commands.values() if each.version)
        rated, faults = self._rated()
        broken = [*self.journal.broken, *verdict.broken, *broken, *meter.broken(), *faults]
        broken += [f"{game_id} is {status}" for game_id, (_, status) in tables.games.items() if status != "finished"]
        broken += [] if phases["during"] else ["no move was acknowledged while processes were restarted"]
        broken += self._closed_otherwise() + self._ended_otherwise() + self._done_twice()
        for words in (("verify_events", "--json"), ("rebuild_statistics", "--check")):
            code, said, error = command(self.fleet, *words)
            if code != 0:
                broken.append(f"{' '.join(words)}: {said[-1000:]}{error[-1000:]}")
        return Report(
            restarts=self.restarts,
            moves={phase: phases[phase] for phase in ("before", "during", "after")},
            games=Counter(f"{one.plan.rules}{', ranked' if one.plan.ranked else ''}" for one in self.played),
            ended=Counter(_phase(played.over, first, last) for played in self.played),
            rated=rated,
            journal=self.journal,
            verdict=verdict,
            meter=meter,
            tracebacks=(found := tracebacks(self.fleet.said())),
            broken=[*broken, *(f"a traceback in the log: {line}" for line in found)],
            seconds=time.monotonic() - begun,
        )

    def _closed_otherwise(self) -> list[str]:
        """Sockets that a leaving process closed, but not with 1012; and a restart that closed none is no drill."""
        closes = self.journal.closes
        others = [code for code in closes if code.isdigit() and code != "1012"]
        found = [f"{closes[code]} sockets were closed with {code}" for code in others]
        return found if closes["1012"] else [*found, "no socket was closed with 1012: nobody was there"]

    def _ended_otherwise(self) -> list[str]:
        return [f"{each.process} ended with code {each.code}" for each in self.restarts if self._odd(each)]

    @staticmethod
    def _odd(restart: Restart) -> bool:
        return restart.code not in {0, None} or restart.stopped > 40

    def _rated(self) -> tuple[int, list[str]]:
        """One change of rating for each player of each ranked game, none for others; a rebuild gives the same bits."""
        ranked = [one for one in self.played if one.plan.ranked]
        wanted = {(client.game_id, client.account.id) for one in ranked for client in one.clients}
        ids = [one.clients[0].game_id for one in self.played]
        with psycopg.connect(self.fleet.servers["superuser_database_url"], autocommit=True) as connection:
            faults = _caught_up(connection, ids)
            before = connection.execute(CHANGES, [ids]).fetchall()
            code, said, error = command(self.fleet, "rebuild_ratings")
            after = connection.execute(CHANGES, [ids]).fetchall()
        changes = Counter((game_id, player_id) for game_id, player_id, _ in before)
        faults += [f"{key}: {times} changes of a rating" for key, times in changes.items() if times != 1]
        faults += [f"{key} was not rated" for key in wanted - changes.keys()]
        faults += [f"{key} was rated and should not be" for key in changes.keys() - wanted]
        if code != 0 or sorted(before) != sorted(after):
            faults.append(f"rebuild_ratings gives other ratings: {said[-500:]}{error[-500:]}")
        return len(before), faults

    def _done_twice(self) -> list[str]:
        """Tickets that lead to tables of other people, players at two tables, and seats given to bots twice over."""
        found = []
        homes: dict[str, set[str]] = {}
        for one in (played for played in self.played if played.plan.ranked):
            for client in one.clients:
                homes.setdefault(client.account.id, set()).add(client.game_id)
            if len(one.clients) != one.plan.seats:
                found.append(f"{one.clients[0].game_id}: {len(one.clients)} tickets for {one.plan.seats} seats")
        found += [f"player {player} sits at {len(games)} tables" for player, games in homes.items() if len(games) > 1]
        players = list(homes)
        with psycopg.connect(self.fleet.servers["superuser_database_url"]) as connection:
            rows = "SELECT count(DISTINCT game_id) FROM games_seat WHERE player_id = ANY(%s::uuid[])"
            row = connection.execute(rows, [players]).fetchone()
        if row and row[0] != (tables := len({game for games in homes.values() for game in games})):
            found.append(f"matching made {row[0]} tables for the players of {tables}")
        for one in self.played:
            changes = [each["data"] for each in one.clients[0].events if each["type"] == "seat_controlled"]
            for seat in range(one.plan.seats):
                by = [each["by"] for each in changes if each["seat"] == seat]
                if any(earlier == later for earlier, later in pairwise(by)):
                    found.append(f"{one.clients[0].game_id}: seat {seat} was given away twice over: {by}")
        return found


def _phase(moment: float, first: float, last: float) -> str:
    return "before" if moment < first else "during" if moment < last else "after"


def _caught_up(connection: psycopg.Connection[Any], game_ids: Sequence[str]) -> list[str]:
    """Wait until every follower has applied the end of every game; what it has not."""
    limit = time.monotonic() + CAUGHT_UP
    counted = (
        "SELECT count(DISTINCT game_id) FROM games_applied"
        " WHERE consumer = %s AND type = 'game_finished' AND game_id = ANY(%s::uuid[])"
    )
    found = []
    for follower in FOLLOWERS:
        while True:
            row = connection.execute(counted, [follower, list(game_ids)]).fetchone()
            if row and row[0] == len(game_ids):
                break
            if time.monotonic() > limit:
                found.append(f"{follower}: {row and row[0]} of {len(game_ids)} games were applied")
                break
            time.sleep(0.2)
    return found
