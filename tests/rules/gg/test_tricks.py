"""gg.md, Tricks and Deal of one card."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.errors import Invalid, NotYourTurn, RuleViolation
from games.rules.gg.actions import Play
from games.rules.gg.strength import strengths
from tests.builders import only, types
from tests.rules.gg.tables import RULES, bid, dealt, play, trick


def test_the_queen_is_below_the_jack_and_the_ace_of_diamonds_above_all() -> None:
    order = sorted(("AC", "KC", "QC", "JC", "TC", "7C", "AD", "2C"), key=strengths(manilha=False).__getitem__)

    assert order == ["2C", "7C", "TC", "QC", "JC", "KC", "AC", "AD"]


def test_manilha_puts_the_sevens_between_king_and_ace() -> None:
    order = sorted(("AC", "KC", "7C", "AD", "2C"), key=strengths(manilha=True).__getitem__)

    assert order == ["2C", "KC", "7C", "AC", "AD"]


def test_the_winner_leads_the_next_trick() -> None:
    story = dealt("5C 7D | 2C 2D | QC QS")
    bid(story, 0, 0, 0)

    events = play(story, "5C 2D QC")

    assert types(events) == ["card_played", "trick_taken"]
    assert only("trick_taken", events).cards == ((0, "5C"), (1, "2D"), (2, "QC"))
    assert RULES.to_act(story.state) == (2,)


def test_the_last_trick_brings_the_score_and_the_next_deal_along() -> None:
    story = dealt("5C 7D | 2C 2D")
    bid(story, 2, 1)

    events = play(story, "5C 2C 7D 2D")

    assert types(events) == ["card_played", "trick_taken", "deal_scored", "hands_dealt"]
    scored = only("deal_scored", events)
    assert scored.bids == {0: 2, 1: 1}
    assert scored.tricks == {0: 2, 1: 0}
    assert scored.lives == {0: 5, 1: 4}
    assert only("hands_dealt", events).cards == 4


def test_only_cards_of_the_hand_can_be_played() -> None:
    story = dealt("5C 7D | 2C 2D")
    bid(story, 0, 0)

    with pytest.raises(RuleViolation, match="not-in-hand"):
        story.when(0, kind="play", card="2C")


def test_bids_are_over_once_the_tricks_begin() -> None:
    story = dealt("5C 7D | 2C 2D")
    bid(story, 0, 0)

    with pytest.raises(RuleViolation, match="wrong-phase"):
        story.when(0, kind="bid", tricks=1)


def test_a_card_out_of_turn_is_not_looked_at() -> None:
    story = dealt("5C 7D | 2C 2D")
    bid(story, 0, 0)

    with pytest.raises(NotYourTurn):
        story.when(1, kind="play", card="9S")


@pytest.mark.parametrize(
    "cards, taken, options",
    [
        ("5C JK=5H", 0, {"joker": True}),
        ("JK=5H 5C", 0, {"joker": True}),
        ("KC JK=7H", 1, {"joker": True, "manilha": True}),
        ("KC JK=KC", None, {"joker": True, "cut": True}),
        ("JK=2C 3C KC KD", 1, {"joker": True, "cut": True}),
        ("9C 9D QH QS", None, {"cut": True}),
        ("9C 9D 9H 2S", 3, {"cut": True}),
    ],
)
def test_the_joker_is_the_card_that_it_is_named(cards: str, taken: int | None, options: dict[str, bool]) -> None:
    assert trick(cards, **options) == taken


def test_the_joker_stays_the_joker_on_the_table() -> None:
    story = dealt("JK 2C | AH 2D", joker=True)
    bid(story, 0, 0)

    first = play(story, "JK=7C")
    second = play(story, "AH")

    assert (only("card_played", first).card, only("card_played", first).named) == ("JK", "7C")
    assert only("trick_taken", second).cards == ((0, "JK"), (1, "AH"))


def test_the_joker_is_one_legal_entry_without_its_name() -> None:
    story = dealt("JK 2C | AH 2D", joker=True)
    bid(story, 0, 0)
    view = RULES.view(story.state, 0)

    actions = RULES.legal_actions(view)

    assert actions == (Play(card="JK"), Play(card="2C"))
    names = [action.named for action in RULES.completions(actions[0], view) if isinstance(action, Play)]
    assert len(names) == len(set(names)) == 51
    assert "AD" not in names
    assert RULES.completions(actions[1], view) == (actions[1],)


@pytest.mark.parametrize(
    "action, code",
    [
        ({"card": "JK"}, "joker-needs-card"),
        ({"card": "JK", "named": "AD"}, "joker-card-forbidden"),
        ({"card": "JK", "named": "JK"}, "joker-card-forbidden"),
    ],
)
def test_the_joker_needs_a_name_that_it_may_have(action: dict[str, Any], code: str) -> None:
    story = dealt("JK 2C | AH 2D", joker=True)
    bid(story, 0, 0)

    with pytest.raises(RuleViolation, match=code):
        story.when(0, kind="play", **action)


@pytest.mark.parametrize("named", [{}, {"named": "AD"}, {"named": "7C"}])
def test_a_joker_held_by_somebody_else_is_not_in_hand(named: dict[str, str]) -> None:
    story = dealt("3C 2C | JK 2D", joker=True)
    bid(story, 0, 0)

    with pytest.raises(RuleViolation, match="not-in-hand"):
        story.when(0, kind="play", card="JK", **named)


@pytest.mark.parametrize(
    "action, field, options",
    [
        ({"card": "JK", "named": "7C"}, "card", {}),
        ({"card": "1C"}, "card", {}),
        ({"card": "5c"}, "card", {}),
        ({"card": 5}, "card", {}),
        ({"card": "5C", "named": "7C"}, "as", {"joker": True}),
        ({"card": "JK", "named": "XX"}, "as", {"joker": True}),
        ({"card": "5C", "tricks": 1}, "tricks", {}),
    ],
)
def test_cards_and_members_that_do_not_exist_are_malformed(
    action: dict[str, Any], field: str, options: dict[str, Any]
) -> None:
    story = dealt("5C 7D | 2C 2D", **options)
    bid(story, 0, 0)

    with pytest.raises(Invalid) as refusal:
        story.when(0, kind="play", **action)

    assert refusal.value.field == field


def test_one_card_each_is_revealed_after_the_last_bid_without_a_move() -> None:
    story = dealt("KC | AH | 3S", starter=1)

    events = bid(story, 1, 0, 1)

    assert types(events) == ["bid_made", "cards_revealed", "trick_taken", "deal_scored", "hands_dealt"]
    assert only("cards_revealed", events).cards == {0: "KC", 1: "AH", 2: "3S"}
    taken = only("trick_taken", events)
    assert (taken.seat, taken.cards) == (1, ((1, "AH"), (2, "3S"), (0, "KC")))


def test_one_card_each_counts_as_played_from_the_starter() -> None:
    events = bid(dealt("KC | KH | 3S", starter=1), 1, 0, 1)

    assert only("trick_taken", events).seat == 1


def test_one_card_each_can_cancel_too() -> None:
    events = bid(dealt("KC | KH", cut=True), 0, 0)

    assert only("trick_taken", events).seat is None
    assert only("deal_scored", events).lives == {0: 5, 1: 5}
