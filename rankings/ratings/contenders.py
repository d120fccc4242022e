"""The models that were measured against each other: openskill's five, and plain pairwise Elo as the base line.

All stand on the Elo scale (`BETA`); what a newcomer's deviation should be, each has by itself: the one of 50, 75, 100,
150, 200 and 250 with which it predicted best, and K alike. Ratings are `Skill`s,
sides are lists of them, places count from 1 and equal ones are ties.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import NormalDist
from typing import Any, NamedTuple, Protocol

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

START = 1500.0
ELO = 400 / math.log(10)  # the logistic scale on which 400 points are odds of ten to one
BETA = ELO / math.sqrt(2)  # so that 400 points between two well known players are odds of ten to one
TAU = 3.0  # what a player may have changed from one game to the next

_normal = NormalDist()


class Skill(NamedTuple):
    """What is believed of a player: the mean, and how far off it may be (one standard deviation)."""

    mu: float
    sigma: float


Side = Sequence[Skill]


class Contender(Protocol):
    """A way to rate: what it makes of a game's sides and places, and what it expects of two sides before."""

    name: str
    newcomer: Skill

    def rate(self, sides: Sequence[Side], places: Sequence[int]) -> list[list[Skill]]: ...
    def expect(self, sides: Sequence[Side], one: int, other: int) -> float: ...


class OpenSkill:
    """One of openskill's models with this service's scale."""

    def __init__(self, name: str, kind: Callable[..., Any], *, sigma: float) -> None:
        self.name = name
        self.newcomer = Skill(START, sigma)
        self.beta = BETA
        self.by_game = kind is PlackettLuce
        self.logistic = kind not in {ThurstoneMostellerFull, ThurstoneMostellerPart}
        self.model = kind(mu=START, sigma=sigma, beta=BETA, kappa=1e-4, tau=TAU)

    def rate(self, sides: Sequence[Side], places: Sequence[int]) -> list[list[Skill]]:
        given = [[self.model.rating(mu=each.mu, sigma=each.sigma) for each in side] for side in sides]
        rated = self.model.rate(given, ranks=[float(place) for place in places])
        return [[Skill(each.mu, each.sigma) for each in side] for side in rated]

    def expect(self, sides: Sequence[Side], one: int, other: int) -> float:
        """The probability, by the model's own curve, that side `one` comes before side `other` (ties as half)."""
        if self.by_game:  # Plackett-Luce has one scale for the whole game
            c = math.sqrt(sum(_variance(side) + self.beta**2 for side in sides))
        else:
            c = math.sqrt(_variance(sides[one]) + _variance(sides[other]) + 2 * self.beta**2)
        x = (_strength(sides[one]) - _strength(sides[other])) / c
        return 1 / (1 + math.exp(-x)) if self.logistic else _normal.cdf(x)


class PlainElo:
    """Every pair of sides as a game of its own, K shared out among the opponents; a side is its members' mean."""

    name = "pairwise Elo"
    newcomer = Skill(START, 0.0)

    def __init__(self, k: float) -> None:
        self.k = k

    def rate(self, sides: Sequence[Side], places: Sequence[int]) -> list[list[Skill]]:
        gains = [0.0] * len(sides)
        for one, other in combinations(range(len(sides)), 2):
            surprise = score(places[one], places[other]) - self.expect(sides, one, other)
            gains[one] += surprise
            gains[other] -= surprise
        share = self.k / (len(sides) - 1)
        return [[Skill(each.mu + share * gain, 0.0) for each in side] for side, gain in zip(sides, gains, strict=True)]

    def expect(self, sides: Sequence[Side], one: int, other: int) -> float:
        gap = _strength(sides[one]) / len(sides[one]) - _strength(sides[other]) / len(sides[other])
        return 1 / (1 + math.exp(-gap / ELO))


def score(place: int, other: int) -> float:
    """What a side has of a pair: 1, 0, or half of it each."""
    return 0.5 if place == other else float(place < other)


def _strength(side: Side) -> float:
    return math.fsum(each.mu for each in side)


def _variance(side: Side) -> float:
    return math.fsum(each.sigma**2 for each in side)


CONTENDERS: tuple[Contender, ...] = (
    OpenSkill("Plackett-Luce", PlackettLuce, sigma=250),
    OpenSkill("Bradley-Terry full", BradleyTerryFull, sigma=200),
    OpenSkill("Bradley-Terry part", BradleyTerryPart, sigma=250),
    OpenSkill("Thurstone-Mosteller full", ThurstoneMostellerFull, sigma=75),
    OpenSkill("Thurstone-Mosteller part", ThurstoneMostellerPart, sigma=75),
    PlainElo(64),
)
