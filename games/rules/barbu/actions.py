"""What a seat can send in Barbu (barbu.md, Actions)."""

from __future__ import annotations

from games.rules.barbu.options import Contract
from games.rules.ruleset import Choice
from games.rules.tricks import Play


class Shuffle(Choice, frozen=True, kw_only=True, tag="shuffle"):
    """The declarer shuffles the pack, or leaves it as it lies."""

    shuffle: bool


class Cut(Choice, frozen=True, kw_only=True, tag="cut"):
    """The top `at` cards go under the rest."""

    at: int


class Deal(Choice, frozen=True, kw_only=True, tag="deal"):
    """Deal one or two cards at a time."""

    by: int


class Declare(Choice, frozen=True, kw_only=True, tag="declare"):
    contract: Contract


class Pass(Choice, frozen=True, kw_only=True, tag="pass"):
    """Pass in the patience, or lay no further card after an ace."""


Action = Shuffle | Cut | Deal | Declare | Play | Pass
