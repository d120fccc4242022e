"""The app's tables, gathered for Django; each half keeps its own."""

from __future__ import annotations

from rankings.ratings.models import Adjustment, Rating, RatingChange, RatingCount

__all__ = ["Adjustment", "Rating", "RatingChange", "RatingCount"]
