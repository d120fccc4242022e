"""Each worked example of gg.md, by its number."""

from __future__ import annotations

import pytest

from games.rules.errors import RuleViolation
from tests.builders import only, types
from tests.rules.gg.tables import RULES, bid, dealt, play, trick


@pytest.mark.parametrize(
    "number, cards, taken, options",
    [
        (1, "9C QS JD 9H", 2, {}),
        (2, "AH AD AS", 1, {}),
        (3, "KC KH 2S", 0, {}),
        (4, "KC KH 2S", 2, {"cut": True}),
        (5, "5C 5H", None, {"cut": True}),
        (6, "AH AS AD", 2, {"cut": True}),
        (7, "KC 7D AH", 2, {"manilha": True}),
        (7, "KC 7D JS", 1, {"manilha": True}),
        (8, "AH JK=AS", 0, {"joker": True}),
        (8, "AH JK=AS", None, {"joker": True, "cut": True}),
    ],
)
def test_the_tricks_of_the_examples(number: int, cards: str, taken: int | None, options: dict[str, bool]) -> None:
    assert trick(cards, **options) == taken, f"worked example {number}"


def test_5_the_leader_leads_again_when_nobody_takes_the_trick() -> None:
    story = dealt("5C 2C | 5H 2D", starter=1, cut=True)
    bid(story, 0, 0)

    play(story, "5H 5C")

    assert RULES.to_act(story.state) == (1,)


def test_9_the_joker_is_never_the_ace_of_diamonds() -> None:
    story = dealt("JK 2C | AH 2D", joker=True)
    bid(story, 0, 0)

    with pytest.raises(RuleViolation, match="joker-card-forbidden"):
        story.when(0, kind="play", card="JK", named="AD")


@pytest.mark.parametrize("tricks", [0, 2, 3])
def test_10_the_last_bidder_chooses_freely_among_the_rest(tricks: int) -> None:
    story = dealt("5C 7D KH | 2C 2D 2S | QC QS 9H")
    bid(story, 1, 1)

    assert types(story.when(2, kind="bid", tricks=tricks)) == ["bid_made"]


def test_10_the_last_bidder_may_not_make_the_bids_add_up() -> None:
    story = dealt("5C 7D KH | 2C 2D 2S | QC QS 9H")
    bid(story, 1, 1)

    with pytest.raises(RuleViolation, match="bid-forbidden"):
        story.when(2, kind="bid", tricks=1)


@pytest.mark.parametrize("tricks", [0, 1])
def test_11_with_one_card_the_last_bidder_is_free(tricks: int) -> None:
    story = dealt("5C | 2C", lives=[5, 5])
    bid(story, 1)

    assert only("bid_made", story.do(1, kind="bid", tricks=tricks)).tricks == tricks


def test_12_a_seat_that_keeps_a_life_wins_when_the_others_lose_their_last() -> None:
    story = dealt("2C | 3C | AD", lives=[2, 1, 1])

    events = bid(story, 1, 1, 0)

    scored = only("deal_scored", events)
    assert (scored.lives, scored.out) == ({0: 1, 1: 0, 2: 0}, (1, 2))
    assert types(events)[-1] == "deal_scored"
    standing = RULES.standing(story.state)
    assert standing is not None
    assert [(entry.place, entry.score) for entry in standing] == [(1, 1), (2, 0), (2, 0)]


def test_13_if_all_lose_their_last_life_all_keep_one() -> None:
    story = dealt("2C | AD", lives=[1, 1])

    events = bid(story, 1, 0)

    scored = only("deal_scored", events)
    assert (scored.lives, scored.out) == ({0: 1, 1: 1}, ())
    assert types(events)[-1] == "hands_dealt"
    assert RULES.standing(story.state) is None


def test_14_those_who_go_out_in_the_same_deal_share_the_place() -> None:
    story = dealt("AD | 2C | 3C", lives=[1, 1, 1])

    bid(story, 1, 1, 1)

    standing = RULES.standing(story.state)
    assert standing is not None
    assert [entry.place for entry in standing] == [1, 2, 2]
