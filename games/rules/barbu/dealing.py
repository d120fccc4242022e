"""The pack of Barbu and its way into the hands (barbu.md, Cards; Dealing by hand)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from games.rules.cards import Card, pack
from games.rules.seats import Seat, around
from games.rules.tricks import Taken

RANKS = "789TJQKA"  # ace high


@cache
def pack_of(seats: int) -> tuple[Card, ...]:
    """32 cards; with 3 or 5 seats both black sevens are taken out."""
    cards = pack(RANKS)
    return cards if seats == 4 else tuple(card for card in cards if card not in {"7C", "7S"})


def dealt(lying: Sequence[Card], declarer: Seat, seats: int, step: int, by: int) -> dict[Seat, tuple[Card, ...]]:
    """The hands dealt from the top, `by` cards at a time, beginning with the seat after the declarer."""
    hands: dict[Seat, list[Card]] = {seat: [] for seat in range(seats)}
    order = tuple(around((declarer + step) % seats, seats, step))
    for place in range(0, len(lying), by):
        hands[order[place // by % seats]] += lying[place : place + by]
    return {seat: tuple(hand) for seat, hand in hands.items()}


def cut(lying: Sequence[Card], at: int) -> tuple[Card, ...]:
    """The pack with its top `at` cards put under the rest."""
    return (*lying[at:], *lying[:at])


def gathered(
    taken: Iterable[Taken], laid: Iterable[Card], hands: Sequence[Sequence[Card]], declarer: Seat, step: int
) -> tuple[Card, ...]:
    """The pack as a deal of that declarer left it, top first.

    The captured tricks as they were taken, or the cards as they were laid out; then what is still in hand.
    """
    captured = [card for _, trick in taken for _, card in trick]
    in_hand = [card for seat in around(declarer, len(hands), step) for card in hands[seat]]
    return (*captured, *laid, *in_hand)
