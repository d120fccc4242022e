"""Tricks as all rulesets share them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import pack, rank
from games.rules.errors import RuleViolation
from games.rules.tricks import by_suit, check_follow, may_follow, winner
from tests.builders import cards

ORDER = "23456789TJQKA"


def test_any_card_may_be_led() -> None:
    assert may_follow(cards("QH 2C"), None) == ["QH", "2C"]


def test_the_suit_led_has_to_be_followed_if_one_can() -> None:
    assert may_follow(cards("QH 2C 3H"), "KH") == ["QH", "3H"]
    assert may_follow(cards("QH 2C 3H"), "KS") == ["QH", "2C", "3H"]


@pytest.mark.parametrize("card, code", [("KC", "not-in-hand"), ("2C", "must-follow-suit")])
def test_a_card_that_may_not_follow_is_refused(card: str, code: str) -> None:
    with pytest.raises(RuleViolation, match=code):
        check_follow(cards("QH 2C"), card, "KH")


@given(
    hand=st.lists(st.sampled_from(pack()), min_size=1, max_size=9, unique=True),
    card=st.sampled_from(pack()),
    led=st.none() | st.sampled_from(pack()),
)
def test_what_is_refused_is_what_may_not_follow(hand: list[str], card: str, led: str | None) -> None:
    try:
        check_follow(hand, card, led)
    except RuleViolation:
        assert card not in may_follow(hand, led)
    else:
        assert card in may_follow(hand, led)


def test_the_highest_of_the_suit_led_wins() -> None:
    assert winner([(0, "9H"), (1, "AS"), (2, "TH")], by_suit(ORDER, "H")) == 2


def test_a_trump_beats_the_suit_led_and_a_higher_trump_beats_that() -> None:
    trick = [(0, "AH"), (1, "2S"), (2, "KH"), (3, "3S")]

    assert winner(trick, by_suit(ORDER, "H", "S")) == 3


def test_of_equal_cards_the_first_wins() -> None:
    assert winner([(2, "KC"), (0, "KH")], lambda card: ORDER.index(rank(card))) == 2


def test_equal_cards_cancel_where_asked_for() -> None:
    trick = [(0, "KC"), (1, "KH"), (2, "2S")]

    assert winner(trick, lambda card: ORDER.index(rank(card)), cancel=rank) == 2
    assert winner(trick[:2], lambda card: ORDER.index(rank(card)), cancel=rank) is None
