"""Bids of a number of tricks, made in turn and public at once. Shared by every ruleset that has them.

Here: the action, its event, and which numbers may be bid. Not here: whose turn it is, what a bid is worth.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from games.rules.errors import RuleViolation
from games.rules.lifecycle import Event
from games.rules.ruleset import Choice
from games.rules.seats import Seat


class Bid(Choice, frozen=True, kw_only=True, tag="bid"):
    """Announce how many tricks one will take."""

    tricks: int


class BidMade(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "bid_made"
    seat: Seat
    tricks: int


def barred(made: Collection[int], bidders: int, cards: int) -> int | None:
    """The number that the last of the bidders may not bid, as all bids would add up to `cards`; None for the others."""
    left = cards - sum(made)
    return left if len(made) == bidders - 1 and left >= 0 else None


def possible(cards: int, barred: int | None) -> list[int]:
    """Every number that may be bid, lowest first."""
    return [tricks for tricks in range(cards + 1) if tricks != barred]


def check(tricks: int, cards: int, barred: int | None) -> None:
    """Refuse a number that is not `possible`: `bid-range`, `bid-forbidden`."""
    if not 0 <= tricks <= cards:
        raise RuleViolation("bid-range", least=0, most=cards)
    if tricks == barred:
        raise RuleViolation("bid-forbidden", tricks=tricks)
