"""The points and places of Plie's golden playthroughs, recomputed from the rules page alone."""

from __future__ import annotations

import pytest

from games.rules.conformance.golden import golden_cases
from games.rules.conformance.playthrough import played
from games.rules.lifecycle import plain
from games.rules.plie import Plie

CASES = golden_cases(Plie())


@pytest.mark.parametrize("name", CASES)
def test_points_totals_and_places_are_those_of_the_rules_page(name: str) -> None:
    game = played(CASES[name])
    seats = game.table.seats
    totals, said, took = [0] * seats, [0] * seats, [0] * seats
    deals = 0
    for record in game.records:
        event = plain(record.event)
        match record.event.type:
            case "hands_dealt":
                said, took = [0] * seats, [0] * seats
                size = event["cards"]
            case "bid_made":
                said[event["seat"]] = event["tricks"]
            case "trick_taken":
                led, trump = event["cards"][0][1][1], turned_suit(game.records, record.version)
                order = "6789TJQKA"
                best = max(event["cards"], key=lambda entry: _rank(entry[1], led, trump, order))
                assert event["seat"] == best[0]
                took[best[0]] += 1
            case "deal_scored":
                for seat in range(seats):
                    totals[seat] += 3 + took[seat] if said[seat] == took[seat] else -abs(said[seat] - took[seat])
                assert list(event["totals"].values()) == totals
                assert sum(took) == size
                assert not game.table.options.hook or sum(said) != size
                deals += 1

    assert deals == 2 * (36 // seats)
    assert plain(game.records[-1].event)["standing"] == [
        {"seat": seat, "place": 1 + sum(other > own for other in totals), "score": own}
        for seat, own in enumerate(totals)
    ]


def turned_suit(records: list, version: int) -> str:  # type: ignore[type-arg]
    """The trump of the deal in which this version lies."""
    dealt = [record.event for record in records[:version] if record.event.type == "hands_dealt"]
    suit: str = dealt[-1].turned[1]
    return suit


def _rank(card: str, led: str, trump: str, order: str) -> tuple[bool, bool, int]:
    return card[1] == trump, card[1] == led, order.index(card[0])
