"""Group commit on the event loop: batches, conflicts, lost connections, waiters who go away, the end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

import msgspec
import psycopg
import pytest
import pytest_asyncio
from django.conf import settings

from games.services.threads import in_thread
from games.store import parameters
from games.store.append import append
from games.store.line import Line
from games.store.load import history, load
from games.store.prepared import Append
from games.store.writer import Busy, Entry, Writer
from tests.servers import TestServers
from tests.store.games import break_connection, new_id, receipt, running, saying, superuser


class Watched:
    """A writer that notes what it is told of."""

    def __init__(self, **limits: int) -> None:
        self.batches: list[list[Append]] = []
        self.writer = Writer(self._committed, **limits)

    def _committed(self, entries: Sequence[Entry]) -> None:
        self.batches.append([entry.made for entry in entries])

    @property
    def written(self) -> list[Append]:
        return [made for batch in self.batches for made in batch]


@pytest_asyncio.fixture
async def watched() -> AsyncIterator[Watched]:
    found = Watched()
    yield found
    await found.writer.close()


def games(number: int) -> list[Append]:
    """The next move of so many games."""
    return [saying(running(), "well") for _ in range(number)]


@contextlib.contextmanager
def locked(servers: TestServers, game_id: str) -> Iterator[psycopg.Connection]:
    """A game that another process holds; leaving lets it go."""
    with superuser(servers) as other, other.transaction():
        other.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", [game_id])
        yield other


async def until(found: Callable[[], Any]) -> None:
    while not found():  # noqa: ASYNC110  (what is waited for happens in another process)
        await asyncio.sleep(0.01)


async def locked_out(servers: TestServers) -> int:
    """Wait until a backend waits for a lock; which one. Nobody else is at work here."""
    with superuser(servers) as other:
        waits = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

        def waiting() -> Any:
            return other.execute(waits).fetchone()

        await until(lambda: waiting() is not None)
        return int(waiting()[0])


async def test_moves_that_come_together_are_one_batch_and_each_is_followed_up_once(watched: Watched) -> None:
    moves = await in_thread(games, 5)

    assert await asyncio.gather(*(watched.writer.append(move) for move in moves)) == [True] * 5

    assert [len(batch) for batch in watched.batches] == [5]
    for move in moves:
        records = await in_thread(history, move.game_id)
        assert (records[-1].version, records[-1].event) == (move.version, move.records[-1].event)


async def test_of_two_games_in_one_batch_the_one_that_was_overtaken_does_not_stand(watched: Watched) -> None:
    moves = await in_thread(games, 2)
    await in_thread(append, [await in_thread(saying, moves[0].before, "first")])

    assert await asyncio.gather(*(watched.writer.append(move) for move in moves)) == [False, True]

    assert [[move.game_id for move in batch] for batch in watched.batches] == [[moves[1].game_id]]


async def test_a_second_move_of_a_game_waits_for_the_first(watched: Watched) -> None:
    (first,) = await in_thread(games, 1)
    rival = await in_thread(saying, first.before, "rival")
    second = await in_thread(saying, first.after, "second")

    stand = await asyncio.gather(*(watched.writer.append(move) for move in (first, rival, second)))

    assert stand == [True, False, True]
    assert [len(batch) for batch in watched.batches] == [1, 1]


async def test_a_known_key_does_not_stand_again(watched: Watched) -> None:
    (move,) = await in_thread(games, 1)
    player = new_id()
    asked = receipt(player, "k", game_id=move.game_id)
    assert await watched.writer.append(move.answered(asked))

    again = await in_thread(saying, move.after, "again")

    assert await watched.writer.append(again.answered(asked)) is False


async def test_batches_grow_while_two_are_in_flight_up_to_their_limit(servers: TestServers) -> None:
    watched = Watched(lines=2, max_batch=4)
    moves = await in_thread(games, 12)
    with locked(servers, moves[0].game_id):
        held = asyncio.create_task(watched.writer.append(moves[0]))
        await locked_out(servers)
        stand = await asyncio.gather(*(watched.writer.append(move) for move in moves[1:]))
    assert [*stand, await held] == [True] * 12
    await watched.writer.close()

    assert [len(batch) for batch in watched.batches] == [4, 4, 3, 1]


async def test_a_locked_game_does_not_hold_up_its_batch_for_long(servers: TestServers) -> None:
    watched = Watched(lock_seconds=1)
    moves = await in_thread(games, 3)
    with locked(servers, moves[1].game_id):
        waiting = [asyncio.create_task(watched.writer.append(move)) for move in moves]
        assert await waiting[0] is True
        with pytest.raises(psycopg.errors.LockNotAvailable):
            await waiting[1]
        assert await waiting[2] is True
    await watched.writer.close()

    assert await in_thread(load, moves[1].game_id) == moves[1].before


async def test_what_cannot_be_stored_is_not_its_batchs_trouble(watched: Watched) -> None:
    good, bad = await in_thread(games, 2)
    row = msgspec.structs.replace(bad.rows[0], data=msgspec.Raw(b"{"))
    bad = msgspec.structs.replace(bad, rows=(row, *bad.rows[1:]))

    stand = await asyncio.gather(*(watched.writer.append(move) for move in (bad, good)), return_exceptions=True)

    assert isinstance(stand[0], psycopg.DataError)
    assert stand[1] is True


@pytest.mark.parametrize("committed", [True, False])
async def test_the_outcome_of_a_batch_whose_answer_was_lost_is_found_by_its_mark(
    servers: TestServers, watched: Watched, monkeypatch: pytest.MonkeyPatch, *, committed: bool
) -> None:
    moves = await in_thread(games, 3)
    rival = await in_thread(saying, moves[0].before, "rival")
    run, asked = Line.rows, parameters.moving(moves)[0]

    async def lose_the_answer(line: Line, statement: str, parameters: Sequence[object] = ()) -> object:
        monkeypatch.setattr(Line, "rows", run)
        if committed:
            await run(line, statement, parameters)
        assert line._connection is not None
        break_connection(servers, line._connection)
        return await run(line, "SELECT 1")

    monkeypatch.setattr(Line, "rows", lose_the_answer)
    assert await asyncio.gather(*(watched.writer.append(move) for move in moves)) == [True] * 3
    assert asked
    assert await watched.writer.append(rival) is False

    assert sorted(move.game_id for move in watched.written) == sorted(move.game_id for move in moves)
    assert (await in_thread(history, moves[0].game_id))[-1].version == moves[0].version


async def test_a_connection_that_is_lost_in_the_middle_of_a_batch_costs_no_move(
    servers: TestServers, watched: Watched
) -> None:
    moves = await in_thread(games, 2)
    with locked(servers, moves[0].game_id) as other:
        waiting = [asyncio.create_task(watched.writer.append(move)) for move in moves]
        other.execute("SELECT pg_terminate_backend(%s)", [await locked_out(servers)])
        await asyncio.sleep(0.1)

    assert await asyncio.gather(*waiting) == [True, True]
    assert len(await in_thread(history, moves[1].game_id)) == moves[1].version


async def test_who_no_longer_waits_is_followed_up_all_the_same(servers: TestServers, watched: Watched) -> None:
    moves = await in_thread(games, 3)
    with locked(servers, moves[0].game_id):
        waiting = [asyncio.create_task(watched.writer.append(move)) for move in moves]
        await locked_out(servers)
        waiting[0].cancel()
        waiting[1].cancel()
        await asyncio.wait(waiting[:2])

    assert await waiting[2] is True
    assert waiting[0].cancelled()
    assert sorted(move.game_id for move in watched.written) == sorted(move.game_id for move in moves)
    assert (await in_thread(history, moves[0].game_id))[-1].version == moves[0].version


async def test_a_full_queue_refuses_and_nothing_is_half_done(servers: TestServers) -> None:
    watched = Watched(lines=1, max_waiting=1)
    moves = await in_thread(games, 3)
    with locked(servers, moves[0].game_id):
        first = asyncio.create_task(watched.writer.append(moves[0]))
        await locked_out(servers)
        second = asyncio.create_task(watched.writer.append(moves[1]))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await watched.writer.append(moves[2])
    assert await first is await second is True
    await watched.writer.close()

    assert await in_thread(load, moves[2].game_id) == moves[2].before


async def test_the_end_waits_for_what_was_taken_in(watched: Watched) -> None:
    moves = await in_thread(games, 8)
    waiting = [asyncio.create_task(watched.writer.append(move)) for move in moves]
    await asyncio.sleep(0)

    await watched.writer.close()

    assert await asyncio.gather(*waiting) == [True] * 8
    with pytest.raises(Busy):
        await watched.writer.append(moves[0])


async def test_a_follow_up_that_fails_fails_no_move() -> None:
    def broken(_entries: Sequence[Entry]) -> None:
        raise ValueError

    writer = Writer(broken)
    (move,) = await in_thread(games, 1)

    assert await writer.append(move) is True
    await writer.close()


@pytest.mark.parametrize("prepared", [True, False])
async def test_statements_go_by_index_and_wait_for_no_lock_for_long(*, prepared: bool) -> None:
    if prepared and not settings.REPLI.prepared_statements:
        pytest.skip("the pooler refuses what a prepared line asks for at its start")
    line = Line()
    line._prepared = prepared
    try:
        found = await line.rows(
            "SELECT current_setting('enable_seqscan'), current_setting('lock_timeout'), %s::text", ["a'b"]
        )
    finally:
        await line.close()

    assert found == [("off", "5s", "a'b")]
