"""The state after an event of Plie. Never refuses: what is written has happened."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from games.rules.bidding import BidMade
from games.rules.cards import without
from games.rules.lifecycle import Event
from games.rules.plie.deals import deals
from games.rules.plie.events import DealerDrawn, DealScored, HandsDealt
from games.rules.plie.state import State
from games.rules.seats import ANTICLOCKWISE, Seat, put
from games.rules.tricks import CardPlayed, TrickTaken


def evolve(state: State, event: Event) -> State:
    """The state after one of this ruleset's events."""
    match event:
        case CardPlayed():
            return _card_played(state, event)
        case TrickTaken():
            return _trick_taken(state, event)
        case BidMade(seat=seat, tricks=tricks):
            return _bid_made(state, seat, tricks)
        case HandsDealt():
            return _hands_dealt(state, event)
        case DealScored(totals=totals):
            over = state.deal == deals(state.seats)
            return replace(state, phase="over" if over else "scored", turn=None, totals=_by_seat(totals, state.seats))
        case DealerDrawn(dealer=dealer):
            return replace(state, dealer=dealer)
        case other:
            raise TypeError(f"no event of Plie: {other!r}")


def _card_played(state: State, event: CardPlayed) -> State:
    seat, card = event.seat, event.card
    hand = without(state.hands[seat], card)
    trick = (*state.trick, (seat, card))
    return replace(
        state,
        hands=put(state.hands, seat, hand),
        trick=trick,
        turn=(seat + ANTICLOCKWISE) % state.seats if len(trick) < state.seats else None,
        moves=state.moves + 1,
    )


def _trick_taken(state: State, event: TrickTaken) -> State:
    taker = event.seat
    assert taker is not None, "in Plie a trick always has a taker"
    tricks = put(state.tricks, taker, state.tricks[taker] + 1)
    turn = taker if state.hands[taker] else None
    return replace(state, trick=(), taken=(*state.taken, (taker, event.cards)), tricks=tricks, turn=turn)


def _bid_made(state: State, seat: Seat, tricks: int) -> State:
    """The seat to the dealer's right, the first to announce, also leads the first trick: the turn just passes on."""
    bids = {**state.bids, seat: tricks}
    return replace(
        state,
        bids=bids,
        phase="tricks" if len(bids) == state.seats else "bidding",
        turn=(seat + ANTICLOCKWISE) % state.seats,
        moves=state.moves + 1,
    )


def _hands_dealt(state: State, event: HandsDealt) -> State:
    return replace(
        state,
        phase="bidding",
        deal=event.deal,
        cards=event.cards,
        dealer=event.dealer,
        hands=_by_seat(event.hands, state.seats),
        turned=event.turned,
        turned_from=event.turned_from,
        bids={},
        tricks=(0,) * state.seats,
        trick=(),
        taken=(),
        turn=(event.dealer + ANTICLOCKWISE) % state.seats,
    )


def _by_seat(values: dict[Seat, Any], seats: int) -> tuple[Any, ...]:
    return tuple(values[seat] for seat in range(seats))
