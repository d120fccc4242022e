"""What can happen in a game of GG (api.md, Events). Maps are keyed by seat."""

from __future__ import annotations

from typing import ClassVar

from games.rules.bidding import BidMade
from games.rules.cards import Card
from games.rules.lifecycle import Event
from games.rules.seats import Seat
from games.rules.tricks import CardPlayed, TrickTaken


class StarterDrawn(Event, frozen=True, kw_only=True):
    """One map per drawing: all seats first, then those that were tied."""

    type: ClassVar[str] = "starter_drawn"
    draws: tuple[dict[Seat, Card], ...]
    starter: Seat


class HandsDealt(Event, frozen=True, kw_only=True):
    """`hands` holds the seats alive, each hand in the order dealt."""

    type: ClassVar[str] = "hands_dealt"
    deal: int
    cards: int
    starter: Seat
    hands: dict[Seat, tuple[Card, ...]]


class CardsRevealed(Event, frozen=True, kw_only=True):
    """The cards of a deal of one card, in seat order."""

    type: ClassVar[str] = "cards_revealed"
    cards: dict[Seat, Card]


class DealScored(Event, frozen=True, kw_only=True):
    """`bids` and `tricks` of the seats in the deal, `lives` of all seats, `out` who went out in this deal."""

    type: ClassVar[str] = "deal_scored"
    bids: dict[Seat, int]
    tricks: dict[Seat, int]
    lives: dict[Seat, int]
    out: tuple[Seat, ...]


EVENTS: dict[str, type[Event]] = {
    event.type: event
    for event in (StarterDrawn, HandsDealt, BidMade, CardPlayed, CardsRevealed, TrickTaken, DealScored)
}

# details.md, Order of events; see `order` in conformance/ending.py
ORDER = (
    "game_started starter_drawn "
    "(hands_dealt (bid_made )+"
    "(((card_played )+trick_taken )+|cards_revealed trick_taken )"
    "deal_scored )+game_finished "
)
