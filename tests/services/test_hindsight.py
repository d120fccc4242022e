"""Looking back: `state/?at=` shows every viewer what they saw live, and never more than they had been told."""

from __future__ import annotations

import pytest

from games.management import hindsight
from games.rules.registry import AnyRuleset, listed, ruleset
from games.services import trials

GAMES = 5  # of each ruleset
APPENDS = 45  # of each game, which is then left running


@pytest.mark.parametrize("rules", listed(), ids=lambda rules: rules.key)
def test_every_version_is_shown_afterwards_as_it_was_seen_live(rules: AnyRuleset) -> None:
    for _ in range(GAMES):
        compared = hindsight.check(trials.made_up(rules), most=APPENDS)

        assert compared > APPENDS // 2


def test_a_whole_game_with_picks_at_once_and_moves_by_the_clock_is_seen_so() -> None:
    game = trials.made_up(ruleset("tiny"))

    assert hindsight.check(game) >= len(game.tables)
