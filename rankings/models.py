"""The app's tables, gathered for Django; each half keeps its own."""

from __future__ import annotations

from rankings.matchmaking.models import Block, Conduct, Lapse, Membership, Queue, Ticket
from rankings.ratings.models import Adjustment, Rating, RatingChange, RatingCount

__all__ = [
    "Adjustment",
    "Block",
    "Conduct",
    "Lapse",
    "Membership",
    "Queue",
    "Rating",
    "RatingChange",
    "RatingCount",
    "Ticket",
]
