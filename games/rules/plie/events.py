"""What happens in Plie (api.md, Events; details.md, Shapes). Maps hold every seat."""

from __future__ import annotations

from typing import ClassVar, Literal

from games.rules.bidding import BidMade
from games.rules.cards import Card
from games.rules.lifecycle import Event
from games.rules.seats import Seat
from games.rules.tricks import CardPlayed, TrickTaken

TurnedFrom = Literal["pack", "dealer"]


class DealerDrawn(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "dealer_drawn"
    dealer: Seat


class HandsDealt(Event, frozen=True, kw_only=True):
    """`hands` stand in the order dealt. A card turned from the dealer is the dealer's last and stays in that hand."""

    type: ClassVar[str] = "hands_dealt"
    deal: int
    cards: int
    dealer: Seat
    hands: dict[Seat, tuple[Card, ...]]
    turned: Card
    turned_from: TurnedFrom


class DealScored(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "deal_scored"
    bids: dict[Seat, int]
    tricks: dict[Seat, int]
    points: dict[Seat, int]
    totals: dict[Seat, int]


EVENTS: dict[str, type[Event]] = {
    event.type: event for event in (DealerDrawn, HandsDealt, BidMade, CardPlayed, TrickTaken, DealScored)
}
