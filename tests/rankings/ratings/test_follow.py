"""Each game once, in the recorded order, whatever is delivered twice, late or in parallel."""

import random
import threading
from uuid import uuid4

import psycopg
import pytest
from django.db import connections
from psycopg import errors

from games.rules.lifecycle import Mode
from games.rules.registry import _extra, register
from games.store.connection import read
from rankings import tasks
from rankings.ratings import follow
from rankings.ratings.models import Adjustment, Rating, RatingChange
from tests.games import together
from tests.rankings.ratings.games import bot_takes, caught_up, finished, from_events_alone, random_game, tables
from tests.servers import TestServers
from tests.store.games import new_id, now
from tests.tiny import Tiny

GAMES = 500
PLAYERS = 40


def _players(count: int) -> list[str]:
    return [str(uuid4()) for _ in range(count)]


def test_a_finished_ranked_game_moves_each_players_rating_once() -> None:
    winner, loser = _players(2)
    game_id = finished([winner, loser], [1, 2])
    caught_up()

    ratings = {str(each.player_id): each for each in Rating.objects.filter(player_id__in=[winner, loser])}
    change = RatingChange.objects.get(player_id=winner)

    assert ratings[winner].shown > 1500 > ratings[loser].shown
    assert (ratings[winner].games, ratings[winner].wins) == (1, 1)
    assert (ratings[loser].games, ratings[loser].wins) == (1, 0)
    assert (str(change.game_id), change.place, change.seats) == (game_id, 1, 2)
    assert (change.mu_before, change.mu_after) == (1500, ratings[winner].mu)


def test_games_that_do_not_count_leave_nothing_but_their_place_in_the_order() -> None:
    player, other = _players(2)
    finished([player, other], [1, 2], mode="casual")
    finished([player, None], [1, 2])
    caught_up()

    assert not Rating.objects.filter(player_id=player).exists()


def test_500_games_delivered_three_times_and_in_parallel_are_what_a_rebuild_makes_of_them() -> None:
    from_events_alone()
    noise, players = random.Random(7), _players(PLAYERS)
    played: list[str] = []

    done = threading.Event()

    def play() -> None:
        try:
            played.extend(random_game(noise, players) for _ in range(GAMES))
        finally:
            done.set()

    def deliver() -> None:
        while not done.is_set():
            tasks.rate()
        tasks.rate()

    assert together(play, deliver, deliver, deliver) == [None] * 4
    caught_up()
    incremental = tables()

    assert RatingChange.objects.filter(game_id__in=played).values("game_id").distinct().count() == GAMES
    follow.rebuild()
    assert tables() == incremental

    for game_id in noise.sample(played, 3):
        follow.void(game_id, "an operator", "played by arrangement", now())
        follow.follow()
    voided = tables()

    assert voided != incremental
    follow.rebuild()
    assert tables() == voided


def test_a_game_of_a_ruleset_that_is_not_there_any_more_does_not_hold_up_the_others() -> None:
    class Gone(Tiny):
        key = "gone"

    register(Gone())
    players, others = _players(2), _players(2)
    finished(players, [1, 2], rules="gone")
    _extra.pop("gone")
    finished(others, [1, 2])
    caught_up()

    assert not Rating.objects.filter(player_id__in=players).exists()
    assert Rating.objects.filter(player_id__in=others).count() == 2


def test_a_game_that_is_void_before_it_is_applied_counts_for_nothing() -> None:
    players = _players(2)
    caught_up()
    game_id = finished(players, [1, 2])

    assert follow.void(game_id, "an operator", "a test of the server", now()) == 0
    caught_up()

    assert not Rating.objects.filter(player_id__in=players).exists()


def test_voiding_takes_a_player_with_no_other_game_off_the_board_and_keeps_the_others_order() -> None:
    players = _players(3)
    first = finished(players[:2], [1, 2])
    finished(players[1:], [1, 2])
    caught_up()

    follow.void(first, "an operator", "an account that was sold", now())

    assert not Rating.objects.filter(player_id=players[0]).exists()
    assert RatingChange.objects.get(player_id=players[1]).mu_before == 1500
    assert Adjustment.objects.get(game_id=first).reason == "an account that was sold"


@pytest.mark.parametrize("which", ["unknown", "casual", "twice"])
def test_what_cannot_be_voided_is_refused(which: str) -> None:
    mode: Mode = "casual" if which == "casual" else "ranked"
    game_id = new_id() if which == "unknown" else finished(_players(2), [1, 2], mode=mode)
    if which == "twice":
        follow.void(game_id, "an operator", "once", now())

    with pytest.raises(follow.Refused):
        follow.void(game_id, "an operator", "again", now())


def test_leaving_a_game_that_the_bot_then_wins_costs_points() -> None:
    leaver, other = _players(2)
    finished([leaver, other], [1, 2], before_end=[bot_takes(0, "left")])
    caught_up()

    assert Rating.objects.get(player_id=leaver).shown < 1500 < Rating.objects.get(player_id=other).shown


@pytest.mark.parametrize("statement", ["UPDATE {} SET author = 'x'", "DELETE FROM {}", "TRUNCATE {}"])
@pytest.mark.parametrize(
    "role, error",
    [("database_url", errors.InsufficientPrivilege), ("migrate_database_url", errors.RestrictViolation)],
)
def test_an_adjustment_stays(servers: TestServers, statement: str, role: str, error: type[psycopg.Error]) -> None:
    follow.void(finished(_players(2), [1, 2]), "an operator", "for good", now())
    connections.close_all()

    with psycopg.connect(getattr(servers, role)) as connection, pytest.raises(error):
        connection.execute(statement.format("rankings_adjustment").encode())


def test_how_many_players_there_are_at_each_rating_is_always_known() -> None:
    from_events_alone()
    finished(_players(4), [1, 2, 3, 4])
    caught_up()

    counted = read("SELECT rules, shown, players FROM rankings_rating_count ORDER BY rules, shown")
    assert counted == read(
        "SELECT rules, shown, count(*) FROM rankings_rating GROUP BY rules, shown ORDER BY rules, shown"
    )
