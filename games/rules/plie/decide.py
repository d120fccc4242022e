"""What follows from a seat's action in Plie, or why it is refused (plie.md). Randomness comes in as `draw`."""

from __future__ import annotations

from typing import assert_never

from games.rules import bidding
from games.rules.bidding import Bid, BidMade
from games.rules.cards import Card
from games.rules.errors import NotYourTurn, RuleViolation
from games.rules.lifecycle import Event
from games.rules.plie.actions import Action
from games.rules.plie.deals import PACK, RANKS, cards_of, deals, order
from games.rules.plie.events import DealerDrawn, DealScored, HandsDealt
from games.rules.plie.state import State
from games.rules.ruleset import Events
from games.rules.seats import ANTICLOCKWISE, Seat
from games.rules.stream import Stream
from games.rules.tricks import CardPlayed, Play, TrickTaken, by_suit, check_follow, winner


def start(state: State, draw: Stream) -> Events:
    """Draw the first dealer, who deals."""
    dealer = draw.below(state.seats)
    return (DealerDrawn(dealer=dealer), hands_dealt(1, dealer, state.seats, draw))


def hands_dealt(deal: int, dealer: Seat, seats: int, draw: Stream) -> HandsDealt:
    """Deal one card at a time from the dealer's right and turn up the next card, or the last one dealt.

    plie.md, Cards and deals; details.md, Random stream.
    """
    shuffled, cards = draw.shuffled(PACK), cards_of(deal, seats)
    dealt = cards * seats
    whole = dealt == len(PACK)
    hands = {seat: tuple(shuffled[place:dealt:seats]) for place, seat in enumerate(order(dealer, seats))}
    return HandsDealt(
        deal=deal,
        cards=cards,
        dealer=dealer,
        hands=dict(sorted(hands.items())),
        turned=shuffled[dealt - 1 if whole else dealt],
        turned_from="dealer" if whole else "pack",
    )


def decide(state: State, seat: Seat, action: Action, draw: Stream) -> Events:
    """The events that `action` causes. Raises NotYourTurn or RuleViolation."""
    if seat != state.turn:
        raise NotYourTurn
    match action:
        case Bid(tricks=tricks) if state.phase == "bidding":
            return _bid(state, seat, tricks)
        case Play(card=card) if state.phase == "tricks":
            return _play(state, seat, card, draw)
        case Bid() | Play():
            raise RuleViolation("wrong-phase", phase=state.phase)
        case _:
            assert_never(action)


def barred_bid(*, hook: bool, bids: dict[Seat, int], seats: int, cards: int) -> int | None:
    """The number that the seat to bid may not announce (plie.md, Announcements)."""
    return bidding.barred(bids.values(), seats, cards) if hook else None


def _bid(state: State, seat: Seat, tricks: int) -> Events:
    barred = barred_bid(hook=state.options.hook, bids=state.bids, seats=state.seats, cards=state.cards)
    bidding.check(tricks, state.cards, barred)
    return (BidMade(seat=seat, tricks=tricks),)


def _play(state: State, seat: Seat, card: Card, draw: Stream) -> Events:
    hand = state.hands[seat]
    check_follow(hand, card, state.trick[0][1] if state.trick else None)
    played, trick = CardPlayed(seat=seat, card=card), (*state.trick, (seat, card))
    if len(trick) < state.seats:
        return (played,)
    assert state.turned is not None, "cards are played only once a trump is turned"
    taker = winner(trick, by_suit(RANKS, led=trick[0][1][1], trump=state.turned[1]))
    assert taker is not None, "in Plie a trick always has a taker"
    taken = TrickTaken(seat=taker, cards=trick)
    return (played, taken) if len(hand) > 1 else (played, taken, *_deal_over(state, taker, draw))


def _deal_over(state: State, last_taker: Seat, draw: Stream) -> tuple[Event, ...]:
    """The scoring and, unless it was the last, the next deal, which passes to the right."""
    tricks = {seat: state.tricks[seat] + (seat == last_taker) for seat in range(state.seats)}
    gained = {seat: points(state.bids[seat], taken) for seat, taken in tricks.items()}
    totals = {seat: state.totals[seat] + gained[seat] for seat in gained}
    scored = DealScored(bids=dict(sorted(state.bids.items())), tricks=tricks, points=gained, totals=totals)
    if state.deal == deals(state.seats):
        return (scored,)
    assert state.dealer is not None, "a deal has a dealer"
    dealer = (state.dealer + ANTICLOCKWISE) % state.seats
    return (scored, hands_dealt(state.deal + 1, dealer, state.seats, draw))


def points(announced: int, taken: int) -> int:
    """Points of one seat in one deal (plie.md, Scoring, end, standing)."""
    return taken + 3 if announced == taken else -abs(announced - taken)
