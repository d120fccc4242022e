"""What state and view both speak of. Nothing here knows either of them."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.rules.cards import Card
from games.rules.seats import Seat

Stage = Literal["dealing", "bidding", "tricks", "over"]


class Laid(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card on the table; `named` (`as` on the wire) is what a joker stands for."""

    seat: Seat
    card: Card
    named: Card | None = msgspec.field(default=None, name="as")

    @property
    def counts_as(self) -> Card:
        return self.named or self.card
