"""All that is known of a running game of Plie, hidden cards included: never to be sent, only looked at by `view`."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.rules.cards import Card
from games.rules.plie.events import TurnedFrom
from games.rules.plie.options import Options
from games.rules.seats import Seat
from games.rules.tricks import Played, Taken

Phase = Literal["starting", "bidding", "tricks", "scored", "over"]


class State(msgspec.Struct, frozen=True, kw_only=True, gc=False):  # nothing in it refers back to it
    """Tuples are indexed by seat. `turn` is the seat that has to move, None within a move and when all is over."""

    seats: int
    options: Options
    phase: Phase = "starting"
    deal: int = 0
    cards: int = 0
    dealer: Seat | None = None
    hands: tuple[tuple[Card, ...], ...]
    turned: Card | None = None
    turned_from: TurnedFrom | None = None
    bids: dict[Seat, int] = {}
    tricks: tuple[int, ...]
    trick: tuple[Played, ...] = ()
    taken: tuple[Taken, ...] = ()
    totals: tuple[int, ...]
    turn: Seat | None = None
    moves: int = 0  # made so far; numbers the turns
