"""Many writers on few games while their backends are killed: no hole, no half move, no deadlock, no double command.

Bounded by the number of moves that each writer tries, whatever their outcome.
"""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from threading import Event as Flag

import pytest
from django.db import OperationalError, connection

from games.models import Event, Game, Receipt
from games.rules.table import appends
from games.store import cache, verify
from games.store.append import Append, append
from games.store.load import history
from tests.servers import TestServers
from tests.store.games import current, new_id, receipt, running, saying, superuser

TRIES = 120
# One of the writers' backends; those at work also where a pooler hides whose they are.
KILL = """
SELECT pg_terminate_backend(pid) FROM (
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND (pid = ANY(%s::int[]) OR state <> 'idle')
    ORDER BY random() LIMIT 1) AS one"""


class Writer:
    """Appends batches of moves to games picked at random, and remembers what it was told."""

    def __init__(self, number: int, games: list[str]) -> None:
        self.number, self.games, self.random = number, games, random.Random(number)
        self.player = new_id()
        self.accepted: dict[tuple[str, int], bytes] = {}
        self.unknown: set[tuple[str, int, bytes]] = set()
        self.refused = 0
        self.backend: int | None = None

    def run(self) -> None:
        try:
            for attempt in range(TRIES):
                self._try(attempt)
        finally:
            self.backend = None
            connection.close()

    def _try(self, attempt: int) -> None:
        games = self.random.sample(self.games, self.random.randint(1, len(self.games)))
        try:
            connection.ensure_connection()
            self.backend = connection.connection.info.backend_pid
            batch = [self._move(game_id, attempt) for game_id in games]
        except OperationalError:
            return
        try:
            standing = append(batch)
        except OperationalError:
            self.unknown |= {(each.game_id, each.version, each.head) for each in batch}
            return
        self.accepted |= {(each.game_id, each.version): each.head for each in standing.values()}
        self.refused += len(batch) - len(standing)

    def _move(self, game_id: str, attempt: int) -> Append:
        move = saying(current(game_id), f"writer {self.number} attempt {attempt}")
        return move.answered(receipt(self.player, f"{self.number}-{attempt}", game_id=game_id, body=move.head))


def _kill_some(servers: TestServers, writers: list[Writer], done: Flag) -> int:
    killed = 0
    with superuser(servers) as other:
        while not done.wait(0.05):
            backends = [writer.backend for writer in writers if writer.backend]
            killed += len(other.execute(KILL, [backends]).fetchall())
    return killed


@pytest.mark.parametrize("writers, kills", [(2, False), (6, False), (6, True)])
def test_racing_writers_leave_whole_moves_without_holes(servers: TestServers, writers: int, *, kills: bool) -> None:
    games = [running().table.id for _ in range(4)]
    crew = [Writer(number, games) for number in range(writers)]
    done = Flag()
    with ThreadPoolExecutor(writers + 1) as pool:
        killer = pool.submit(_kill_some, servers, crew, done) if kills else None
        runs = [pool.submit(writer.run) for writer in crew]
        try:
            for each in runs:
                each.result()
        finally:
            done.set()
        assert killer is None or killer.result() > 0

    for game_id in games:
        _expect_whole(game_id, crew)
    assert sum(len(writer.accepted) for writer in crew) >= TRIES
    assert kills or sum(writer.refused for writer in crew) > 0  # they did get in each other's way


def _expect_whole(game_id: str, crew: list[Writer]) -> None:
    cache.clear()
    game = current(game_id)
    checked = verify.check_game(game_id)
    assert checked is not None
    assert checked.finding is None

    moves = appends(history(game_id))[2:]  # after the creation and the start
    assert all([record.event.type for record in move] == ["said", "tallied"] for move in moves)

    links = dict(Event.objects.filter(game_id=game_id).values_list("version", "hash"))
    told = {version: head for writer in crew for (where, version), head in writer.accepted.items() if where == game_id}
    assert all(bytes(links[version]) == head for version, head in told.items())
    unsure = {version for writer in crew for where, version, _ in writer.unknown if where == game_id}
    assert {move[-1].version for move in moves} - set(told) <= unsure  # nothing stands that nobody tried

    commands = Event.objects.filter(game_id=game_id, command_id__isnull=False).values_list("command_id", flat=True)
    assert Counter(commands).most_common(1)[0][1] == 1
    assert set(commands) == set(Receipt.objects.filter(game_id=game_id).values_list("key", flat=True))
    assert len(commands) == len(moves) == game.table.state.total
    assert Game.objects.get(id=game_id).version == game.version


def test_an_equal_key_sent_many_times_at_once_makes_one_move_and_one_answer() -> None:
    game, player = running(), new_id()

    def send(number: int) -> bool:
        try:
            move = saying(current(game.table.id), f"try {number}")
            answer = receipt(player, "once", game_id=game.table.id, body=move.head)
            return bool(append([move.answered(answer)]))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        stood = list(pool.map(send, range(40)))

    assert stood.count(True) == 1
    kept = Receipt.objects.get(game_id=game.table.id)
    assert bytes(kept.body) == current(game.table.id).head
    assert [len(list(group)) for _, group in groupby(history(game.table.id), key=lambda each: each.base)] == [3, 2, 2]


def test_games_of_a_batch_in_opposite_orders_never_wait_for_each_other() -> None:
    games = [running().table.id for _ in range(8)]

    def write(order: list[str]) -> int:
        try:
            return sum(len(append([saying(current(each), "x") for each in order])) for _ in range(40))
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        written = list(pool.map(write, [games, games[::-1]]))

    assert sum(written) == sum((current(each).version - 5) // 2 for each in games)
