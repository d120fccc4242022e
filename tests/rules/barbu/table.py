"""Barbu positions for tests, from short text."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.barbu import Barbu
from games.rules.barbu.events import DeclarerDrawn, HandsDealt
from games.rules.errors import RuleViolation
from games.rules.lifecycle import Event
from tests.builders import Story, hands

RULES = Barbu()
EVERYTHING = ["king_of_hearts", "queens", "hearts", "tricks", "patience", "salad", "last_tricks"]


def dealt(text: str, *, declarer: int = 0, deal: int = 1, **options: Any) -> Story:
    """A deal with these hands, before anything is declared."""
    cards = hands(text)
    story = Story(RULES, len(cards), **options).given(DeclarerDrawn(declarer=declarer))
    return story.given(HandsDealt(deal=deal, declarer=declarer, hands=cards, by=1))


def declared(contract: str, text: str, *, declarer: int = 0, deal: int = 1, **options: Any) -> Story:
    """The same, with the contract declared."""
    story = dealt(text, declarer=declarer, deal=deal, **options)
    story.do(declarer, kind="declare", contract=contract)
    return story


def play(story: Story, text: str) -> list[Event]:
    """Cards, or `pass`, played in turn; all the events."""
    events: list[Event] = []
    for word in text.split():
        action = {"kind": "pass"} if word == "pass" else {"kind": "play", "card": word}
        events += story.do(RULES.to_act(story.state)[0], **action)
    return events


def refusal(story: Story, **action: Any) -> str:
    """Why the seat to act may not do this; nor does it stand among its legal actions."""
    (seat,) = RULES.to_act(story.state)
    wire = {"type": action.pop("kind"), **action}
    assert RULES.parse_action(wire, story.options, story.seats) not in legal(story)
    with pytest.raises(RuleViolation) as refused:
        story.when(seat, kind=wire.pop("type"), **wire)
    return refused.value.code


def legal(story: Story) -> tuple[Any, ...]:
    """The legal actions of the seat to act, from its view."""
    (seat,) = RULES.to_act(story.state)
    return RULES.legal_actions(RULES.view(story.state, seat))


def cards_of(actions: tuple[Any, ...]) -> set[str]:
    """The cards that may be played, and `pass`."""
    return {getattr(action, "card", "pass") for action in actions}
