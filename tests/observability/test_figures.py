"""Each figure moves when what it counts happens: in this process, through services and sockets, on the real servers."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import AsyncIterator
from io import StringIO
from typing import Any

import pytest
import pytest_asyncio
import redis
from django.conf import settings
from django.core.management import call_command

from accounts import token_cache
from config.observability import installation, labels
from config.wire.problems import Problem
from games import tasks
from games.rules.registry import ruleset
from games.services import play, trials, wake
from games.services.clock import look_after
from games.services.command import Caller
from games.services.threads import in_thread
from games.services.wake import Wake
from games.statistics import following
from games.store import cache
from games.store.load import load
from games.store.writer import Writer
from games.ws.hub import hub
from tests.games import Someone, at_game, database_away, hub_stopped, moved, socket, somebody, started, state_of, unique
from tests.observability.scraping import Scrape, faults, of_this_process


@pytest_asyncio.fixture(autouse=True)
async def _no_hub_is_left() -> AsyncIterator[None]:
    yield
    await hub_stopped()


def grown(before: Scrape, after: Scrape, name: str, **labels: str) -> float:
    return after.value(name, **labels) - before.value(name, **labels)


def first_card(player: Someone, game_id: str) -> str:
    loaded = load(game_id)
    assert loaded is not None
    seat = loaded.table.seat_of(player.id)
    card: str = min(state_of(game_id).hands[seat], key=str)
    return str(card)


def test_moves_are_counted_by_ruleset_and_result() -> None:
    ada, bob, eve = somebody(), somebody(), somebody()
    game_id = started([ada, bob])
    action = {"type": "pick", "card": first_card(ada, game_id)}
    before = of_this_process()

    asked = play.move_key("k1", action, None)
    play.move(ada.caller, game_id, action, None, asked)
    play.move(ada.caller, game_id, action, None, asked)
    with pytest.raises(Problem, match="forbidden"):
        play.move(eve.caller, game_id, action, None, None)
    with pytest.raises(Problem, match="not-found"):
        play.move(Caller(player_id=ada.id), "01890a5d-ac96-774b-bcce-b302099a8057", action, None, None)
    with pytest.raises(Problem, match="stale-version"):
        play.move(bob.caller, game_id, action, 1, None)
    after = of_this_process()

    assert grown(before, after, "repli_moves_total", rules="tiny", result="accepted") == 1
    assert grown(before, after, "repli_moves_total", rules="none", result="repeated") == 1
    assert grown(before, after, "repli_moves_total", rules="tiny", result="forbidden") == 1
    assert grown(before, after, "repli_moves_total", rules="none", result="not-found") == 1
    assert grown(before, after, "repli_moves_total", rules="tiny", result="stale-version") == 1
    assert grown(before, after, "repli_appends_total", by="player", stands="yes") == 1
    assert grown(before, after, "repli_append_seconds_count") == 1
    assert grown(before, after, "repli_append_batch_size_sum") == 1
    assert grown(before, after, "repli_cache_lookups_total", cache="games", found="hit") >= 1


def test_a_move_during_an_outage_is_counted_as_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob])
    before = of_this_process()

    def away(_: str) -> None:
        raise ConnectionError

    monkeypatch.setattr("games.services.command.load", away)
    with pytest.raises(ConnectionError):
        play.move(ada.caller, game_id, {"type": "pick", "card": "AS"}, None, None)

    assert grown(before, of_this_process(), "repli_moves_total", result="unavailable") == 1


async def test_sockets_their_messages_rooms_and_deliveries_are_counted() -> None:
    ada, bob = await in_thread(somebody), await in_thread(somebody)
    game_id = await in_thread(started, [ada, bob])
    before = await in_thread(of_this_process)

    async with at_game(ada, game_id) as (client, welcome), socket(ada, "/ws/v1/me/"), socket(bob, "/ws/v1/lobby/") as b:
        await b.of("welcome")
        action = {"type": "pick", "card": welcome["game"]["state"]["hand"][0]}
        await client.send(type="move", command_id="c1", action=action)
        await client.of("events")
        await client.send(type=unique("nonsense"))
        await client.of("error")
        during = await in_thread(of_this_process)
    after = await in_thread(of_this_process)

    for kind in ("game", "me", "lobby"):
        assert grown(before, during, "repli_sockets", kind=kind) == 1
        assert grown(before, after, "repli_sockets", kind=kind) == 0
        assert grown(before, after, "repli_sockets_closed_total", kind=kind, code="1000") == 1
    assert grown(before, during, "repli_rooms") == 1
    assert during.value("repli_bus_up") == 1
    assert grown(before, during, "repli_socket_messages_total", message="move", result="accepted") == 1
    assert grown(before, during, "repli_socket_messages_total", message="other", result="validation") == 1
    assert grown(before, during, "repli_fanout_seconds_count") == 1  # by whichever way was faster
    assert grown(before, during, "repli_cache_lookups_total", cache="tokens", found="miss") >= 2


async def test_moves_that_wait_for_a_batch_are_told() -> None:
    writer = Writer(lambda _: None, lines=0)  # nobody writes
    made: Any = None
    before = await in_thread(of_this_process)
    waiting = asyncio.create_task(writer.append(made))
    await asyncio.sleep(0)
    during = await in_thread(of_this_process)
    waiting.cancel()
    await asyncio.wait({waiting})
    await writer.close()

    assert grown(before, during, "repli_writer_waiting") == 1


async def test_a_commit_of_another_process_is_timed_by_its_word_on_the_bus() -> None:
    ada, bob = await in_thread(somebody), await in_thread(somebody)
    game_id = await in_thread(started, [ada, bob])

    async with at_game(bob, game_id) as (client, _):
        before = await in_thread(of_this_process)
        card = await in_thread(first_card, ada, game_id)
        await in_thread(moved, ada, game_id, {"type": "pick", "card": card})  # its hub hears nothing of it but the bus
        await client.of("events")
        after = await in_thread(of_this_process)

    assert grown(before, after, "repli_fanout_seconds_count", way="bus") == 1


async def test_refused_and_dropped_sockets_are_counted_by_code() -> None:
    ada = await in_thread(somebody)
    before = await in_thread(of_this_process)

    async with socket(None, "/ws/v1/me/") as nobody:
        assert await nobody.close_code() == 4401
    async with socket(ada, "/ws/v1/nowhere/") as lost:
        assert await lost.close_code() == 4404
    async with socket(ada, "/ws/v1/me/") as me:
        await me.of("welcome")
        (listener,) = hub().players[ada.id]
        listener._give_up()  # type: ignore[attr-defined]
        assert await me.close_code() == 4409
    after = await in_thread(of_this_process)

    assert grown(before, after, "repli_sockets_closed_total", kind="me", code="4401") == 1
    assert grown(before, after, "repli_sockets_closed_total", kind="other", code="4404") == 1
    assert grown(before, after, "repli_sockets_closed_total", kind="me", code="4409") == 1
    assert grown(before, after, "repli_sockets_closed_total") == 3
    assert grown(before, after, "repli_sockets") == 0


def test_a_due_game_is_overdue_until_somebody_looks_after_it() -> None:
    game_id = started([somebody()], seats=3)  # its bots' pause is over at once, and no worker runs here

    before = of_this_process()
    look_after(game_id)

    assert before.value("repli_deadlines_overdue") >= 1
    assert before.value("repli_deadlines_overdue_seconds") > 0
    assert before.value("repli_source_up", source="database") == 1


def test_followers_are_behind_until_they_have_followed() -> None:
    trials.write(trials.made_up(ruleset("gg")))
    while following.follow():
        pass
    trials.write(trials.made_up(ruleset("gg")))

    behind = of_this_process()
    following.follow()
    even = of_this_process()

    assert behind.value("repli_follower_behind_rows", consumer="statistics") == 1
    assert 0 < behind.value("repli_follower_behind_seconds", consumer="statistics") < 60
    assert even.value("repli_follower_behind_rows", consumer="statistics") == 0
    assert even.value("repli_follower_behind_seconds", consumer="statistics") == 0
    assert even.value("repli_follower_age_seconds", consumer="statistics") < 60
    assert behind.has("repli_follower_behind_rows", consumer="ratings")
    assert behind.has("repli_follower_behind_rows", consumer="conduct")


def test_signs_of_life_age_and_what_was_never_seen_is_infinitely_old() -> None:
    wake.client().delete("repli.beat.rate")
    wake.beat("sweep")

    found = of_this_process()

    assert 0 <= found.value("repli_beat_age_seconds", beat="sweep") < 30
    assert found.value("repli_beat_age_seconds", beat="rate") == math.inf
    assert {"sweep", "rate", "match", "count"} <= labels.CLOSED["beat"]


def test_hints_that_no_worker_takes_fill_the_queue() -> None:
    before = of_this_process()
    for _ in range(3):
        tasks.look_after.delay(unique("nobody"))

    assert grown(before, of_this_process(), "repli_queue_depth", queue="celery") == 3


def test_a_check_of_all_chains_leaves_its_finding() -> None:
    call_command("verify_events", "--game", started([somebody(), somebody()]), stdout=StringIO())
    wake.chains_checked(2)

    found = of_this_process()

    assert found.value("repli_chain_bad_games") == 2
    assert 0 <= found.value("repli_chain_checked_age_seconds") < 30
    wake.chains_checked(0)
    assert of_this_process().value("repli_chain_bad_games") == 0


def test_tasks_are_counted_and_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    before = of_this_process()
    tasks.count.apply()
    monkeypatch.setattr(following, "follow", lambda: 1 // 0)
    tasks.count.apply()
    after = of_this_process()

    assert grown(before, after, "repli_tasks_total", task="games.tasks.count", outcome="done") == 1
    assert grown(before, after, "repli_tasks_total", task="games.tasks.count", outcome="failed") == 1
    assert grown(before, after, "repli_task_seconds_count", task="games.tasks.count") == 2


def test_caches_tell_their_size() -> None:
    started([somebody(), somebody()])

    found = of_this_process()

    assert found.value("repli_cache_entries", cache="games") == cache.size() > 0
    assert found.value("repli_cache_entries", cache="tokens") == token_cache.shared().size()


def test_what_is_lost_without_valkey_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    before = of_this_process()
    nowhere = redis.Redis.from_url("redis://127.0.0.1:1/0", socket_connect_timeout=0.2)
    monkeypatch.setattr(wake, "client", lambda: nowhere)
    monkeypatch.setattr(wake, "bus", lambda: nowhere)

    wake.publish(Wake(kind="lobby", id="x"), Wake(kind="lobby", id="y"))
    wake.beat("sweep")
    nowhere.close()
    after = of_this_process()

    assert grown(before, after, "repli_lost_total", lost="wake") == 2
    assert grown(before, after, "repli_lost_total", lost="beat") == 1


def test_without_database_and_valkey_the_rest_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    away = settings.REPLI.model_copy(update={"redis_url": "redis://127.0.0.1:1/0"})
    away.__dict__.pop("redis", None)  # kept by the original
    monkeypatch.setattr(settings, "REPLI", away)
    with database_away():
        found = of_this_process()
    monkeypatch.undo()

    assert found.value("repli_source_up", source="database") == 0
    assert found.value("repli_source_up", source="valkey") == 0
    assert not found.has("repli_deadlines_overdue")
    assert not found.has("repli_beat_age_seconds")
    assert found.has("repli_moves_total") or found.has("repli_append_seconds_count")
    assert of_this_process().value("repli_source_up", source="database") == 1
    assert list(faults(found)) == []


def test_a_source_that_hangs_costs_a_bounded_wait_and_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    let_go = threading.Event()

    def hangs() -> list[installation.Sample]:
        asked.append(1)
        let_go.wait(30)
        return []

    monkeypatch.setattr(installation, "PATIENCE", 0.05)
    installation.add("hanging", hangs)
    try:
        found = [of_this_process(), of_this_process()]
    finally:
        let_go.set()
        source = installation._sources.pop("hanging")
        source._threads.shutdown()
        labels.CLOSED["source"].discard("hanging")

    assert len(asked) == 1
    assert [each.value("repli_source_up", source="hanging") for each in found] == [0, 0]


def test_every_series_is_described_and_every_label_closed() -> None:
    assert list(faults(of_this_process())) == []
