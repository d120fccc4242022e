"""The pack of 27 and what its cards count (rules/README.md, Shared vocabulary): ace 1, ten 10, jack 11 … king 13."""

from __future__ import annotations

import msgspec

from games.rules.cards import Card, pack

PACK: tuple[Card, ...] = pack()
VALUES: dict[Card, int] = {card: "A23456789TJQK".index(card[0]) + 1 for card in PACK}

NINE = 9


class Laid(msgspec.Struct, frozen=True, gc=False):
    """A card that lies before a seat. `mirrored` is its value where that is not its own (Decision 14)."""

    card: Card
    mirrored: int | None = None

    @property
    def value(self) -> int:
        return VALUES[self.card] if self.mirrored is None else self.mirrored

    def worth(self, value: int) -> Laid:
        """The same card with another value."""
        return Laid(self.card, None if value == VALUES[self.card] else value)
