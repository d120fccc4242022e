"""Which cards fit in the patience (barbu.md, Patience): a jack opens its suit, other cards lie next to one laid."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from games.rules.barbu.dealing import RANKS
from games.rules.cards import SUITS, Card

JACK = RANKS.index("J")
_SUITS = {suit: tuple(rank + suit for rank in RANKS) for suit in SUITS}  # each lowest first


def needs(card: Card) -> Card | None:
    """The card that must lie before this one may: its neighbour on the jack's side; None for a jack."""
    return _NEEDS[card]


def _neighbour(card: Card) -> Card | None:
    height = RANKS.index(card[0])
    if height == JACK:
        return None
    return RANKS[height + 1 if height < JACK else height - 1] + card[1]


_NEEDS = {card: _neighbour(card) for cards in _SUITS.values() for card in cards}


def fitting(hand: Iterable[Card], laid: Collection[Card]) -> list[Card]:
    """The cards of `hand` that may be laid now."""
    return [card for card in hand if (before := _NEEDS[card]) is None or before in laid]


def another_follows(card: Card, rest: Collection[Card], laid: Collection[Card]) -> bool:
    """Whether who laid `card` and holds `rest` may at once lay another: an ace gives that, if one fits."""
    return card[0] == "A" and bool(fitting(rest, laid))


def layout(laid: Collection[Card]) -> dict[str, tuple[Card, ...]]:
    """The cards laid out, suit by suit, lowest first."""
    return {suit: tuple([card for card in cards if card in laid]) if laid else () for suit, cards in _SUITS.items()}
