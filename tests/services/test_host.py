"""The game host: no query but the batch's, nobody refused on an old state, rivals in this process and in others."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
import pytest_asyncio
import redis
from django.conf import settings

from config.wire import gathered
from config.wire.problems import Problem
from games.services import host as hosts
from games.services import play
from games.services.command import Caller
from games.services.host import Ask, Host, Moved
from games.services.threads import in_thread
from games.store import cache
from games.store import load as loading
from games.store.load import history, load
from tests.games import at_game, hub_stopped, moved, somebody, started
from tests.servers import TestServers


@pytest_asyncio.fixture
async def host() -> AsyncIterator[Host]:
    yield hosts.host()
    await hub_stopped()
    await gathered.stop()


class Table:
    """A running game of `tiny` for two, whose first moves are picks in any order."""

    def __init__(self) -> None:
        self.players = [somebody("Ada"), somebody("Bob")]
        self.id = started(self.players)
        loaded = load(self.id)
        assert loaded is not None
        self.version = loaded.version
        self.picks = [{"type": "pick", "card": str(loaded.table.state.hands[seat][0])} for seat in range(2)]

    def ask(self, seat: int, action: Any = None, expected: int | None = None, key: str | None = None) -> Ask:
        action = action or self.picks[seat]
        caller = self.players[seat].caller
        return Ask(caller, self.id, play.move_key(key, action, expected), play.step(caller, action, expected))


async def refused(host: Host, ask: Ask) -> str:
    with pytest.raises(Problem) as refusal:
        await host.move(ask)
    return refusal.value.code


async def test_moves_at_one_game_follow_each_other(host: Host) -> None:
    table = await in_thread(Table)

    moved = await asyncio.gather(host.move(table.ask(0)), host.move(table.ask(1)))

    assert [each.version for each in moved] == [table.version + 1, table.version + 2]
    assert (await in_thread(history, table.id))[-1].version == table.version + 2


async def test_the_answer_is_the_one_that_threads_give(host: Host) -> None:
    one, two = await in_thread(Table), await in_thread(Table)

    hosted = (await host.move(one.ask(0))).answer
    threaded = await in_thread(play.move, two.players[0].caller, two.id, two.picks[0], None, None)

    assert hosted.status == threaded.status == 201
    assert [*json.loads(hosted.body)] == [*json.loads(threaded.body)]


async def test_another_processs_move_is_caught_up_with_before_anybody_is_refused(host: Host) -> None:
    table = await in_thread(Table)
    stale = await in_thread(load, table.id)
    assert stale is not None
    await in_thread(moved, table.players[0], table.id, table.picks[0])
    cache.drop(table.id)
    cache.put(stale)  # as in a process that has not heard of it

    assert await refused(host, table.ask(0)) in {"illegal-move", "not-your-turn"}

    cache.drop(table.id)
    cache.put(stale)
    with pytest.raises(Problem) as refusal:
        await host.move(table.ask(1, expected=table.version))
    assert (refusal.value.code, refusal.value.facts["version"]) == ("stale-version", table.version + 1)

    cache.drop(table.id)
    cache.put(stale)
    assert (await host.move(table.ask(1, expected=table.version + 1))).version == table.version + 2


async def test_nobody_is_refused_for_what_only_the_cache_says(host: Host) -> None:
    table = await in_thread(Table)
    stale = await in_thread(load, table.id)
    await in_thread(moved, table.players[0], table.id, table.picks[0])
    await in_thread(moved, table.players[1], table.id, table.picks[1])
    assert stale is not None
    cache.drop(table.id)
    cache.put(stale)

    assert (await host.move(table.ask(0, {"type": "draw"}))).version > table.version + 2


async def test_a_conflict_costs_one_look_and_the_move_stands(host: Host) -> None:
    table = await in_thread(Table)
    stale = await in_thread(load, table.id)
    assert stale is not None
    await in_thread(moved, table.players[0], table.id, table.picks[0])
    cache.drop(table.id)
    cache.put(stale)

    assert (await host.move(table.ask(1))).version == table.version + 2


async def test_one_key_twice_at_once_is_one_move_with_one_answer(host: Host) -> None:
    table = await in_thread(Table)

    answers = await asyncio.gather(*(host.move(table.ask(0, key="k")) for _ in range(10)))

    assert len({each.answer.body for each in answers}) == 1
    assert {(each.version, each.receipt) for each in answers} == {(answers[0].version, answers[0].receipt)}
    assert (await in_thread(history, table.id))[-1].version == table.version + 1
    assert await refused(host, table.ask(0, {"type": "draw"}, key="k")) == "idempotency-mismatch"
    assert await refused(host, table.ask(0, table.picks[0], expected=1, key="k")) == "idempotency-mismatch"


async def test_a_key_that_another_process_has_answered_is_answered_again(host: Host) -> None:
    table = await in_thread(Table)
    first = await in_thread(
        play.move, table.players[0].caller, table.id, table.picks[0], None, play.move_key("k", table.picks[0], None)
    )
    cache.drop(table.id)

    assert (await host.move(table.ask(0, key="k"))).answer.body == first.body


async def test_of_many_at_one_version_one_stands(host: Host) -> None:
    table = await in_thread(Table)

    async def outcome(number: int) -> str:
        try:
            await host.move(table.ask(number % 2, expected=table.version))
        except Problem as refusal:
            return refusal.code
        return "stands"

    assert Counter(await asyncio.gather(*(outcome(number) for number in range(40)))) == {
        "stands": 1,
        "stale-version": 39,
    }


async def test_strangers_learn_nothing_of_a_private_game(host: Host) -> None:
    table = await in_thread(Table)
    stranger = await in_thread(somebody)
    private = await in_thread(started, table.players, visibility="private")
    caller = stranger.caller

    for game_id in (private, "00000000-0000-7000-8000-000000000000"):
        ask = Ask(caller, game_id, None, play.step(caller, table.picks[0], 1))
        assert await refused(host, ask) == "not-found"
    known = await in_thread(load, private)
    assert known is not None
    caller = Caller(player_id=stranger.id, code=known.code)
    assert await refused(host, Ask(caller, private, None, play.step(caller, table.picks[0], None))) == "forbidden"


async def test_too_many_at_one_game_are_told_so(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "MAX_AT_GAME", 2)
    table = await in_thread(Table)

    outcomes = await asyncio.gather(*(host.move(table.ask(0, key="k")) for _ in range(3)), return_exceptions=True)

    assert [isinstance(each, Moved) for each in outcomes] == [True, True, False]
    assert isinstance(outcomes[2], Problem)
    assert (outcomes[2].code, outcomes[2].facts) == ("unavailable", {"retry_after": 1})


async def test_a_full_writer_is_unavailable_and_nothing_is_done(host: Host) -> None:
    table = await in_thread(Table)
    host._writer._max_waiting = 0

    assert await refused(host, table.ask(0)) == "unavailable"

    found = await in_thread(load, table.id)
    assert found is not None
    assert found.version == table.version


async def test_a_move_whose_client_has_gone_is_told_to_the_others(host: Host, servers: TestServers) -> None:
    table = await in_thread(Table)
    async with at_game(table.players[1], table.id) as (watching, _):
        with psycopg.connect(servers.superuser_database_url) as other:
            other.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", [table.id])
            gone = asyncio.create_task(host.move(table.ask(0)))
            await asyncio.sleep(0.2)
            gone.cancel()
            await asyncio.wait({gone})
        events = await watching.of("events")

    assert gone.cancelled()
    assert events["version"] == table.version + 1


async def test_without_valkey_a_move_stands_and_is_served_in_this_process(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await in_thread(Table)
    async with at_game(table.players[1], table.id) as (watching, _):
        host.post._clients[settings.REPLI.bus] = _Deaf()  # type: ignore[assignment]
        assert (await host.move(table.ask(0))).version == table.version + 1
        assert (await watching.of("events"))["version"] == table.version + 1


class _Deaf:
    """A client of a server that is away."""

    async def publish(self, *_: Any) -> None:
        raise redis.ConnectionError

    async def aclose(self) -> None:
        """Nothing is open."""


async def test_cold_games_are_loaded_once_and_hot_ones_never(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    original = loading.load

    def looked(game_id: str) -> Any:
        looks.append(game_id)
        return original(game_id)

    monkeypatch.setattr("games.services.command.load", looked)
    table = await in_thread(Table)
    looks.clear()
    cache.drop(table.id)

    await host.move(table.ask(0))
    await host.move(table.ask(1))

    assert looks == [table.id]
