import secrets
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Flag

import pytest
from django.db import IntegrityError, connection, transaction

from games.models import FeedEntry
from games.store import feed
from games.store.append import append
from games.store.feed import Entry
from tests.servers import TestServers
from tests.store.games import current, new_id, running, say, saying, superuser

KINDS = ("game_started", "game_finished")


def _consumer() -> str:
    return f"test-{secrets.token_hex(8)}"


def _follow(consumer: str, limit: int = 10_000) -> list[Entry]:
    """One turn of a follower that has nothing else to do."""
    with transaction.atomic():
        entries = feed.pending(consumer, KINDS, limit)
        feed.applied(consumer, entries)
    return entries


def test_each_followed_event_is_applied_once_in_a_recorded_order_without_holes() -> None:
    consumer = _consumer()
    before = _follow(consumer)
    game = say(running(until=2), "one", "two")

    after = _follow(consumer)

    assert after == [Entry(game.table.id, 4, "game_started"), Entry(game.table.id, 10, "game_finished")]
    assert _follow(consumer) == []
    assert feed.order(consumer, limit=10**6) == list(enumerate([*before, *after], start=1))
    assert feed.order(consumer, after=len(before) + 1) == [(len(before) + 2, after[1])]


def test_another_consumer_has_an_order_of_its_own() -> None:
    first, second = _consumer(), _consumer()
    game = running()
    _follow(first)

    assert Entry(game.table.id, 4, "game_started") in _follow(second)
    assert {first, second} <= {standing.consumer for standing in feed.followers()}


def test_what_a_failing_follower_did_not_finish_is_pending_again() -> None:
    consumer, game = _consumer(), running()

    def fail() -> None:
        with transaction.atomic():
            feed.applied(consumer, feed.pending(consumer, KINDS, 10_000))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    assert Entry(game.table.id, 4, "game_started") in _follow(consumer)


def test_a_copy_finds_nothing_while_another_one_is_at_work() -> None:
    consumer = _consumer()
    _follow(consumer)
    running()
    taken, finish = Flag(), Flag()

    def work() -> list[Entry]:
        try:
            with transaction.atomic():
                entries = feed.pending(consumer, KINDS)
                taken.set()
                finish.wait(30)
                feed.applied(consumer, entries)
            return entries
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(work)
        taken.wait(30)
        meanwhile = _follow(consumer)
        finish.set()

        assert meanwhile == []
        assert len(other.result()) == 1


def test_many_copies_together_apply_each_entry_once() -> None:
    consumer = _consumer()
    _follow(consumer)
    games = [say(running(until=1), "end").table.id for _ in range(20)]

    def work(_: int) -> list[Entry]:
        try:
            return [entry for _ in range(30) for entry in _follow(consumer, limit=3)]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        seen = [entry for entries in pool.map(work, range(4)) for entry in entries]
    seen += _follow(consumer)

    assert len(seen) == len(set(seen)) == 40
    assert {entry.game_id for entry in seen} == set(games)
    for game_id in games:  # each game's own entries in their order
        assert [e.type for _, e in feed.order(consumer, limit=10**6) if e.game_id == game_id] == list(KINDS)


def test_an_entry_committed_after_later_ones_were_applied_is_not_passed_over() -> None:
    consumer, slow = _consumer(), running(until=1)
    begun, finish = Flag(), Flag()

    def write_slowly() -> None:
        try:
            with transaction.atomic():
                append([saying(slow, "end")])
                begun.set()
                finish.wait(30)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write_slowly)
        begun.wait(30)
        say(running(until=1), "end")
        _follow(consumer)
        assert _follow(consumer) == []
        finish.set()
        writing.result()

    assert [entry.game_id for entry in _follow(consumer)] == [slow.table.id]


def test_what_was_noted_impossibly_late_is_found_by_the_look_at_everything(servers: TestServers) -> None:
    consumer = _consumer()
    _follow(consumer)
    _follow(consumer)
    late = new_id()
    with superuser(servers) as other:
        other.execute(
            "INSERT INTO games_feed (game_id, version, type, noted_at) VALUES (%s, 1, %s, now() - interval '1 day')",
            [late, KINDS[0]],
        )

    assert _follow(consumer) == []
    with transaction.atomic():
        assert feed.pending(consumer, KINDS, everything=True) == [Entry(late, 1, KINDS[0])]


def test_the_turn_needs_a_transaction_and_an_entry_is_applied_once() -> None:
    consumer = _consumer()
    with pytest.raises(AssertionError):
        feed.pending(consumer, KINDS)
    running()
    entries = _follow(consumer)

    with pytest.raises(IntegrityError):
        feed.applied(consumer, entries[:1])


def test_moves_that_concern_no_follower_leave_the_feed_alone() -> None:
    game = say(running(), "one", "two")

    assert FeedEntry.objects.filter(game_id=game.table.id).count() == 1
    assert current(game.table.id).version == 9
