"""The rating model, chosen by measurement (`compare_rating_models`, README, Decisions), and how ratings are shown.

Must live here: the numbers of the scale. Invariant: pure, and a function of who came where alone, never of seats:
sides are put in the order of their players' ids, since the last bit of a sum depends on its order.
"""

from __future__ import annotations

from collections.abc import Mapping

from openskill.models import BradleyTerryFull

from rankings.ratings.contenders import START, OpenSkill, Skill
from rankings.ratings.results import Result

SIGMA = 200.0  # a newcomer's
PROVISIONAL = 120.0  # deviations above it: some 25 games of two, 8 of four

MODEL = OpenSkill("Bradley-Terry full", BradleyTerryFull, sigma=SIGMA)
NEWCOMER = Skill(START, SIGMA)


def rated(result: Result, skills: Mapping[str, Skill]) -> dict[str, Skill]:
    """What everybody's skill is after this result; who is missing from `skills` is a newcomer."""
    sides = sorted(result.sides, key=lambda side: sorted(side.players))
    players = [sorted(side.players) for side in sides]
    before = [[skills.get(player, NEWCOMER) for player in side] for side in players]
    after = MODEL.rate(before, [side.place for side in sides])
    return {
        player: skill
        for side, rates in zip(players, after, strict=True)
        for player, skill in zip(side, rates, strict=True)
    }


def shown(mu: float) -> int:
    """A rating as people see it."""
    return round(mu)


def deviation(sigma: float) -> int:
    return round(sigma)


def provisional(sigma: float) -> bool:
    return sigma > PROVISIONAL
