"""Cards in text form: rank then suit, two characters; the joker is `JK` (rules/README.md, Shared vocabulary).

A card is a plain string everywhere, on the wire, in events and in states, so nothing has to be translated.
"""

from __future__ import annotations

from functools import lru_cache

Card = str

RANKS = "23456789TJQKA"
SUITS = "CDHS"
JOKER: Card = "JK"


@lru_cache(maxsize=32)
def pack(ranks: str = RANKS, *, joker: bool = False) -> tuple[Card, ...]:
    """A pack in the order from which every shuffle starts: suit by suit, ace last, the joker at the end.

    details.md, Random stream. `ranks` narrows it: `"6789TJQKA"` gives 36 cards.
    """
    cards = tuple(rank + suit for suit in SUITS for rank in RANKS if rank in ranks)
    return (*cards, JOKER) if joker else cards


def rank(card: Card) -> str:
    """The rank's letter; not for the joker, which has none."""
    return card[0]


def suit(card: Card) -> str:
    """The suit's letter; not for the joker, which has none."""
    return card[1]


def without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The hand less that card, the others in their order; the hand as it is where it does not hold the card."""
    if card not in hand:
        return hand
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]
