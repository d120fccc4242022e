"""What the host of a GG game may choose (gg.md, Options)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from games.rules.cards import Card, pack
from games.rules.wire import read

DEAL_LIMIT = 200  # gg.md, Decision 7: a game must end


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    lives: Annotated[int, msgspec.Meta(ge=1, le=7)] = 5
    manilha: bool = False
    joker: bool = False
    cut: bool = False
    quick: bool = False
    sudden_death: bool = False
    move_seconds: Annotated[int, msgspec.Meta(ge=5, le=120)] = 30

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards of the game; deals of one card leave the joker out."""
        return pack(joker=self.joker)

    def pack_for(self, cards: int) -> tuple[Card, ...]:
        """The pack of a deal of so many cards each (gg.md, Deal of one card)."""
        return pack(joker=self.joker and cards > 1)

    def cards_in(self, deal: int) -> int:
        """Cards per seat in a deal, counted from 1: down from the most to 1 and up again (gg.md, Deals)."""
        most = 3 if self.quick else 5
        return abs(most - 1 - (deal - 1) % (2 * most - 2)) + 1


def complete(given: Mapping[str, Any]) -> Options:
    """Options with the defaults filled in; sudden death overrules the lives (gg.md, Decision 5). Raises Invalid."""
    options: Options = read(given, Options)
    return msgspec.structs.replace(options, lives=1) if options.sudden_death else options
