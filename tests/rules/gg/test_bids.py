"""gg.md, Bids."""

from __future__ import annotations

import pytest

from games.rules.bidding import Bid
from games.rules.errors import Invalid, NotYourTurn, RuleViolation
from tests.rules.gg.tables import RULES, bid, dealt


def test_bids_go_clockwise_from_the_starter_and_then_the_starter_leads() -> None:
    story = dealt("5C 7D | 2C 2D | QC QS", starter=2)
    asked: list[int] = []
    for tricks in (0, 0, 0):
        asked += RULES.to_act(story.state)
        bid(story, tricks)

    assert asked == [2, 0, 1]
    assert RULES.to_act(story.state) == (2,)
    assert story.state.stage == "tricks"


@pytest.mark.parametrize("tricks", [-1, 3, 99])
def test_a_bid_lies_between_none_and_all_tricks(tricks: int) -> None:
    story = dealt("5C 7D | 2C 2D")

    with pytest.raises(RuleViolation, match="bid-range"):
        story.when(0, kind="bid", tricks=tricks)


def test_bids_over_the_number_of_cards_leave_the_last_bidder_free() -> None:
    story = dealt("5C 7D | 2C 2D | 3C 3D")
    bid(story, 2, 1)

    assert RULES.legal_actions(RULES.view(story.state, 2)) == tuple(Bid(tricks=tricks) for tricks in (0, 1, 2))


def test_legal_bids_leave_out_the_forbidden_one() -> None:
    story = dealt("5C 7D | 2C 2D")
    bid(story, 1)

    assert RULES.legal_actions(RULES.view(story.state, 1)) == (Bid(tricks=0), Bid(tricks=2))


def test_another_seat_has_to_wait() -> None:
    story = dealt("5C 7D | 2C 2D")

    with pytest.raises(NotYourTurn):
        story.when(1, kind="bid", tricks=0)


def test_no_card_is_played_while_bids_are_open() -> None:
    story = dealt("5C 7D | 2C 2D")

    with pytest.raises(RuleViolation, match="wrong-phase"):
        story.when(0, kind="play", card="5C")


@pytest.mark.parametrize("tricks", ["1", 1.0, None, True])
def test_a_bid_that_is_no_whole_number_is_malformed(tricks: object) -> None:
    with pytest.raises(Invalid):
        dealt("5C 7D | 2C 2D").when(0, kind="bid", tricks=tricks)
