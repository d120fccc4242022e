"""The pack of Plie and the course of its deals (plie.md, Cards and deals): public knowledge, the same in every game."""

from __future__ import annotations

from games.rules.cards import pack
from games.rules.seats import ANTICLOCKWISE, Seat, around

RANKS = "6789TJQKA"  # 36 cards, ace high
PACK = pack(RANKS)


def largest(seats: int) -> int:
    """The cards of the largest deal, M."""
    return len(PACK) // seats


def deals(seats: int) -> int:
    """The number of deals of a whole game: up to M, then from M down."""
    return 2 * largest(seats)


def cards_of(deal: int, seats: int) -> int:
    """The cards per seat in that deal, counted from 1: 1 … M, M … 1."""
    return min(deal, deals(seats) + 1 - deal)


def order(dealer: Seat, seats: int) -> tuple[Seat, ...]:
    """The seats as they are dealt to and as they bid, anticlockwise: the dealer comes last."""
    return tuple(around((dealer + ANTICLOCKWISE) % seats, seats, ANTICLOCKWISE))
