"""How each event changes the state. Never refuses, never draws; times do not matter in GG."""

from __future__ import annotations

from msgspec.structs import replace

from games.rules.bidding import BidMade
from games.rules.gg.events import CardsRevealed, DealScored, HandsDealt, StarterDrawn
from games.rules.gg.state import State, is_over
from games.rules.lifecycle import Event
from games.rules.seats import Seat, around, put
from games.rules.tricks import CardPlayed, Laid, TrickTaken


def evolve(state: State, event: Event) -> State:
    """The state after the event."""
    match event:
        case CardPlayed():
            return _card_played(state, event)
        case BidMade(seat=seat, tricks=tricks):
            return _bid_made(state, seat, tricks)
        case TrickTaken():
            return _trick_taken(state, event)
        case HandsDealt():
            return _hands_dealt(state, event)
        case CardsRevealed():
            return _cards_revealed(state, event)
        case DealScored():
            return _deal_scored(state, event)
        case StarterDrawn(starter=starter):
            return replace(state, starter=starter)
        case other:
            raise TypeError(f"no event of this game: {other!r}")


def _hands_dealt(state: State, event: HandsDealt) -> State:
    seats = range(state.seats)
    return replace(
        state,
        stage="bidding",
        turn=event.starter,
        deal=event.deal,
        cards=event.cards,
        starter=event.starter,
        leader=event.starter,
        order=tuple(seat for seat in around(event.starter, state.seats) if seat in event.hands),
        hands=tuple(tuple(event.hands.get(seat, ())) for seat in seats),
        bids=tuple(None for _ in seats),
        tricks=tuple(0 for _ in seats),
        trick=(),
        last_trick=None,
        shown=(),
    )


def _bid_made(state: State, seat: Seat, tricks: int) -> State:
    bids, moves = put(state.bids, seat, tricks), state.moves + 1
    following = state.order.index(seat) + 1
    if following < len(state.order):
        return replace(state, bids=bids, moves=moves, turn=state.order[following])
    if state.cards == 1:  # the cards are revealed without a move
        return replace(state, bids=bids, moves=moves, turn=None)
    return replace(state, bids=bids, moves=moves, stage="tricks", turn=state.starter)


def _card_played(state: State, event: CardPlayed) -> State:
    hand = list(state.hands[event.seat])
    hand.remove(event.card)
    place = state.order.index(event.seat) + 1
    trick = (*state.trick, Laid(seat=event.seat, card=event.card, named=event.named))
    return replace(
        state,
        hands=put(state.hands, event.seat, tuple(hand)),
        trick=trick,
        shown=(*state.shown, event.card),
        moves=state.moves + 1,
        turn=state.order[place % len(state.order)] if len(trick) < len(state.order) else None,
    )


def _cards_revealed(state: State, event: CardsRevealed) -> State:
    """They count as played clockwise from the starter (gg.md, Deal of one card)."""
    trick = tuple(Laid(seat=seat, card=event.cards[seat]) for seat in state.order)
    shown = tuple(laid.card for laid in trick)
    return replace(state, stage="tricks", hands=((),) * state.seats, trick=trick, shown=shown)


def _trick_taken(state: State, event: TrickTaken) -> State:
    """Who took it leads next; if nobody did, the same seat leads again (gg.md, Decision 1)."""
    leader, tricks = state.leader, state.tricks
    if event.seat is not None:
        leader, tricks = event.seat, put(tricks, event.seat, tricks[event.seat] + 1)
    turn = leader if state.hands[leader] else None
    return replace(state, tricks=tricks, leader=leader, trick=(), last_trick=event, turn=turn)


def _deal_scored(state: State, event: DealScored) -> State:
    lives = tuple(event.lives[seat] for seat in range(state.seats))
    out_in = tuple(state.deal if seat in event.out else deal for seat, deal in enumerate(state.out_in))
    over = is_over(state.deal, sum(left > 0 for left in lives))
    return replace(state, lives=lives, out_in=out_in, stage="over" if over else "dealing", turn=None)
