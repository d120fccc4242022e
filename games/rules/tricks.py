"""Tricks: what may be played to one, who takes it, and the events that say so. Shared by every trick-taking ruleset.

Suits, trumps, rank order, the joker's name and cancelling are parameters; nothing here knows a ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

import msgspec

from games.rules.cards import SUITS, Card, suit
from games.rules.errors import RuleViolation
from games.rules.lifecycle import Event
from games.rules.ruleset import Choice
from games.rules.seats import Seat

Played = tuple[Seat, Card]
Taken = tuple[Seat, tuple[Played, ...]]  # who took a trick, and its cards in the order played


class Play(Choice, frozen=True, kw_only=True, tag="play"):
    """Play a card from hand, where it needs no name beside its own."""

    card: Card


class CardPlayed(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A card leaves a hand, for all to see. `named` (`as` on the wire) is what a joker stands for."""

    type: ClassVar[str] = "card_played"
    seat: Seat
    card: Card
    named: Card | None = msgspec.field(default=None, name="as")


class Laid(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card of the present trick, as views show it; `named` (`as` on the wire) is what a joker stands for."""

    seat: Seat
    card: Card
    named: Card | None = msgspec.field(default=None, name="as")

    @property
    def counts_as(self) -> Card:
        return self.named or self.card


class TrickTaken(Event, frozen=True, kw_only=True):
    """A trick is complete; `seat` took it, or nobody did. `cards` stand in the order in which they were played."""

    type: ClassVar[str] = "trick_taken"
    seat: Seat | None
    cards: tuple[Played, ...]


def may_follow(hand: Collection[Card], led: Card | None) -> list[Card]:
    """The cards of `hand` that may be played after `led`: its suit if the hand has any, else all of them."""
    if led is None:
        return list(hand)
    wanted = suit(led)
    same = [card for card in hand if card[1] == wanted]
    return same or list(hand)


def check_follow(hand: Collection[Card], card: Card, led: Card | None) -> None:
    """Refuse a card that `may_follow` does not give: `not-in-hand`, `must-follow-suit`."""
    if card not in hand:
        raise RuleViolation("not-in-hand", card=card)
    if led is None or suit(card) == suit(led):
        return
    if card not in may_follow(hand, led):
        raise RuleViolation("must-follow-suit", card=card)


@lru_cache(maxsize=128)
def by_suit(order: str, led: str, trump: str | None = None) -> Callable[[Card], int]:
    """Strength under suit rules: trumps above the suit led above all else. `order` lists ranks, low to high.

    A look-up among all cards of these ranks, made once.
    """

    def strength(height: int, of: str) -> int:
        if of == trump:
            return height + 2 * len(order)
        return height + len(order) if of == led else height - len(order)

    return {rank + of: strength(height, of) for of in SUITS for height, rank in enumerate(order, start=1)}.__getitem__


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


def seen_hands(hands: Mapping[Seat, tuple[Card, ...]], viewer: Seat | None) -> dict[Seat, tuple[Card, ...] | int]:
    """The hands as one viewer sees them: its own written out, of every other its number of cards."""
    return {seat: cards if seat == viewer else len(cards) for seat, cards in hands.items()}


def laid(trick: Iterable[Played]) -> tuple[Laid, ...]:
    """A trick without a joker as views show it."""
    return tuple([Laid(seat=seat, card=card) for seat, card in trick])


def taken_by_seat(taken: Iterable[Taken], seats: int) -> dict[Seat, tuple[tuple[Played, ...], ...]]:
    """The tricks that lie before each seat, first taken first."""
    before: dict[Seat, list[tuple[Played, ...]]] = {seat: [] for seat in range(seats)}
    for seat, cards in taken:
        before[seat].append(cards)
    return {seat: tuple(tricks) for seat, tricks in before.items()}
