"""GG positions for tests, from short text."""

from __future__ import annotations

from typing import Any

from games.rules.gg import GG
from games.rules.gg.events import DealScored, HandsDealt, StarterDrawn
from games.rules.ruleset import Events
from tests.builders import Story, hands, only

RULES = GG()


def dealt(text: str, *, starter: int = 0, lives: list[int] | None = None, deal: int = 1, **options: Any) -> Story:
    """A deal with these hands; `lives` where they are no longer as at the beginning."""
    held = hands(text)
    seats = len(text.split("|"))
    story = Story(RULES, seats, **options).given(StarterDrawn(draws=(), starter=starter))
    if lives is not None:
        out = tuple(seat for seat, left in enumerate(lives) if left == 0)
        story.given(DealScored(bids={}, tricks={}, lives=dict(enumerate(lives)), out=out))
    size = len(next(iter(held.values())))
    return story.given(HandsDealt(deal=deal, cards=size, starter=starter, hands=held))


def bid(story: Story, *bids: int) -> Events:
    """The seats in the deal bid in turn; the events of the last bid."""
    events: Events = ()
    for tricks in bids:
        events = story.do(RULES.to_act(story.state)[0], kind="bid", tricks=tricks)
    return events


def play(story: Story, text: str) -> Events:
    """Cards played in turn, the joker as `JK=7C`; the events of the last one."""
    events: Events = ()
    for entry in text.split():
        card, _, name = entry.partition("=")
        action = {"kind": "play", "card": card} | ({"named": name} if name else {})
        events = story.do(RULES.to_act(story.state)[0], **action)
    return events


def trick(text: str, **options: Any) -> int | None:
    """Who takes a trick of these cards, all alive, played from seat 0 on (each seat holds a spare 2 as well)."""
    laid = text.split()
    spare = ("2C", "2D", "2H", "2S", "3C")
    held = " | ".join(f"{card.partition('=')[0]} {spare[seat]}" for seat, card in enumerate(laid))
    story = dealt(held, **options)
    bid(story, 0, *(0 for _ in laid[1:]))
    taken: int | None = only("trick_taken", play(story, text)).seat
    return taken
