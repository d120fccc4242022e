"""From results to places. Shared by every ruleset; what a result is worth stays with each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.rules.lifecycle import Place


def ranked(scores: Sequence[int], merits: Sequence[Any]) -> tuple[Place, ...]:
    """Every seat's place, seats in order: the greater its merit the better; equals share one and the next is skipped.

    rules/README.md, Standing. `merits` holds anything that compares: a negative total where fewest points win.
    """
    return tuple(
        Place(seat=seat, place=1 + sum(other > merit for other in merits), score=score)
        for seat, (score, merit) in enumerate(zip(scores, merits, strict=True))
    )
