"""All that is known of a running game of Barbu, hidden cards included: never to be sent, only looked at by `view`."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.rules.barbu.options import Contract, Options
from games.rules.cards import Card
from games.rules.seats import Seat
from games.rules.tricks import Played, Taken

Phase = Literal[
    "starting",
    "shuffling",
    "cutting",
    "dealing",
    "declaring",
    "tricks",
    "patience",
    "extra",  # the patience, after an ace: another card may be laid
    "scored",
    "over",
]


class State(msgspec.Struct, frozen=True, kw_only=True, gc=False):  # nothing in it refers back to it
    """Tuples of hands, lists and totals are indexed by seat. `turn` is the seat that has to move, None if none has.

    The cards of a deal stay where they are after its scoring, until the next pack is dealt or, by hand, shuffled or
    not; `pack` is only there between this and the deal.
    """

    seats: int
    options: Options
    phase: Phase = "starting"
    deal: int = 0
    declarer: Seat | None = None
    lists: tuple[tuple[Contract, ...], ...]  # the contracts left
    contract: Contract | None = None
    pack: tuple[Card, ...] = ()
    cut: int | None = None
    by: int | None = None
    hands: tuple[tuple[Card, ...], ...]
    trick: tuple[Played, ...] = ()
    taken: tuple[Taken, ...] = ()
    laid: tuple[Card, ...] = ()
    out: tuple[Seat, ...] = ()
    totals: tuple[int, ...]
    turn: Seat | None = None
    moves: int = 0  # made so far; numbers the turns

    @property
    def deals(self) -> int:
        """The number of deals of the whole game."""
        return self.seats * len(self.options.contracts)

    def after(self, seat: Seat) -> Seat:
        """The next seat in the direction of play."""
        return (seat + self.options.step) % self.seats

    def before(self, seat: Seat) -> Seat:
        """The seat before, against the direction of play."""
        return (seat - self.options.step) % self.seats
