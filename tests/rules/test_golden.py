"""Golden playthroughs: one per ruleset and option value, compared line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.rules.conformance.golden import golden_cases, golden_text
from games.rules.registry import AnyRuleset, listed

FOLDER = Path(__file__).parent.parent / "golden"
ANEW = "to write them anew: manage.py simulate --golden tests/golden"


@pytest.mark.parametrize("rules", listed(), ids=lambda rules: rules.key)
def test_games_go_as_they_went_before(rules: AnyRuleset) -> None:
    cases = golden_cases(rules)
    kept = {path.stem for path in (FOLDER / rules.key).glob("*.txt")}
    assert kept == set(cases), f"one playthrough per ruleset and option value; {ANEW}"

    for name, case in cases.items():
        told = golden_text(case).splitlines()
        golden = (FOLDER / rules.key / f"{name}.txt").read_text("utf-8").splitlines()
        assert told == golden, f"{rules.key}, {name}; {ANEW}"


def test_no_playthrough_is_left_of_a_ruleset_that_is_gone() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {rules.key for rules in listed()}
