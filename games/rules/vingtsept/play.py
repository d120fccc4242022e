"""The action of playing an Atout. It stands apart from the other actions because every Atout is written against it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from games.rules.ruleset import Choice
from games.rules.seats import Seat

AtoutKey = Annotated[str, msgspec.Meta(description="Key of an Atout, as listed with the ruleset", examples=["gel"])]

Parameter = Literal["slot", "target", "target_slot", "delta"]
PARAMETERS: tuple[Parameter, ...] = ("slot", "target", "target_slot", "delta")

SLOTS = (0, 1)  # the two visible cards
DELTAS = (-2, -1, 1, 2)


class Play(Choice, tag="atout", frozen=True, kw_only=True, omit_defaults=True):
    """Play an Atout with the parameters that it has (vingtsept.md, The 17 Atouts)."""

    atout: AtoutKey
    slot: int | None = None
    target: Seat | None = None
    target_slot: int | None = None
    delta: int | None = None
