"""What a seat, or a spectator, may see of a game of Plie (plie.md, Who may see what).

Both `view` and `redact` are allow-lists: built from nothing up, a hand is written out for its own seat alone.
`legal_actions` asks the view alone, and the same predicates as `decide`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from games.rules import bidding
from games.rules.bidding import Bid
from games.rules.cards import Card
from games.rules.lifecycle import Event, plain
from games.rules.plie.actions import Action
from games.rules.plie.deals import deals
from games.rules.plie.decide import barred_bid
from games.rules.plie.events import HandsDealt, TurnedFrom
from games.rules.plie.state import Phase, State
from games.rules.seats import Seat
from games.rules.tricks import Laid, Play, Played, laid, may_follow, seen_hands, taken_by_seat


class View(msgspec.Struct, frozen=True, kw_only=True):
    """Maps have the seats as keys; a hand that is not the viewer's own is its number of cards.

    `trick` holds what was played so far, `taken` the tricks that each seat took in this deal, first to last.
    """

    seat: Seat | None
    phase: Phase
    to_act: Seat | None
    hook: bool
    deal: int
    deals: int
    cards: int
    dealer: Seat | None
    turned: Card | None
    turned_from: TurnedFrom | None
    hands: dict[Seat, tuple[Card, ...] | int]
    bids: dict[Seat, int]
    tricks: dict[Seat, int]
    trick: tuple[Laid, ...]
    taken: dict[Seat, tuple[tuple[Played, ...], ...]]
    totals: dict[Seat, int]

    @property
    def played(self) -> tuple[Played, ...]:
        """The present trick in the form in which tricks are taken."""
        return tuple((laid.seat, laid.card) for laid in self.trick)


def view(state: State, seat: Seat | None) -> View:
    """What this viewer knows."""
    return View(
        seat=seat,
        phase=state.phase,
        to_act=state.turn,
        hook=state.options.hook,
        deal=state.deal,
        deals=deals(state.seats),
        cards=state.cards,
        dealer=state.dealer,
        turned=state.turned,
        turned_from=state.turned_from,
        hands=seen_hands(dict(enumerate(state.hands)), seat),
        bids=dict(sorted(state.bids.items())),
        tricks=dict(enumerate(state.tricks)),
        trick=laid(state.trick),
        taken=taken_by_seat(state.taken, state.seats),
        totals=dict(enumerate(state.totals)),
    )


def redact(event: Event, seat: Seat | None) -> dict[str, Any]:
    """An event's data for this viewer; everything but the hands is public."""
    data = plain(event)
    if isinstance(event, HandsDealt):
        data["hands"] = {o: cards if o == str(seat) else len(cards) for o, cards in data["hands"].items()}
    return data


def legal_actions(view: View) -> tuple[Action, ...]:
    """Every action that the view's seat may take now."""
    if view.seat is None or view.seat != view.to_act:
        return ()
    if view.phase == "bidding":
        barred = barred_bid(hook=view.hook, bids=view.bids, seats=len(view.totals), cards=view.cards)
        return tuple(Bid(tricks=tricks) for tricks in bidding.possible(view.cards, barred))
    led = view.trick[0].card if view.trick else None
    return tuple(Play(card=card) for card in may_follow(own_hand(view), led))


def own_hand(view: View) -> tuple[Card, ...]:
    """The viewer's own cards."""
    assert view.seat is not None, "a spectator has no hand"
    hand = view.hands[view.seat]
    assert not isinstance(hand, int), "one's own hand is written out"
    return hand
