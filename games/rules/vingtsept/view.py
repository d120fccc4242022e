"""What a seat, or a spectator, may see of a position (vingtsept.md, Who may see what). An allow-list from nothing up.

Invariant: of the state's hidden cards, Atout hands, offers and pile only what this viewer may see is ever read here;
of the rest, only numbers.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from games.rules.cards import Card
from games.rules.moments import rfc3339
from games.rules.seats import Seat
from games.rules.vingtsept.cards import Laid
from games.rules.vingtsept.events import RoundScored
from games.rules.vingtsept.play import AtoutKey
from games.rules.vingtsept.state import TEAMS, Holding, Phase, State


class CardView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card; `value` stands beside it where it does not count what it shows (miroir)."""

    card: Card
    value: int | None = None


class SeatView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`hidden` and `total` are left out for whoever may not see the hidden card; `atouts` is a number.

    `effects`: Atouts whose effect lies on the seat. `passes_left` is null under `random_reveal`. `out_round`: the
    round in which the seat went out.
    """

    seat: Seat
    hp: int
    out_round: int | None
    visible: tuple[CardView, ...]
    hidden: CardView | None = None
    total: int | None = None
    adjustment: int
    passes_left: int | None
    effects: tuple[AtoutKey, ...]
    atouts: int
    picks_left: int


class View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`seat` is the viewer's own; `atouts` and `offers` are its own too. The pile is a number, discards end on top."""

    seat: Seat | None
    phase: Phase
    round: int
    starter: Seat
    dealt_at: str | None
    threshold: int
    teams: bool
    random_reveal: bool
    to_act: tuple[Seat, ...]
    effects: tuple[AtoutKey, ...]
    seats: tuple[SeatView, ...]
    pile: int
    discards: tuple[Card, ...]
    drawn: tuple[Card, ...]
    atouts: tuple[AtoutKey, ...]
    offers: tuple[AtoutKey, ...]
    last_round: RoundScored | None

    def mate(self, seat: Seat) -> Seat | None:
        return (seat + TEAMS) % len(self.seats) if self.teams else None

    # What Atouts may ask (atouts/atout.py, Board).

    def opponents(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats still in that are not team-mates."""
        own = {seat, self.mate(seat)}
        return tuple(other.seat for other in self.seats if other.out_round is None and other.seat not in own)

    def held(self, seat: Seat) -> int:
        return self.seats[seat].atouts

    @property
    def has_discard(self) -> bool:
        return bool(self.discards)

    @property
    def round_effects(self) -> Collection[AtoutKey]:
        return self.effects


def view(state: State, viewer: Seat | None) -> View:
    """All that this viewer knows, its own choices included."""
    own = state.holdings[viewer] if viewer is not None else None
    return View(
        seat=viewer,
        phase=state.phase,
        round=state.round,
        starter=state.starter,
        dealt_at=rfc3339(state.dealt_at) if state.dealt_at else None,
        threshold=state.threshold,
        teams=state.options.teams,
        random_reveal=state.options.random_reveal,
        to_act=state.to_act,
        effects=tuple(sorted(state.effects)) if state.effects else (),
        seats=tuple([_seat(state, seat, viewer) for seat in range(state.seats)]),
        pile=len(state.pile),
        discards=state.discards,
        drawn=state.drawn,
        atouts=own.atouts if own else (),
        offers=own.offers if own else (),
        last_round=state.last_round,
    )


def _seat(state: State, seat: Seat, viewer: Seat | None) -> SeatView:
    holding = state.holdings[seat]
    sees = may_see_hidden(holding, seat, viewer)
    return SeatView(
        seat=seat,
        hp=holding.hp,
        out_round=holding.out_round,
        visible=tuple([_card(laid) for laid in holding.visible]),
        hidden=_card(holding.hidden) if sees and holding.hidden else None,
        total=holding.total if sees and holding.hidden else None,
        adjustment=holding.adjustment,
        passes_left=None if state.options.random_reveal else holding.passes_left,
        effects=tuple(sorted(holding.effects)) if holding.effects else (),
        atouts=len(holding.atouts),
        picks_left=holding.picks_left,
    )


def may_see_hidden(holding: Holding, seat: Seat, viewer: Seat | None) -> bool:
    """Its own seat; whoever used `voyance` on that card; all after `projecteur` and at the Reveal."""
    return holding.shown or (viewer is not None and (viewer == seat or viewer in holding.seen_by))


def _card(laid: Laid) -> CardView:
    return CardView(card=laid.card, value=laid.mirrored)
