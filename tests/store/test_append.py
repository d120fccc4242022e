import contextlib

import pytest
from django.db import IntegrityError, transaction

from games.models import Event, FeedEntry, Game, Seat
from games.rules import lifecycle as life
from games.rules import play
from games.rules.table import fold
from games.store import cache
from games.store.append import Appended, append, create, prepare
from games.store.load import by_code, history, versions
from games.store.seated import Seated, seats_of
from tests.store.games import LATER, creation, current, new_id, now, running, say, saying, waiting


def test_a_game_read_back_is_the_game_that_was_written() -> None:
    game = say(running(), "one", "two", "three")
    cache.clear()

    read = current(game.table.id)

    assert read == game
    assert read.table == fold(game.table.id, history(game.table.id))
    assert versions([game.table.id, new_id()]) == {game.table.id: game.version}


def test_the_history_is_cut_where_one_asks() -> None:
    game = say(running(), "one", "two")

    part = history(game.table.id, after=3, until=6)

    assert [record.version for record in part] == [4, 5, 6]
    assert part == history(game.table.id)[3:6]
    assert history(game.table.id, after=game.version) == ()
    assert history(new_id()) == ()


def test_events_of_one_append_can_be_told_from_the_next_ones() -> None:
    game = say(running(), "one", "two")

    assert [record.base for record in history(game.table.id)] == [0, 0, 0, 3, 3, 5, 5, 7, 7]
    assert history(game.table.id)[-1].words == game.table.words


def test_an_append_at_a_version_that_has_passed_writes_nothing() -> None:
    game = running()
    first, second = saying(game, "first"), saying(game, "second")

    assert append([first]) == {game.table.id: Appended(game_id=game.table.id, version=7, head=first.head)}
    assert append([second]) == {}
    assert current(game.table.id).table.state.last == ("first",)
    assert Event.objects.filter(game_id=game.table.id).count() == 7


def test_of_a_batch_only_the_overtaken_games_are_left_out() -> None:
    games = [running() for _ in range(5)]
    late = [saying(game, "late") for game in games[:2]]
    append([saying(game, "early") for game in games[:2]])

    standing = append([*late, *(saying(game, "well") for game in games[2:])])

    assert set(standing) == {game.table.id for game in games[2:]}
    assert [current(game.table.id).table.state.last[0] for game in games] == ["early"] * 2 + ["well"] * 3


def test_a_batch_holds_a_game_once() -> None:
    game = running()

    with pytest.raises(AssertionError):
        append([saying(game, "a"), saying(game, "b")])


def test_the_games_row_says_what_lists_and_the_clock_need() -> None:
    due = now() + LATER
    game = running(due_at=due)

    row = Game.objects.get(id=game.table.id)

    assert (row.status, row.version, row.to_act, row.host) == ("playing", 5, [0], 0)
    assert (row.rules, row.rules_version, row.options) == ("counting", 7, '{"until":1000}')
    assert (bytes(row.head), bytes(row.seed), row.code) == (game.head, game.seed, game.code)
    assert row.due_at == row.check_at == due
    assert by_code(game.code) == game.table.id
    assert by_code("nobody's") is None


def test_changed_options_reach_the_games_row() -> None:
    game = waiting()
    move = play.record(game.table, [life.OptionsChanged(options={"until": 3})], now())

    append([prepare(game, move, due_at=None)])

    assert Game.objects.get(id=game.table.id).options == '{"until":3}'
    assert current(game.table.id).table.options.until == 3


def test_seats_and_the_feed_follow_the_lifecycle_in_the_same_transaction() -> None:
    players = [new_id(), new_id()]
    game = running(players, until=2)
    append([prepare(game, play.control(game.table, 1, "bot", "left", now()), due_at=None)])
    assert seats_of(players[1]) == [Seated(game.table.id, 1, "bot", left=True)]

    game = say(current(game.table.id), "one", "two")

    assert game.table.status == "finished"
    assert seats_of(players[0]) == []
    assert seats_of(players[0], "finished") == [Seated(game.table.id, 0, "player", left=False)]
    places = Seat.objects.filter(game_id=game.table.id).order_by("seat").values_list("place", "score")
    assert list(places) == [(1, 1), (2, 1)]
    feed = FeedEntry.objects.filter(game_id=game.table.id).order_by("version").values_list("type", flat=True)
    assert list(feed) == ["game_started", "seat_controlled", "game_finished"]


def test_a_seat_that_becomes_free_stays_as_an_empty_row() -> None:
    players = [new_id(), new_id()]
    game = waiting(players)
    move = play.record(game.table, [life.SeatLeft(seat=1, player_id=players[1])], now())

    append([prepare(game, move, due_at=None)])

    assert seats_of(players[1], "waiting") == []
    assert Seat.objects.get(game_id=game.table.id, seat=1).player_id is None


def test_a_game_is_created_once() -> None:
    first = creation([new_id()])
    create(first, "CODE1")

    with pytest.raises(IntegrityError):
        create(first, "CODE1")


def test_what_a_rolled_back_transaction_appended_is_not_in_the_cache() -> None:
    game = running()

    with contextlib.suppress(RuntimeError), transaction.atomic():
        append([saying(game, "never")])
        assert current(game.table.id).version == game.version + 2  # seen here, and nowhere else
        raise RuntimeError

    assert cache.get(game.table.id) == game
    assert current(game.table.id) == game


def test_an_event_that_cannot_be_stored_is_refused_before_it_can_reach_a_batch() -> None:
    game = running()

    with pytest.raises(ValueError, match=r"U\+0000"):
        saying(game, "nul \0")


def test_a_prepared_move_knows_the_game_as_it_will_stand() -> None:
    game = running()
    move = saying(game, "hello")

    append([move])
    cache.clear()

    assert move.after == current(game.table.id)
    assert move.after.head == move.head
