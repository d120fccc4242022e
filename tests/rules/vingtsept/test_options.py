"""vingtsept.md, Options."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.errors import Invalid
from games.rules.vingtsept.options import Options
from tests.rules.vingtsept.tables import RULES, table


def complete(given: dict[str, Any], *, seats: int = 2, ranked: bool = False) -> Options:
    options: Options = RULES.complete_options(given, seats, "ranked" if ranked else "casual")
    return options


def refused(given: dict[str, Any], *, seats: int = 2, ranked: bool = False) -> tuple[str, str]:
    with pytest.raises(Invalid) as caught:
        complete(given, seats=seats, ranked=ranked)
    return caught.value.field, caught.value.code


QUICK = Options(mode="quick", teams=False, objective=27, atouts=3, move_seconds=20, random_reveal=False)
RANKED = Options(mode="ranked", teams=False, objective=27, atouts=4, move_seconds=15, random_reveal=False)
CUSTOM = Options(mode="custom", teams=False, objective=27, atouts=3, move_seconds=20, random_reveal=False)


def test_a_game_is_quick_unless_said_otherwise() -> None:
    assert complete({}) == complete({"mode": "quick"}) == QUICK


def test_mode_ranked_has_four_atouts_and_fifteen_seconds() -> None:
    assert complete({"mode": "ranked"}) == RANKED


def test_custom_has_the_defaults_of_quick() -> None:
    assert complete({"mode": "custom"}) == CUSTOM


def test_a_ranked_game_plays_the_ranked_mode() -> None:
    assert complete({}, ranked=True) == RANKED
    assert refused({"mode": "quick"}, ranked=True) == ("mode", "conflict")
    assert refused({"mode": "custom"}, ranked=True) == ("mode", "conflict")


@pytest.mark.parametrize("mode, fixed", [("quick", QUICK), ("ranked", RANKED)])
@pytest.mark.parametrize(
    "name, others",
    [
        ("objective", [9, 18, 36]),
        ("atouts", [1, 2, 3, 4]),
        ("move_seconds", [5, 15, 20, 120]),
        ("random_reveal", [True]),
    ],
)
def test_what_the_mode_fixes_is_refused_unless_it_has_just_that_value(
    mode: str, fixed: Options, name: str, others: list[Any]
) -> None:
    own = getattr(fixed, name)

    assert complete({"mode": mode, name: own}) == fixed
    for other in others:
        if other != own:
            assert refused({"mode": mode, name: other}) == (name, "conflict")


@pytest.mark.parametrize("objective", [9, 18, 27, 36])
def test_custom_chooses_the_objective(objective: int) -> None:
    assert complete({"mode": "custom", "objective": objective}).objective == objective


@pytest.mark.parametrize(
    "given",
    [
        {"objective": 10},
        {"objective": "27"},
        {"atouts": 0},
        {"atouts": 5},
        {"atouts": True},
        {"move_seconds": 4},
        {"move_seconds": 121},
        {"move_seconds": 20.5},
        {"random_reveal": 1},
        {"teams": "yes"},
        {"lives": 3},
    ],
)
def test_values_out_of_range_or_of_another_type_are_refused(given: dict[str, Any]) -> None:
    assert refused({"mode": "custom", **given})[0] == next(iter(given))


def test_an_unknown_mode_is_refused() -> None:
    assert refused({"mode": "blitz"}) == ("mode", "choice")


@pytest.mark.parametrize("seats", [2, 3])
def test_teams_need_four_seats(seats: int) -> None:
    assert refused({"teams": True}, seats=seats) == ("teams", "conflict")
    assert complete({"teams": True}, seats=4).teams


def test_in_every_mode_teams_are_free() -> None:
    assert complete({"teams": True}, seats=4, ranked=True).teams


def test_seats_0_and_2_play_against_1_and_3() -> None:
    teams = complete({"teams": True}, seats=4)

    assert [RULES.team_of(teams, seat) for seat in range(4)] == [0, 1, 0, 1]
    assert RULES.team_of(complete({}), 0) is None


@pytest.mark.parametrize("objective", [9, 18, 27, 36])
def test_the_objective_is_the_threshold_of_every_round(objective: int) -> None:
    assert table("2C 3C 4C | 2D 3D 4D", objective=objective).state.threshold == objective


def test_move_seconds_is_the_time_of_every_turn_and_pick() -> None:
    story = table("2C 3C 4C | 2D 3D 4D", move_seconds=7)

    assert [RULES.time_limit(story.state, seat) for seat in RULES.to_act(story.state)] == [7, 7]
