"""The rating is a function of who came where, and of nothing else."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import permutations

import pytest

from rankings.ratings.contenders import Skill
from rankings.ratings.results import Result, Side
from rankings.ratings.scale import NEWCOMER, provisional, rated, shown

SKILLS = {"a": Skill(1612.3, 81.0), "b": Skill(1444.4, 120.5), "c": Skill(1500.1, 200.0), "d": Skill(1799.9, 60.7)}


def _result(sides: Sequence[tuple[tuple[str, ...], int]]) -> Result:
    return Result(
        game_id="g",
        rules="gg",
        at=datetime(2026, 1, 1, tzinfo=UTC),
        seats=4,
        sides=tuple(Side(players=players, place=place) for players, place in sides),
    )


@pytest.mark.parametrize("places", [(1, 2, 3, 4), (1, 1, 3, 3), (1, 2, 2, 2), (1, 1, 1, 1)])
def test_the_order_of_seats_changes_not_a_bit(places: tuple[int, ...]) -> None:
    sides = [((player,), place) for player, place in zip("abcd", places, strict=True)]
    expected = rated(_result(sides), SKILLS)

    assert all(rated(_result(list(order)), SKILLS) == expected for order in permutations(sides))


def test_neither_does_the_order_of_seats_in_teams() -> None:
    expected = rated(_result([(("a", "c"), 1), (("b", "d"), 3)]), SKILLS)

    assert rated(_result([(("d", "b"), 3), (("c", "a"), 1)]), SKILLS) == expected


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8])
def test_equals_in_equal_places_are_treated_alike(seats: int) -> None:
    players = [f"p{number}" for number in range(seats)]
    after = rated(_result([((player,), 1 + (number > 0)) for number, player in enumerate(players)]), {})

    others = [after[player] for player in players[1:]]
    assert all(other == pytest.approx(others[0], abs=1e-9) for other in others)
    assert after["p0"].mu > 1500 > others[0].mu


def test_the_winner_gains_and_the_loser_loses_the_more_the_less_it_was_expected() -> None:
    expected = rated(_result([(("d",), 1), (("b",), 2)]), SKILLS)
    surprising = rated(_result([(("b",), 1), (("d",), 2)]), SKILLS)

    assert 0 < expected["d"].mu - SKILLS["d"].mu < SKILLS["d"].mu - surprising["d"].mu


def test_a_tie_brings_two_players_together() -> None:
    after = rated(_result([(("d",), 1), (("b",), 1)]), SKILLS)

    assert after["d"].mu < SKILLS["d"].mu
    assert after["b"].mu > SKILLS["b"].mu


def test_a_newcomer_starts_at_1500_and_is_provisional_until_games_make_it_sure() -> None:
    skill = NEWCOMER
    assert (shown(skill.mu), provisional(skill.sigma)) == (1500, True)

    for game in range(12):
        places = [(player, 1 + (place + game) % 4) for place, player in enumerate("abcd")]
        skill = rated(_result([((player,), place) for player, place in places]), {"a": skill})["a"]

    assert not provisional(skill.sigma)
