"""All that a game of GG remembers. Tuples with one entry per seat unless said otherwise; nothing is ever changed."""

from __future__ import annotations

import msgspec

from games.rules.cards import Card
from games.rules.gg.options import DEAL_LIMIT, Options
from games.rules.gg.terms import Stage
from games.rules.seats import Seat
from games.rules.tricks import Laid, TrickTaken


class State(msgspec.Struct, frozen=True, kw_only=True, gc=False):  # nothing in it refers back to it
    options: Options
    lives: tuple[int, ...]
    out_in: tuple[int | None, ...]  # the deal in which a seat went out
    stage: Stage = "dealing"
    turn: Seat | None = None  # whose it is to bid or play
    moves: int = 0  # bids and plays so far
    deal: int = 0
    cards: int = 0  # per hand at the beginning of the deal
    starter: Seat = 0
    leader: Seat = 0  # who led the present trick
    order: tuple[Seat, ...] = ()  # the seats in the deal, clockwise from the starter
    hands: tuple[tuple[Card, ...], ...] = ()
    bids: tuple[int | None, ...] = ()
    tricks: tuple[int, ...] = ()
    trick: tuple[Laid, ...] = ()  # in the order played
    last_trick: TrickTaken | None = None  # of this deal
    shown: tuple[Card, ...] = ()  # every card played or revealed in this deal, in order

    @property
    def seats(self) -> int:
        return len(self.lives)

    @property
    def alive(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, lives in enumerate(self.lives) if lives > 0)

    @property
    def made_bids(self) -> dict[Seat, int]:
        return {seat: bid for seat in sorted(self.order) if (bid := self.bids[seat]) is not None}

    @property
    def taken(self) -> dict[Seat, int]:
        """Tricks of the seats in the deal."""
        return {seat: self.tricks[seat] for seat in sorted(self.order)}


def initial(options: Options, seats: int) -> State:
    """Everybody has its lives, nothing is drawn yet."""
    return State(options=options, lives=(options.lives,) * seats, out_in=(None,) * seats)


def is_over(deal: int, alive: int) -> bool:
    """Whether a scored deal was the last: one seat is left, or the limit is reached (gg.md, End; Decision 7)."""
    return alive == 1 or deal >= DEAL_LIMIT
