"""Clients who join, cancel and join again at random, against two matcher processes; then the sums are compared.

`python -m tests.rankings.matchmaking.trial --clients 200 --seconds 60` runs it on servers of its own and prints them.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

import msgspec

MATCHERS = 2
THREADS = 8
RULES = ("gg", "vingtsept")
CANCELS = 0.2  # at each look at a ticket
LONERS = 0.02  # ask for a table that hardly anybody wants, and go away


class Sums(msgspec.Struct, frozen=True, kw_only=True):
    """What the tables say in the end."""

    created: int
    by_status: dict[str, int]
    tables: list[int]  # by matcher process
    games: int
    nameless: int  # matched tickets that name no game with a seat of their player
    overlaps: int  # pairs of a player's games that were open at one time
    refused: int  # cancels that came too late

    @property
    def live(self) -> int:
        return self.by_status.get("searching", 0) + self.by_status.get("inviting", 0)

    def faults(self) -> list[str]:
        """What is not as it must be, as sentences."""
        ended = sum(self.by_status.get(status, 0) for status in ("matched", "cancelled", "expired"))
        found = {
            "matched + cancelled + expired + live = created": ended + self.live == self.created,
            "at least half were matched": 2 * self.by_status.get("matched", 0) >= self.created,
            "every matcher made tables": min(self.tables) > 0,
            "every table is somebody's": sum(self.tables) == self.games,
            "every matched ticket names its game": self.nameless == 0,
            "no player was in two games": self.overlaps == 0,
        }
        return [sentence for sentence, holds in found.items() if not holds]


class Client:
    """One player: idle, with a ticket, at a table, or away."""

    def __init__(self, player_id: str, seed: int) -> None:
        self.player_id, self.chance = player_id, random.Random(seed)
        self.ticket: UUID | None = None
        self.game: str | None = None
        self.until = 0.0
        self.refused = 0
        self.joined = 0

    def step(self) -> None:
        if time.monotonic() < self.until:
            return
        if self.game:
            _end(self.game)
            self.game = None
        elif self.ticket is None:
            self._join()
        else:
            self._look(self.ticket)

    def _join(self) -> None:
        from config.wire.problems import Problem
        from rankings.matchmaking import tickets
        from rankings.matchmaking.documents import NewTicket

        alone = self.chance.random() < LONERS
        asked = NewTicket(rules="gg" if alone else self.chance.choice(RULES), mode="ranked", seats=7 if alone else None)
        try:
            made = tickets.open_ticket(self.player_id, asked, None)
        except Problem as refusal:
            assert refusal.detail == "one-ranked-game", refusal  # noqa: PT017  (its end is under way)
            return
        self.ticket = UUID(msgspec.json.decode(made.body)["id"])
        self.joined += 1
        if alone:
            self.until = time.monotonic() + 45
        else:
            self._look(self.ticket)

    def _look(self, ticket: UUID) -> None:
        from config.wire.problems import Problem
        from rankings.matchmaking import tickets

        if self.chance.random() < CANCELS:
            try:
                tickets.cancel(self.player_id, ticket)
            except Problem:
                self.refused += 1
        seen = tickets.look(self.player_id, ticket)
        if seen.status == "searching":
            self.until = time.monotonic() + self.chance.uniform(0.1, 1)
            return
        self.ticket, self.game = None, seen.game_id
        self.until = time.monotonic() + self.chance.uniform(0.2, 1.5)


def _end(game_id: str) -> None:
    """The game is over for all its players."""
    from games.rules import lifecycle as life
    from games.rules import play
    from games.services import command, entropy
    from games.store.append import prepare
    from games.store.load import load

    loaded, now = load(game_id), entropy.utcnow()
    if loaded is not None and loaded.table.status == "waiting":
        move = play.record(loaded.table, [life.GameAborted(reason="trial")], now)
        command.write(prepare(loaded, move, due_at=None), now)


@contextmanager
def matchers(number: int) -> Iterator[list[subprocess.Popen[str]]]:
    """So many matcher processes that are ready."""
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.rankings.matchmaking.matching"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for _ in range(number)
    ]
    try:
        for process in started:
            assert process.stdout is not None
            while (line := process.stdout.readline()) != "ready\n":
                assert line, "the matcher did not start"
        yield started
    finally:
        for process in started:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None and not pipe.closed:
                    pipe.close()


def _stopped(process: subprocess.Popen[str]) -> int:
    """End a matcher; how many tables it has made."""
    said, _ = process.communicate(timeout=60)
    return int(said.split()[-1])


def run(clients: int, seconds: float, seed: int = 1, enough: float = math.inf) -> Sums:
    """Let them loose for so long, or until there were `enough` tickets, and count."""
    from django.db import connections

    from accounts.models import Player

    accounts = Player.objects.bulk_create(Player(display_name=f"Trial {number}") for number in range(clients))
    crowd = [Client(str(account.id), seed + number) for number, account in enumerate(accounts)]
    deadline = [0.0]

    def drive(mine: list[Client]) -> None:
        while time.monotonic() < deadline[0] and sum(client.joined for client in crowd) < enough:
            for client in mine:
                client.step()
            time.sleep(0.01)
        connections.close_all()

    with matchers(MATCHERS) as processes:
        deadline[0] = time.monotonic() + seconds
        with ThreadPoolExecutor(THREADS) as pool:
            for outcome in [pool.submit(drive, crowd[place::THREADS]) for place in range(THREADS)]:
                outcome.result()
        tables = [_stopped(process) for process in processes]
    return _summed([client.player_id for client in crowd], tables, sum(client.refused for client in crowd))


def _summed(player_ids: list[str], tables: list[int], refused: int) -> Sums:
    from rankings.matchmaking.models import Ticket

    own = Ticket.objects.filter(owner_id__in=player_ids)
    matched = own.filter(status="matched").values_list("owner_id", "game_id")
    seats = _seats(player_ids)
    held = {(player_id, game_id) for player_id, game_id, _, _ in seats}
    return Sums(
        created=own.count(),
        by_status=dict(Counter(own.values_list("status", flat=True))),
        tables=tables,
        games=len({game_id for _, game_id, _, _ in seats}),
        nameless=sum(pair not in held for pair in matched),
        overlaps=sum(one[0] == other[0] and other[2] < one[3] for one, other in itertools.pairwise(seats)),
        refused=refused,
    )


def _seats(player_ids: list[str]) -> list[tuple[UUID, UUID, datetime, datetime]]:
    """Player, game, and from when until when it was open, by player and time."""
    from games.store.connection import read

    found = read(
        "SELECT s.player_id, s.game_id, g.created_at, coalesce((SELECT min(e.recorded_at) FROM games_event e"
        "  WHERE e.game_id = g.id AND e.type = 'game_aborted'), now() + interval '1 day')"
        " FROM games_seat s JOIN games_game g ON g.id = s.game_id"
        " WHERE s.player_id = ANY(%s::uuid[]) ORDER BY s.player_id, g.created_at",
        [player_ids],
    )
    return [(player_id, game_id, begun, over) for player_id, game_id, begun, over in found]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    from tests.conftest import SERVERS

    SERVERS.start()
    sums = run(asked.clients, asked.seconds, asked.seed)
    print(f"{asked.clients} clients, {asked.seconds:.0f} s, {MATCHERS} matchers, seed {asked.seed}")
    print(f"created {sums.created} = " + " + ".join(f"{status} {n}" for status, n in sorted(sums.by_status.items())))
    print(f"tables by matcher: {sums.tables}, games {sums.games}, cancels that came too late: {sums.refused}")
    print(f"matched without a game: {sums.nameless}, players in two games at once: {sums.overlaps}")
    for fault in sums.faults():
        print(f"NOT TRUE: {fault}")
    return 1 if sums.faults() else 0


if __name__ == "__main__":
    sys.exit(main())
