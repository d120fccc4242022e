"""Tricks: what may be played to one, and who takes it. Shared by every trick-taking ruleset.

Suits, trumps, rank order, the joker's name and cancelling are parameters; nothing here knows a ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from games.rules.cards import Card, suit
from games.rules.seats import Seat

Played = tuple[Seat, Card]


def may_follow(hand: Collection[Card], led: Card | None) -> list[Card]:
    """The cards of `hand` that may be played after `led`: its suit if the hand has any, else all of them."""
    if led is None:
        return list(hand)
    same = [card for card in hand if suit(card) == suit(led)]
    return same or list(hand)


def by_suit(order: str, led: str, trump: str | None = None) -> Callable[[Card], int]:
    """Strength under suit rules: trumps above the suit led above all else. `order` lists ranks, low to high."""

    def strength(card: Card) -> int:
        height = order.index(card[0]) + 1
        if card[1] == trump:
            return height + 2 * len(order)
        return height + len(order) if card[1] == led else height - len(order)

    return strength


def winner(
    played: Sequence[Played],
    strength: Callable[[Card], int],
    *,
    cancel: Callable[[Card], object] | None = None,
) -> Seat | None:
    """The seat of the strongest card, the first one played among equals.

    With `cancel`, cards for which it gives the same value cancel each other, all of them; None if all did.
    """
    contenders = played
    if cancel is not None:
        kinds = [cancel(card) for _, card in played]
        contenders = [entry for entry, kind in zip(played, kinds, strict=True) if kinds.count(kind) == 1]
    if not contenders:
        return None
    return max(contenders, key=lambda entry: strength(entry[1]))[0]  # max keeps the first of equals
