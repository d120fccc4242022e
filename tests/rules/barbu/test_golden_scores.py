"""The points and places of Barbu's golden playthroughs, recomputed from the rules page alone."""

from __future__ import annotations

import pytest

from games.rules.conformance.golden import golden_cases
from games.rules.conformance.playthrough import played
from games.rules.lifecycle import plain
from tests.rules.barbu.scoring import expected_points
from tests.rules.barbu.table import EVERYTHING, RULES

CASES = golden_cases(RULES)


def test_every_contract_and_every_option_that_changes_play_has_a_playthrough() -> None:
    assert set(CASES) >= {"default", "direction-anticlockwise", "dealing-manual", "last_tricks-2", "values"}
    assert set(CASES) >= {f"contracts-{contract}" for contract in EVERYTHING}
    assert set(CASES) >= {f"always-{name}" for name in ("king_of_hearts", "queens", "hearts")}


@pytest.mark.parametrize("name", CASES)
def test_points_totals_and_places_are_those_of_the_rules_page(name: str) -> None:
    game = played(CASES[name])
    events = [{"type": record.event.type, **plain(record.event)} for record in game.records]
    options, seats = plain(game.table.options), game.table.seats
    totals = dict.fromkeys(range(seats), 0)
    deal: list[dict[str, object]] = []
    deals = 0
    for event in events:
        deal = [] if event["type"] == "contract_declared" else [*deal, event]
        if event["type"] == "deal_scored":
            gained = expected_points(options, event["contract"], seats, deal)
            totals = {seat: totals[seat] + gained[seat] for seat in totals}
            assert event["points"] == {str(seat): gained[seat] for seat in totals}
            assert event["totals"] == {str(seat): totals[seat] for seat in totals}
            deals += 1

    assert deals == seats * len(options["contracts"])
    assert events[-1]["standing"] == [
        {"seat": seat, "place": 1 + sum(other < own for other in totals.values()), "score": own}
        for seat, own in totals.items()
    ]
