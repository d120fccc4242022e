"""gg.md, Who may see what."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.gg.events import HandsDealt
from games.rules.gg.secrets import secrets
from tests.builders import hands, only
from tests.rules.gg.tables import RULES, bid, dealt, play


def shown_hands(text: str, seat: int | None, size: int) -> Any:
    story = dealt("2C 2D | 3C 3D | 4C 4D")
    event = HandsDealt(deal=2, cards=size, starter=0, hands=hands(text))
    return RULES.redact(event, seat, story.state)["hands"]


def test_a_seat_sees_its_own_hand_and_counts_the_others() -> None:
    assert shown_hands("5C 7D | 8C 8D", 0, 2) == {"0": ["5C", "7D"], "1": 2}


def test_a_spectator_counts_all_hands() -> None:
    assert shown_hands("5C 7D | 8C 8D", None, 2) == {"0": 2, "1": 2}


def test_with_one_card_a_seat_sees_all_but_its_own() -> None:
    assert shown_hands("5C | 8C | 9C", 1, 1) == {"0": ["5C"], "1": 1, "2": ["9C"]}


@pytest.mark.parametrize("viewer", [None, 2])
def test_with_one_card_spectators_and_who_is_out_see_none(viewer: int | None) -> None:
    assert shown_hands("5C | 8C", viewer, 1) == {"0": 1, "1": 1}


def test_the_view_shows_hands_in_the_same_way() -> None:
    story = dealt("5C | 8C | ", lives=[3, 3, 0])

    assert RULES.view(story.state, 0).hands == {0: 1, 1: ("8C",)}
    assert RULES.view(story.state, 2).hands == {0: 1, 1: 1}
    assert RULES.view(story.state, None).hands == {0: 1, 1: 1}


def test_what_lies_on_the_table_is_seen_by_all() -> None:
    story = dealt("JK 2C | AH 2D", joker=True)
    bid(story, 1, 0)
    play(story, "JK=7C")

    view = RULES.view(story.state, None)

    assert [(laid.seat, laid.card, laid.named) for laid in view.trick] == [(0, "JK", "7C")]
    assert view.hands == {0: 1, 1: 2}
    assert view.bids == {0: 1, 1: 0}


def test_the_last_trick_stays_in_sight() -> None:
    story = dealt("5C 2C | AH 2D")
    bid(story, 1, 0)
    play(story, "5C AH")

    view = RULES.view(story.state, 0)

    assert view.last_trick is not None
    assert (view.last_trick.seat, view.last_trick.cards) == (1, ((0, "5C"), (1, "AH")))
    assert view.tricks == {0: 0, 1: 1}


def test_secrets_are_all_cards_but_the_own_and_those_played() -> None:
    story = dealt("5C 2C | AH 2D")
    bid(story, 1, 0)
    play(story, "5C")

    assert len(secrets(story.state, 0)) == 50
    assert {"AH", "2D"} <= secrets(story.state, 0)
    assert "2C" not in secrets(story.state, 0)
    assert len(secrets(story.state, None)) == 51


def test_with_one_card_the_own_card_is_the_secret() -> None:
    story = dealt("5C | AH | ", lives=[1, 1, 0])

    assert "5C" in secrets(story.state, 0)
    assert "AH" not in secrets(story.state, 0)
    assert {"5C", "AH"} <= secrets(story.state, 2)


def test_revealed_cards_are_no_secret_any_more() -> None:
    story = dealt("5C | AH")
    events = bid(story, 1, 1)
    before_next_deal = dealt("5C | AH").given(*events[:-1])

    assert only("cards_revealed", events).cards == {0: "5C", 1: "AH"}
    assert not {"5C", "AH"} & secrets(before_next_deal.state, None)
