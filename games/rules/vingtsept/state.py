"""Where a game of 27 stands. Must not: decide anything; who wins and what an Atout does live with those rules.

Invariant: the cards of the round's pack lie in exactly one place each: pile, discards, drawn, or before a seat. A
hidden card from a Decision's separate pack is marked `separate` and belongs to no round.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from games.rules.cards import Card
from games.rules.seats import Seat, put
from games.rules.vingtsept.cards import NINE, Laid
from games.rules.vingtsept.events import RoundScored
from games.rules.vingtsept.options import Options
from games.rules.vingtsept.play import AtoutKey

START_HP = 30
PASSES = 3
HAND_LIMIT = 9
REWARD_PICKS = 3
LAST_ROUND = 60  # Decision 27
TEAMS = 2

Phase = Literal["start", "picking", "turn", "placing", "double-placing", "scored", "reward", "over"]


class Holding(msgspec.Struct, frozen=True, kw_only=True, gc=False):  # nothing in it refers back to it
    """What one seat has. Atouts stand in the order in which they arrived."""

    hp: int = START_HP
    out_round: int | None = None  # the round in which the seat went out
    atouts: tuple[AtoutKey, ...] = ()
    offers: tuple[AtoutKey, ...] = ()
    picks_left: int = 0
    turn: int = 0  # counts what the seat was ever asked to do, so that each task has its own clock

    # This round's: empty for a seat that is out.
    visible: tuple[Laid, ...] = ()
    hidden: Laid | None = None
    separate: bool = False  # the hidden card comes from a Decision
    shown: bool = False  # everybody sees the hidden card
    seen_by: frozenset[Seat] = frozenset()  # those who see it besides (voyance)
    sighted: frozenset[Card] = frozenset()  # cards of the pack that this seat has seen apart from the public ones
    adjustment: int = 0
    passes_left: int = PASSES
    effects: frozenset[AtoutKey] = frozenset()  # Atouts whose effect lies on the seat

    @property
    def still_in(self) -> bool:
        return self.out_round is None

    @property
    def laid(self) -> tuple[Laid, ...]:
        """All its cards, the hidden one last."""
        return self.visible if self.hidden is None else (*self.visible, self.hidden)

    @property
    def total(self) -> int:
        """The three values plus adjustments (vingtsept.md, Round)."""
        return sum([laid.value for laid in self.laid]) + self.adjustment

    @property
    def three_nines(self) -> bool:
        """Whether the seat is in the round and all its cards count 9."""
        hidden = self.hidden
        return hidden is not None and hidden.value == NINE and all(laid.value == NINE for laid in self.visible)


class State(msgspec.Struct, frozen=True, kw_only=True, gc=False):  # nothing in it refers back to it
    options: Options
    phase: Phase = "start"
    round: int = 0
    starter: Seat = 0
    dealt_at: datetime | None = None
    threshold: int = 0
    effects: frozenset[AtoutKey] = frozenset()  # Atouts whose effect lies on the whole round
    holdings: tuple[Holding, ...]
    pile: tuple[Card, ...] = ()  # from the top
    discards: tuple[Card, ...] = ()  # from the bottom
    drawn: tuple[Card, ...] = ()
    turn: Seat = 0
    passed: frozenset[Seat] = frozenset()  # since anybody's last draw or Atout (Decision 11)
    cycles: int = 0  # full cycles of turns (Decision 21)
    sighted: frozenset[Card] = frozenset()  # cards of the pack that everybody has seen since the deal
    last_round: RoundScored | None = None

    @property
    def seats(self) -> int:
        return len(self.holdings)

    @property
    def still_in(self) -> tuple[Seat, ...]:
        return tuple([seat for seat, holding in enumerate(self.holdings) if holding.out_round is None])

    @property
    def in_round(self) -> tuple[Seat, ...]:
        """The seats of the present round, those that it took out included."""
        return tuple([seat for seat, holding in enumerate(self.holdings) if holding.hidden is not None])

    @property
    def to_act(self) -> tuple[Seat, ...]:
        if self.phase in ("turn", "placing", "double-placing"):
            return (self.turn,)
        if self.phase in ("picking", "reward"):
            return tuple([seat for seat, holding in enumerate(self.holdings) if holding.picks_left])
        return ()

    def next_in(self, seat: Seat) -> Seat:
        """The next seat still in, clockwise; `seat` itself only if it is the last one left."""
        other = (seat + 1) % len(self.holdings)
        while self.holdings[other].out_round is not None and other != seat:
            other = (other + 1) % len(self.holdings)
        return other

    def side(self, seat: Seat) -> int:
        """Whom the seat plays for: its team, or itself."""
        return seat % TEAMS if self.options.teams else seat

    def mate(self, seat: Seat) -> Seat | None:
        return (seat + TEAMS) % self.seats if self.options.teams else None

    # What Atouts may ask (atouts/atout.py, Board).

    def opponents(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats still in that are not team-mates."""
        side = self.side(seat)
        return tuple(other for other in self.still_in if self.side(other) != side)

    def held(self, seat: Seat) -> int:
        return len(self.holdings[seat].atouts)

    @property
    def has_discard(self) -> bool:
        return bool(self.discards)

    @property
    def round_effects(self) -> frozenset[AtoutKey]:
        return self.effects

    # How evolve makes the next state.

    def altered(self, **changes: Any) -> State:
        return replace(self, **changes)

    def with_seat(self, seat: Seat, **changes: Any) -> State:
        """The state with one seat's holding changed."""
        return replace(self, holdings=put(self.holdings, seat, replace(self.holdings[seat], **changes)))

    def with_effect(self, seat: Seat, key: AtoutKey) -> State:
        """The effect of that Atout lies on the seat; nothing stacks (Decision 13)."""
        return self.with_seat(seat, effects=self.holdings[seat].effects | {key})

    def with_visible(self, seat: Seat, slot: int, laid: Laid) -> State:
        """The seat with another visible card; where the old one goes is the caller's affair."""
        return self.with_seat(seat, visible=put(self.holdings[seat].visible, slot, laid))

    def with_hidden(self, seat: Seat, laid: Laid) -> State:
        """The seat with another hidden card, which nobody else sees any more (Decision 22)."""
        return self.with_seat(seat, hidden=laid, shown=False, seen_by=frozenset())

    def cards(self) -> Iterator[Card]:
        """Every card of the round's pack, wherever it lies."""
        yield from self.pile
        yield from self.discards
        yield from self.drawn
        for holding in self.holdings:
            yield from (laid.card for laid in holding.visible)
            if holding.hidden is not None and not holding.separate:
                yield holding.hidden.card


def initial(options: Options, seats: int) -> State:
    """Before the first event of the rules."""
    return State(options=options, threshold=options.objective, holdings=(Holding(),) * seats)


def without(hand: tuple[AtoutKey, ...], key: AtoutKey, place: int | None = None) -> tuple[AtoutKey, ...]:
    """The hand less one such Atout: the one that arrived first, or the one at that place."""
    index = hand.index(key) if place is None else place
    return hand[:index] + hand[index + 1 :]
