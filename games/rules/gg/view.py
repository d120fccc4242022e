"""What one viewer knows of a game of GG, and what its seat may do with that.

Here: the shape of a view, and all that follows from a view alone. Not here: how a view comes out of a state
(sight.py). Bots and `legal_actions` work with nothing else.
"""

from __future__ import annotations

import msgspec

from games.rules import bidding
from games.rules.bidding import Bid
from games.rules.cards import JOKER, Card, pack
from games.rules.gg.actions import Action, Play
from games.rules.gg.options import Options
from games.rules.gg.strength import HIGHEST
from games.rules.gg.terms import Stage
from games.rules.seats import Seat
from games.rules.tricks import Laid, Played

JOKER_NAMES = tuple(card for card in pack() if card != HIGHEST)


class LastTrick(msgspec.Struct, frozen=True, kw_only=True):
    """The last complete trick of this deal: who took it, if anybody, and its cards in the order played."""

    seat: Seat | None
    cards: tuple[Played, ...]


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The game as one seat, or a spectator (`seat` null), sees it. Maps are keyed by seat."""

    seat: Seat | None
    phase: Stage
    to_act: Seat | None
    deal: int  # counted from 1; 0 before the first
    cards: int  # per seat at the beginning of the deal
    starter: Seat
    lives: dict[Seat, int]  # of all seats
    out: tuple[Seat, ...]  # seats without lives
    hands: dict[Seat, tuple[Card, ...] | int]  # of the seats in the deal: cards that the viewer sees, else their number
    bids: dict[Seat, int]  # made in this deal
    tricks: dict[Seat, int]  # taken in this deal
    leader: Seat  # who leads the present trick
    trick: tuple[Laid, ...]  # on the table, in the order played
    last_trick: LastTrick | None
    shown: tuple[Card, ...]  # every card played or revealed in this deal
    options: Options

    @property
    def hand(self) -> tuple[Card, ...]:
        """The viewer's own cards as far as it sees them."""
        cards = self.hands.get(self.seat, ()) if self.seat is not None else ()
        return () if isinstance(cards, int) else cards

    @property
    def barred(self) -> int | None:
        """The number that the next to bid may not choose; none in the deal of one card (gg.md, Bids)."""
        if self.cards == 1:
            return None
        return bidding.barred(self.bids.values(), len(self.hands), self.cards)


def legal_actions(view: View) -> tuple[Action, ...]:
    """A bid per number, a play per card; the joker once, with its name left out (api.md, Games)."""
    if view.seat is None or view.seat != view.to_act:
        return ()
    if view.phase == "bidding":
        return tuple(Bid(tricks=tricks) for tricks in bidding.possible(view.cards, view.barred))
    return tuple(Play(card=card) for card in view.hand)


def completions(action: Action) -> tuple[Action, ...]:
    """The joker with every name that it may have; every other action is complete."""
    if isinstance(action, Play) and action.card == JOKER and action.named is None:
        return tuple(Play(card=JOKER, named=name) for name in JOKER_NAMES)
    return (action,)
