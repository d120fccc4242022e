"""gg.md, Lives; End and standing; Decisions 3, 4 and 7."""

from __future__ import annotations

import pytest

from games.rules.gg.options import DEAL_LIMIT
from tests.builders import only, types
from tests.rules.gg.tables import RULES, bid, dealt


def placed(story: object) -> list[tuple[int, int]]:
    standing = RULES.standing(story.state)  # type: ignore[attr-defined]
    assert standing is not None
    return [(entry.place, entry.score) for entry in standing]


def test_missing_a_bid_by_any_amount_costs_one_life() -> None:
    events = bid(dealt("KC | AH | 3S", lives=[5, 5, 5]), 1, 1, 0)

    assert only("deal_scored", events).lives == {0: 4, 1: 5, 2: 5}


def test_who_is_out_takes_no_part_and_keeps_its_place() -> None:
    story = dealt(" | AH | 3S", starter=1, lives=[0, 1, 2])

    events = bid(story, 1, 1)

    assert only("deal_scored", events).bids == {1: 1, 2: 1}
    assert only("hands_dealt", events).hands.keys() == {1, 2}
    assert RULES.view(story.state, 0).out == (0,)


def test_later_out_is_placed_better() -> None:
    story = dealt("AH | KC | 3S", lives=[2, 1, 2], deal=4)
    bid(story, 1, 1, 0)
    assert RULES.standing(story.state) is None

    story = dealt("AH |  | 3S", lives=[2, 0, 1], deal=5)
    bid(story, 1, 1)

    assert placed(story) == [(1, 2), (3, 0), (2, 0)]


def test_sudden_death_with_all_bids_missed_lets_everybody_live() -> None:
    story = dealt("2C | AD", sudden_death=True)

    events = bid(story, 1, 0)

    assert only("deal_scored", events).lives == {0: 1, 1: 1}
    assert types(events)[-1] == "hands_dealt"


@pytest.mark.parametrize("deal, over", [(DEAL_LIMIT - 1, False), (DEAL_LIMIT, True)])
def test_after_the_last_deal_those_alive_share_the_first_place(deal: int, over: bool) -> None:
    story = dealt("AH | KC |  | 3S", lives=[4, 2, 0, 1], deal=deal)

    events = bid(story, 1, 1, 1)

    assert (types(events)[-1] == "deal_scored") is over
    if over:
        assert placed(story) == [(1, 4), (1, 1), (4, 0), (3, 0)]
        assert RULES.to_act(story.state) == ()
    else:
        assert RULES.standing(story.state) is None
