"""The table of what was met (conformance/coverage.py), and runs in pieces."""

from __future__ import annotations

import pytest

from games.rules.conformance.coverage import Cell, Coverage, option_values
from games.rules.conformance.golden import golden_cases
from games.rules.conformance.playthrough import Case, started
from games.rules.conformance.runs import Run, carry_out
from games.rules.errors import Invalid
from games.rules.gg.options import Options
from games.rules.registry import ruleset
from tests.rules.gg.tables import RULES


def begun(**options: object) -> Coverage:
    coverage = Coverage()
    coverage.begin(RULES, RULES.complete_options(options, 2, "casual"))
    return coverage


def test_a_game_makes_expected_what_its_options_make_possible() -> None:
    assert not any(cell.refusal.startswith("joker") for cell in begun().expected)
    assert Cell("joker", "true", "tricks", "joker-needs-card") in begun(joker=True).expected


def test_what_was_met_is_no_longer_missing() -> None:
    coverage = begun(lives=3)
    coverage.met("bidding", "bid-range")

    assert Cell("lives", "3", "bidding", "bid-range") not in coverage.unmet
    assert Cell("lives", "3", "bidding", "bid-forbidden") in coverage.unmet


def test_counts_of_several_runs_add_up() -> None:
    first, second = begun(lives=3), begun(lives=4)
    for coverage in (first, second):
        coverage.met("bidding", "bid-range")

    first.add(second)

    assert first.counts[Cell("cut", "false", "bidding", "bid-range")] == 2
    assert {("lives", "3"), ("lives", "4")} <= {(option, value) for option, value, _ in first.rows()}


def test_rows_have_one_entry_per_column() -> None:
    coverage = begun()
    coverage.add(begun(joker=True))

    rows = list(coverage.rows())

    assert all(len(counts) == len(coverage.columns()) for _, _, counts in rows)
    joker_off = next(counts for option, value, counts in rows if (option, value) == ("joker", "false"))
    assert "–" in joker_off


@pytest.mark.parametrize("seconds, label", [(5, "5"), (120, "120"), (30, "default"), (77, "between")])
def test_wide_ranges_are_grouped(seconds: int, label: str) -> None:
    assert ("move_seconds", label) in set(option_values(RULES, {"move_seconds": seconds}))


def test_lists_count_by_element() -> None:
    assert list(option_values(RULES, {"lists": ["a", "b"]})) == [("lists", "a"), ("lists", "b")]
    assert list(option_values(RULES, {"lists": []})) == [("lists", "(empty)")]


def test_a_run_in_pieces_is_the_run() -> None:
    run = Run("gg", games=5, first=2, seed=4, keep_replays=True)

    pieces = list(run.pieces(2))

    assert [(piece.first, piece.games) for piece in pieces] == [(2, 2), (4, 2), (6, 1)]
    assert [line for piece in pieces for line in carry_out(piece).replays] == carry_out(run).replays


def test_a_case_can_ask_for_seats_and_options() -> None:
    for number in range(10):
        game = started(Case(RULES, number=number, seats=range(4, 6), options={"lives": 2, "sudden_death": False}))
        assert game.table.seats in (4, 5)
        assert isinstance(game.table.options, Options)
        assert game.table.options.lives == 2


def test_what_no_game_can_have_is_invalid() -> None:
    with pytest.raises(Invalid):
        started(Case(RULES, options={"lives": 99}))
    with pytest.raises(Invalid):
        started(Case(RULES, seats=range(20, 21)))


def test_every_flag_of_gg_has_its_playthrough() -> None:
    flags = {"manilha-true", "joker-true", "cut-true", "quick-true", "sudden_death-true"}

    assert set(golden_cases(ruleset("gg"))) == {"default", *flags}
