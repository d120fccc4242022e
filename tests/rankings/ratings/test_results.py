"""What counts for ratings, and which place each seat has for that."""

import pytest

from games.rules import lifecycle as life
from games.rules.table import Table
from rankings.ratings.results import judged
from tests.rankings.ratings.games import bot_takes, player_returns, table_of

A, B, C, D = "a", "b", "c", "d"


def _places(table: Table) -> dict[str, int]:
    result = judged(table)
    assert result is not None
    return {player: side.place for side in result.sides for player in side.players}


def test_places_are_the_standings() -> None:
    assert _places(table_of([A, B, C, D], [2, 1, 2, 4])) == {A: 2, B: 1, C: 2, D: 4}


def test_a_seat_in_a_bots_hands_at_the_end_is_last_and_the_others_move_up() -> None:
    table = table_of([A, B, C, D], [1, 2, 3, 4], before_end=[bot_takes(0)])

    assert _places(table) == {B: 1, C: 2, D: 3, A: 4}


def test_several_seats_in_bots_hands_share_the_last_place_whatever_the_bots_achieved() -> None:
    table = table_of([A, B, C, D], [1, 2, 3, 4], before_end=[bot_takes(0), bot_takes(2, "left")])

    assert _places(table) == {B: 1, D: 2, A: 3, C: 3}


def test_who_timed_out_and_came_back_is_rated_by_the_seats_place() -> None:
    table = table_of([A, B], [1, 2], before_end=[bot_takes(0), player_returns(0)])

    assert _places(table) == {A: 1, B: 2}


def test_in_teams_the_teams_place_stands_whoever_holds_a_seat() -> None:
    table = table_of([A, B, C, D], [1, 3, 1, 3], rules="vingtsept", options={"teams": True}, before_end=[bot_takes(2)])
    result = judged(table)

    assert result is not None
    assert {frozenset(side.players) for side in result.sides} == {frozenset({A, C}), frozenset({B, D})}
    assert _places(table) == {A: 1, C: 1, B: 3, D: 3}


@pytest.mark.parametrize(
    "table",
    [
        table_of([A, B], [1, 2], mode="casual"),
        table_of([A, None], [1, 2]),
        table_of([A, B], [1, 2], branched_from=life.BranchSource(game_id="x", at=9)),
        table_of([A, B], [1, 2], end=life.GameAborted(reason="abandoned")),
    ],
    ids=["casual", "a bot from the start", "a branch", "aborted"],
)
def test_it_is_not_rated(table: Table) -> None:
    assert judged(table) is None
