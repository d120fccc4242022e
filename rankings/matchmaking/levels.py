"""How strong players count for the matcher: their rating, less its deviation while that is provisional."""

from __future__ import annotations

from collections.abc import Iterable

from games.store.connection import read
from rankings.ratings.scale import NEWCOMER, provisional


def levels(rules: str, player_ids: Iterable[str]) -> dict[str, float]:
    """The level of each of these players in a ruleset."""
    ids = list(player_ids)
    found = read(
        "SELECT player_id::text, mu, sigma FROM rankings_rating WHERE rules = %s AND player_id = ANY(%s::uuid[])",
        [rules, ids],
    )
    rated = {player_id: _level(mu, sigma) for player_id, mu, sigma in found}
    return {player_id: rated.get(player_id, _level(NEWCOMER.mu, NEWCOMER.sigma)) for player_id in ids}


def _level(mu: float, sigma: float) -> float:
    return mu - sigma if provisional(sigma) else mu
