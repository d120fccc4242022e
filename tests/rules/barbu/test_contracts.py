"""barbu.md, Contracts, Slam, and the options that change prices: every worked example, card by card."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.rules.barbu import contracts
from games.rules.barbu.options import Contract
from games.rules.lifecycle import Event, plain
from games.rules.table import Recorded
from tests.builders import only, types
from tests.rules.barbu.scoring import expected_points
from tests.rules.barbu.table import EVERYTHING, RULES, declared, play
from tests.rules.trials import at_random, started

# Four hands of whole suits: seat 0 has the hearts, 1 the clubs, 2 the diamonds, 3 the spades.
SUITS = " | ".join(" ".join(rank + suit for rank in "AKQJT987") for suit in "HCDS")


def points(events: list[Event]) -> dict[int, int]:
    scored: dict[int, int] = only("deal_scored", events).points
    return scored


def deals_of(records: list[Recorded]) -> list[list[dict[str, Any]]]:
    """The events of each deal in wire form, from `contract_declared` to `deal_scored`."""
    deals: list[list[dict[str, Any]]] = []
    for event in (record.event for record in records):
        if event.type == "contract_declared":
            deals.append([])
        if deals:
            deals[-1].append({"type": event.type, **plain(event)})
    return deals


def test_the_king_of_hearts_costs_50_and_ends_the_deal_after_its_trick() -> None:
    hands = "9H 8H 7H AD KD QD JD TD | KH 7D 8D 7S 8S 9S TS JS | AH TH JH QH 9D QS KS AS | 7C 8C 9C TC JC QC KC AC"
    story = declared("king_of_hearts", hands, deal=20)
    events = play(story, "AD 7D 9D 8C  KD 8D QS 9C  9H KH AH 7C")

    assert types(events)[-4:] == ["card_played", "card_played", "trick_taken", "deal_scored"]
    assert points(events) == {0: 0, 1: 0, 2: 50, 3: 0}
    assert only("deal_scored", events).slam is None
    assert [len(hand) for hand in story.state.hands] == [5, 5, 5, 5]


def test_queens_cost_15_and_5_and_end_the_deal_with_the_last_one() -> None:
    hands = "QH QC 7H 8H 9H 7C 8C 9C | AH AC TH JH KH TC JC KC | QS 7S 8S 9S TS JS KS AS | QD 7D 8D 9D TD JD KD AD"
    story = declared("queens", hands)
    events = play(story, "QH AH QS QD")
    assert types(events)[-1] == "trick_taken", "one queen is left"
    events += play(story, "AC AS AD QC")

    assert points(events) == {0: 0, 1: 30, 2: 0, 3: 0}
    assert only("deal_scored", events).slam is None, "an early end is no slam"


def test_who_takes_the_queens_of_hearts_and_spades_has_20() -> None:
    hands = "QH QC 7H 8H 9H 7C 8C 9C | AH JC TH JH KH TC 7D KC | QS 7S 8S 9S TS JS KS AC | QD AS 8D 9D TD JD KD AD"
    story = declared("queens", hands)
    events = play(story, "QH AH QS AD  7D 7S QD 7H  JD QC TC AC")

    assert points(events) == {0: 0, 1: 20, 2: 0, 3: 10}


def test_hearts_cost_5_each_and_end_the_deal_with_the_last_one() -> None:
    story = declared("hearts", SUITS)
    events = play(story, " ".join(f"{rank}H {rank}C {rank}D {rank}S" for rank in "AKQJT98"))
    assert "deal_scored" not in types(events)
    events += play(story, "7H 7C 7D 7S")

    assert points(events) == {0: -100, 1: 0, 2: 0, 3: 0}, "the last heart fell in the last trick: a slam"
    assert only("deal_scored", events).slam == 0


def test_a_seat_that_takes_all_tricks_of_the_contract_tricks_scores_minus_100() -> None:
    story = declared("tricks", SUITS)
    events = play(story, " ".join(f"{rank}H {rank}C {rank}D {rank}S" for rank in "AKQJT987"))

    assert points(events) == {0: -100, 1: 0, 2: 0, 3: 0}
    assert only("deal_scored", events).slam == 0


def test_a_slam_of_the_salad_and_of_the_last_tricks_is_minus_100_too() -> None:
    for contract in ("salad", "last_tricks"):
        story = declared(contract, SUITS, contracts=EVERYTHING, always=["hearts"])
        events = play(story, " ".join(f"{rank}H {rank}C {rank}D {rank}S" for rank in "AKQJT987"))

        assert points(events) == {0: -100, 1: 0, 2: 0, 3: 0}


def test_a_king_of_hearts_that_falls_in_the_last_trick_can_make_a_slam() -> None:
    story = declared("king_of_hearts", SUITS)
    events = play(story, " ".join(f"{rank}H {rank}C {rank}D {rank}S" for rank in "AQJT987K"))

    assert points(events) == {0: -100, 1: 0, 2: 0, 3: 0}


@pytest.mark.parametrize("last_tricks, expected", [(1, {2: 20}), (2, {0: 20, 2: 20})], ids=["one", "two"])
def test_the_last_one_or_two_tricks_cost_20_each(last_tricks: int, expected: dict[int, int]) -> None:
    hands = "AH KH QH JH TH 9H 8H 7D | AC KC QC JC TC 9C 8C 7C | AD KD QD JD TD 9D 8D 7H | AS KS QS JS TS 9S 8S 7S"
    story = declared("last_tricks", hands, contracts=EVERYTHING, last_tricks=last_tricks)
    events = play(story, "AH AC 7H AS")
    events += play(story, " ".join(f"{rank}H {rank}C {rank}D {rank}S" for rank in "KQJT98"))
    events += play(story, "7D 7C AD 7S")

    assert points(events) == dict.fromkeys(range(4), 0) | expected


@pytest.mark.parametrize(
    "contract, given, cost",
    [
        ("hearts", {}, 5 + 5 + 5),
        ("hearts", {"always": ["king_of_hearts"]}, 5 + 50 + 5),
        ("queens", {}, 0),
        ("queens", {"always": ["king_of_hearts"]}, 50),
        ("queens", {"always": ["hearts"]}, 5 + 5 + 5),
        ("king_of_hearts", {"always": ["hearts"]}, 5 + 50 + 5),
        ("last_tricks", {"always": ["hearts", "king_of_hearts"]}, 5 + 50 + 5),
        ("tricks", {"always": ["king_of_hearts"]}, 5 + 50 + 5 + 5),
        ("salad", {}, 10 + 60 + 10 + 5),
        ("salad", {"always": ["king_of_hearts"]}, 10 + 60 + 10 + 5),
        ("salad", {"values": {"king_of_hearts": 200, "heart": 0}, "always": ["king_of_hearts"]}, 200 + 5),
        ("queens", {"values": {"king_of_hearts": 0, "heart": 9}, "always": ["king_of_hearts", "hearts"]}, 9 + 9 + 9),
    ],
    ids=str,
)
def test_a_card_costs_the_dearer_of_what_the_contract_and_what_always_asks(
    contract: Contract, given: dict[str, Any], cost: int
) -> None:
    """The trick AH KH 7H 7C, the first of eight."""
    options = RULES.complete_options({"contracts": EVERYTHING, **given}, 4, "casual")
    trick = (0, ((0, "AH"), (1, "KH"), (2, "7H"), (3, "7C")))

    assert contracts.points(contract, [trick], 8, 4, options) == {0: cost, 1: 0, 2: 0, 3: 0}


def test_the_queen_of_hearts_costs_15_in_hearts_if_queens_always_cost() -> None:
    hands = "QH QC 7H 8H 9H 7C 8C 9C | AH AC TH JH KH TC JC KC | QS 7S 8S 9S TS JS KS AS | QD 7D 8D 9D TD JD KD AD"
    story = declared("hearts", hands, always=["queens"])
    events = play(story, "QH AH QS QD  KH 7S 7D 7H  JH 8S 8D 8H  TH 9S 9D 9H")

    assert points(events)[1] == 15 + 7 * 5 + 5 + 5, "QH 15, seven other hearts, QS and QD"


@pytest.mark.parametrize("seats, tricks", [(3, 90), (4, 80), (5, 70)])
def test_the_points_of_a_deal_add_up_as_the_contract_says(seats: int, tricks: int) -> None:
    sums = {"queens": 30, "hearts": 40, "king_of_hearts": 50, "tricks": tricks, "patience": -150}
    sums |= {"salad": 50 + 30 + 40 + tricks, "last_tricks": 20}
    met = set()
    for number in range(6):
        given = {"contracts": EVERYTHING} if number % 2 else {"contracts": [*EVERYTHING[:4], "salad"]}
        table, records = started("barbu", seats, bytes([number]) * 32, **given)
        for _ in at_random(table, records, random.Random(number)):
            pass
        for deal in deals_of(records):
            scored = next(event for event in deal if event["type"] == "deal_scored")
            total = sum(scored["points"].values())
            more = 20 if scored["contract"] == "salad" and number % 2 else 0
            assert total == (-100 if scored["slam"] is not None else sums[scored["contract"]] + more)
            met.add(scored["contract"])
    assert met == set(sums)


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("dealing", ["auto", "manual"])
def test_whole_games_score_as_the_page_says_under_any_options(seats: int, dealing: str) -> None:
    """Every deal of random games, recomputed by a few lines that know the page alone."""
    for number in range(8):
        chance = random.Random(f"{seats} {dealing} {number}")
        options: dict[str, Any] = {
            "contracts": EVERYTHING,
            "dealing": dealing,
            "direction": chance.choice(["clockwise", "anticlockwise"]),
            "last_tricks": chance.choice([1, 2]),
            "always": [name for name in ("king_of_hearts", "queens", "hearts") if chance.random() < 0.5],
            "values": {name: chance.randrange(201) for name in ("king_of_hearts", "heart", "other_queens", "trick")},
        }
        table, records = started("barbu", seats, bytes([number]) * 32, **options)
        complete = plain(table.options)
        for _ in at_random(table, records, chance):
            pass
        totals = dict.fromkeys(range(seats), 0)
        deals = deals_of(records)
        assert len(deals) == 7 * seats
        for deal in deals:
            scored = next(event for event in deal if event["type"] == "deal_scored")
            expected = expected_points(complete, deal[0]["contract"], seats, deal)
            totals = {seat: totals[seat] + expected[seat] for seat in totals}
            assert scored["points"] == {str(seat): gained for seat, gained in expected.items()}
            assert scored["totals"] == {str(seat): total for seat, total in totals.items()}
        standing = plain(records[-1].event)["standing"]
        for entry in standing:
            fewer = sum(total < totals[entry["seat"]] for total in totals.values())
            assert entry == {"seat": entry["seat"], "place": 1 + fewer, "score": totals[entry["seat"]]}
