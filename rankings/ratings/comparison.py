"""Simulated populations of known skill, and how well each model finds them out.

Players' true skills are normal around 1500; at a table each performs with chance added, once as Gumbel's (the world of
Plackett-Luce and Elo) and once as normal (that of Thurstone); performances are rounded so that ties happen. All models
see the very same games. Pure: same seed, same numbers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

from rankings.ratings.contenders import ELO, START, Contender, Side, Skill, score

SPREAD = 250.0  # of true skill
GRID = 80.0  # performances are rounded to it: about one pair of equals in nine is a tie
CHECKPOINTS = (10, 30, 100)  # games of each player
CLOSEST = 1e-6  # no prediction is taken to be surer than this

Chance = Callable[[random.Random], float]


def gumbel(noise: random.Random) -> float:
    return -ELO * math.log(-math.log(1 - noise.random()))


def normal(noise: random.Random) -> float:
    return noise.gauss(0, ELO * math.pi / math.sqrt(6))  # as wide as Gumbel's


CHANCES: dict[str, Chance] = {"gumbel": gumbel, "normal": normal}


class Format(NamedTuple):
    """Sides at a table, and members of each."""

    name: str
    sides: int
    members: int = 1


FORMATS = (
    Format("2", 2), Format("3", 3), Format("4", 4), Format("6", 6), Format("8", 8), Format("2v2", 2, 2),
)  # fmt: skip


class Played(NamedTuple):
    """One table: the sides' players, and the sides' places."""

    sides: tuple[tuple[int, ...], ...]
    places: tuple[int, ...]


class Score(NamedTuple):
    """One model in one format. Correlations are of ranks (Spearman's) after so many games of each player."""

    log_loss: float
    brier: float
    correlations: tuple[float, ...]
    drift: float  # of the population's mean, in points, at the end


def compare(
    contenders: Sequence[Contender], form: Format, *, players: int, seed: int, chances: Sequence[str] = tuple(CHANCES)
) -> list[Score]:
    """Each contender's score in this format, averaged over the kinds of chance."""
    scores = []
    for contender in contenders:
        runs = [_run(contender, form, players, f"{seed}|{form.name}|{chance}", CHANCES[chance]) for chance in chances]
        scores.append(_mean(runs))
    return scores


def tables(form: Format, skills: Sequence[float], noise: random.Random, chance: Chance) -> Iterator[Played]:
    """One round: every player sits once, with whomever chance brings."""
    order = list(range(len(skills)))
    noise.shuffle(order)
    size = form.sides * form.members
    for first in range(0, len(order) - size + 1, size):
        seats = order[first : first + size]
        sides = tuple(tuple(seats[place :: form.sides]) for place in range(form.sides))
        shown = [round(math.fsum(skills[p] + chance(noise) for p in side) / GRID) for side in sides]
        yield Played(sides, tuple(1 + sum(other > own for other in shown) for own in shown))


def _run(contender: Contender, form: Format, players: int, seed: str, chance: Chance) -> Score:
    noise = random.Random(seed)  # noqa: S311  (a simulation)
    players -= players % (form.sides * form.members)
    skills = [noise.gauss(START, SPREAD) for _ in range(players)]
    beliefs = [contender.newcomer] * players
    losses: list[float] = []
    squares: list[float] = []
    correlations = []
    for done in range(1, max(CHECKPOINTS) + 1):
        for played in tables(form, skills, noise, chance):
            sides = [[beliefs[player] for player in side] for side in played.sides]
            _judge(contender, sides, played.places, losses, squares)
            for side, rated in zip(played.sides, contender.rate(sides, played.places), strict=True):
                for player, belief in zip(side, rated, strict=True):
                    beliefs[player] = belief
        if done in CHECKPOINTS:
            correlations.append(spearman(skills, [belief.mu for belief in beliefs]))
    return Score(fmean(losses), fmean(squares), tuple(correlations), _drift(beliefs))


def _judge(
    contender: Contender, sides: Sequence[Side], places: Sequence[int], losses: list[float], squares: list[float]
) -> None:
    for one, other in combinations(range(len(sides)), 2):
        came = score(places[one], places[other])
        expected = min(max(contender.expect(sides, one, other), CLOSEST), 1 - CLOSEST)
        losses.append(-came * math.log(expected) - (1 - came) * math.log(1 - expected))
        squares.append((came - expected) ** 2)


def _drift(beliefs: Sequence[Skill]) -> float:
    return fmean(belief.mu for belief in beliefs) - START


def _mean(scores: Sequence[Score]) -> Score:
    return Score(
        fmean(each.log_loss for each in scores),
        fmean(each.brier for each in scores),
        tuple(fmean(values) for values in zip(*(each.correlations for each in scores), strict=True)),
        fmean(each.drift for each in scores),
    )


def spearman(left: Sequence[float], right: Sequence[float]) -> float:
    """Rank correlation; equal values share the mean of their ranks."""
    one, other = _ranks(left), _ranks(right)
    mean = (len(one) + 1) / 2
    above = math.fsum((a - mean) * (b - mean) for a, b in zip(one, other, strict=True))
    return above / math.sqrt(math.fsum((a - mean) ** 2 for a in one) * math.fsum((b - mean) ** 2 for b in other))


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for place in order[first : last + 1]:
            ranks[place] = (first + last) / 2 + 1
        first = last + 1
    return ranks
