"""What a benchmark answers: one row for each figure, with the target it is held against and its baseline's name."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Literal

import msgspec


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One figure.

    `value` is the median of the runs in `unit`, `spread` their least and greatest. `better` says which way is good.
    `ratio` is value ÷ the baseline's value of the same minute; where `baseline` is given and `ratio` is not, the
    baseline could not be run, and `note` says why.
    """

    figure: str
    value: float
    unit: str
    spread: tuple[float, float]
    target: float | None = None
    better: Literal["more", "less"] = "more"
    baseline: str | None = None
    ratio: float | None = None
    note: str = ""


def middle(runs: Sequence[float]) -> tuple[float, tuple[float, float]]:
    """The median of the runs and their spread, as a row wants them."""
    return statistics.median(runs), (min(runs), max(runs))
