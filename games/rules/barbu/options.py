"""What a table may choose before a game of Barbu (barbu.md, Options)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Contract = Literal["king_of_hearts", "queens", "hearts", "tricks", "patience", "salad", "last_tricks"]
Always = Literal["king_of_hearts", "queens", "hearts"]
Direction = Literal["clockwise", "anticlockwise"]
Dealing = Literal["auto", "manual"]
Price = Annotated[int, msgspec.Meta(ge=0, le=200)]

CONTRACTS: tuple[Contract, ...] = (
    "king_of_hearts",
    "queens",
    "hearts",
    "tricks",
    "patience",
    "salad",
    "last_tricks",
)
ALWAYS: tuple[Always, ...] = ("king_of_hearts", "queens", "hearts")
_UNIQUE = {"uniqueItems": True}


class Values(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What each thing costs who takes it."""

    king_of_hearts: Price = 50
    queen_of_hearts: Price = 15
    other_queens: Price = 5
    heart: Price = 5
    trick: Price = 5
    last_trick: Price = 20


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    contracts: Annotated[tuple[Contract, ...], msgspec.Meta(min_length=1, extra_json_schema=_UNIQUE)] = CONTRACTS[:5]
    direction: Direction = "clockwise"
    dealing: Dealing = "auto"
    last_tricks: Literal[1, 2] = 1
    values: Values = Values()
    always: Annotated[tuple[Always, ...], msgspec.Meta(extra_json_schema=_UNIQUE)] = ()
    move_seconds: Annotated[int, msgspec.Meta(ge=5, le=120)] = 30

    @property
    def step(self) -> int:
        """From one seat to the next in the direction of play."""
        return 1 if self.direction == "clockwise" else -1
