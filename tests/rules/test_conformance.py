"""The conformance suite over every registered ruleset, with few games; `manage.py simulate` runs it with many."""

from __future__ import annotations

import pytest

from games.rules.conformance.playthrough import Case
from games.rules.conformance.runs import Run, carry_out
from games.rules.conformance.setup import check_setup
from games.rules.conformance.suite import Effort, Tally, check_game
from games.rules.registry import AnyRuleset, listed, register
from tests.tiny import RULESET

GAMES = 12
TINY: AnyRuleset = RULESET  # simultaneous picks, gifts out of turn, turns of two steps, moves by the clock
register(TINY)
KNOWN = (*listed(), TINY)


@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.key)
def test_a_ruleset_can_be_listed_described_and_set_up(rules: AnyRuleset) -> None:
    check_setup(rules, Case(rules).noise("setup"))


@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.key)
def test_random_games_keep_every_promise(rules: AnyRuleset) -> None:
    tally = Tally()

    for number in range(GAMES):
        check_game(Case(rules, seed=7, number=number), Effort(positions=4, secrecy=4), tally)

    assert tally.games == GAMES
    assert tally.swaps > GAMES, "hidden cards were swapped, so that secrecy was put to the test"
    assert tally.coverage.counts, "some attempts were refused"


@pytest.mark.parametrize("rules", KNOWN, ids=lambda rules: rules.key)
def test_equal_cases_give_equal_games(rules: AnyRuleset) -> None:
    run = Run(rules.key, games=2, first=3, seed=11, keep_replays=True)

    assert carry_out(run).replays == carry_out(run).replays
