"""Bots against bots."""

from __future__ import annotations

import pytest

from games.rules.arena import Match, share_of_wins, wilson
from games.rules.registry import AnyRuleset, listed
from tests.rules.gg.tables import RULES


def test_levels_change_seats_from_game_to_game() -> None:
    match = Match(RULES, 3, "normal", "easy", 0)

    assert [match.level_of(seat, 0) for seat in range(3)] == ["normal", "easy", "normal"]
    assert [match.level_of(seat, 1) for seat in range(3)] == ["easy", "normal", "easy"]


def test_a_level_alone_has_each_seat_in_its_turn() -> None:
    match = Match(RULES, 3, "normal", "easy", 0, alone=True)

    assert [match.level_of(seat, 0) for seat in range(3)] == ["normal", "easy", "easy"]
    assert [match.level_of(seat, 4) for seat in range(3)] == ["easy", "normal", "easy"]


@pytest.mark.parametrize("rules", listed(), ids=lambda rules: rules.key)
def test_equal_matches_give_equal_results(rules: AnyRuleset) -> None:
    match = Match(rules, max(2, rules.min_seats), "normal", "easy", 5)

    assert share_of_wins(match, 3) == share_of_wins(match, 3)


def test_the_normal_level_of_gg_beats_the_easy_one_by_far() -> None:
    match = Match(RULES, 2, "normal", "easy", 1)
    games = 60

    wins = sum(share_of_wins(match, number) for number in range(games))

    assert wins / games > 0.65


def test_a_game_among_one_level_goes_to_it_whole() -> None:
    assert share_of_wins(Match(RULES, 2, "easy", "easy", 0), 0) == 1.0


@pytest.mark.parametrize(
    "wins, games, low, high", [(50, 100, 0.4038, 0.5962), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0)]
)
def test_wilson_intervals_are_those_of_the_textbook(wins: int, games: int, low: float, high: float) -> None:
    assert list(wilson(wins, games)) == pytest.approx([low, high], abs=1e-4)
