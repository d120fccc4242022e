"""What follows from a seat's action in Barbu, or why it is refused (barbu.md). Randomness comes in as `draw`."""

from __future__ import annotations

from typing import assert_never

from games.rules.barbu import contracts, dealing, patience
from games.rules.barbu.actions import Action, Cut, Deal, Declare, Pass, Shuffle
from games.rules.barbu.events import (
    ContractDeclared,
    DealScored,
    DeclarerDrawn,
    HandsDealt,
    PackCut,
    PackShuffled,
    SeatOut,
    TurnPassed,
)
from games.rules.barbu.options import Contract
from games.rules.barbu.state import State
from games.rules.cards import Card
from games.rules.errors import NotYourTurn, RuleViolation
from games.rules.ruleset import Events
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.tricks import CardPlayed, Play, TrickTaken, by_suit, check_follow, winner

BY = (1, 2)  # cards at a time


def start(state: State, draw: Stream) -> Events:
    """Draw the first declarer; the first deal is always shuffled, without a choice."""
    declarer = draw.below(state.seats)
    drawn = DeclarerDrawn(declarer=declarer)
    if state.options.dealing == "manual":
        return (drawn, _shuffled(state, declarer, draw))
    return (drawn, _dealt_at_once(state, 1, declarer, draw))


def decide(state: State, seat: Seat, action: Action, draw: Stream) -> Events:
    """The events that `action` causes. Raises NotYourTurn or RuleViolation."""
    if seat != state.turn:
        raise NotYourTurn
    match state.phase, action:
        case "tricks", Play(card=card):
            return _play(state, seat, card, draw)
        case (("patience" | "extra"), Play(card=card)):
            return _lay(state, seat, card, draw)
        case (("patience" | "extra"), Pass()):
            return _pass(state, seat)
        case "declaring", Declare(contract=contract):
            return _declare(state, seat, contract)
        case "shuffling", Shuffle(shuffle=shuffle):
            return (_shuffled(state, seat, draw) if shuffle else _left(state, seat),)
        case "cutting", Cut(at=at):
            return _cut(state, seat, at)
        case "dealing", Deal(by=by):
            return _deal(state, seat, by)
        case _, Shuffle() | Cut() | Deal() | Declare() | Play() | Pass():
            raise RuleViolation("wrong-phase", phase=state.phase)
        case _:
            assert_never(action)


# --- dealing (barbu.md, Dealing by hand; details.md, Random stream)


def _dealt_at_once(state: State, deal: int, declarer: Seat, draw: Stream) -> HandsDealt:
    return _hands_dealt(state, deal, declarer, tuple(draw.shuffled(dealing.pack_of(state.seats))), 1)


def _shuffled(state: State, declarer: Seat, draw: Stream) -> PackShuffled:
    return PackShuffled(seat=declarer, shuffled=True, cards=tuple(draw.shuffled(dealing.pack_of(state.seats))))


def _left(state: State, declarer: Seat) -> PackShuffled:
    """Not shuffled: the pack is as the deal of the seat before left it."""
    lying = dealing.gathered(state.taken, state.laid, state.hands, state.before(declarer), state.options.step)
    return PackShuffled(seat=declarer, shuffled=False, cards=lying)


def _cut(state: State, seat: Seat, at: int) -> Events:
    if not 1 <= at < len(state.pack):
        raise RuleViolation("cut-range", least=1, most=len(state.pack) - 1)
    return (PackCut(seat=seat, at=at),)


def _deal(state: State, seat: Seat, by: int) -> Events:
    if by not in BY:
        raise RuleViolation("by-range", least=min(BY), most=max(BY))
    return (_hands_dealt(state, state.deal, seat, state.pack, by),)


def _hands_dealt(state: State, deal: int, declarer: Seat, lying: tuple[Card, ...], by: int) -> HandsDealt:
    hands = dealing.dealt(lying, declarer, state.seats, state.options.step, by)
    return HandsDealt(deal=deal, declarer=declarer, hands=hands, by=by)


# --- contracts and tricks (barbu.md, Course; Contracts)


def _declare(state: State, seat: Seat, contract: Contract) -> Events:
    if contract not in state.lists[seat]:
        raise RuleViolation("contract-used", contract=contract)
    return (ContractDeclared(seat=seat, contract=contract),)


def _play(state: State, seat: Seat, card: Card, draw: Stream) -> Events:
    check_follow(state.hands[seat], card, state.trick[0][1] if state.trick else None)
    played, trick = CardPlayed(seat=seat, card=card), (*state.trick, (seat, card))
    if len(trick) < state.seats:
        return (played,)
    taker = winner(trick, by_suit(dealing.RANKS, led=trick[0][1][1]))
    assert taker is not None, "in Barbu a trick always has a taker"
    taken = TrickTaken(seat=taker, cards=trick)
    assert state.contract is not None, "cards are played under a contract"
    in_hand = [held for hand in state.hands for held in hand if held != card]
    if not contracts.is_over(state.contract, dealing.pack_of(state.seats), in_hand):
        return (played, taken)
    tricks = (*state.taken, (taker, trick))
    full = len(dealing.pack_of(state.seats)) // state.seats
    points = contracts.points(state.contract, tricks, full, state.seats, state.options)
    return (played, taken, *_deal_over(state, points, contracts.slam(tricks, full), draw))


# --- the patience (barbu.md, Patience; Decisions 4, 5, 9)


def _lay(state: State, seat: Seat, card: Card, draw: Stream) -> Events:
    hand = state.hands[seat]
    if card not in hand:
        raise RuleViolation("not-in-hand", card=card)
    if not patience.fitting([card], state.laid):
        raise RuleViolation("does-not-fit", card=card)
    played = CardPlayed(seat=seat, card=card)
    if len(hand) > 1:
        return (played,)
    out = (*state.out, seat)
    gone = SeatOut(seat=seat, rank=len(out))
    if len(out) < len(contracts.PATIENCE):
        return (played, gone)
    return (played, gone, *_deal_over(state, contracts.patience_points(out, state.seats), None, draw))


def _pass(state: State, seat: Seat) -> Events:
    if state.phase == "patience" and patience.fitting(state.hands[seat], state.laid):
        raise RuleViolation("can-lay")
    return (TurnPassed(seat=seat),)


# --- the end of a deal


def _deal_over(state: State, points: dict[Seat, int], slam: Seat | None, draw: Stream) -> Events:
    """The scoring and, where the pack is shuffled and dealt without a choice, the next deal if there is one."""
    assert state.contract is not None, "a deal is played under a contract"
    assert state.declarer is not None, "a deal has a declarer"
    totals = {seat: state.totals[seat] + gained for seat, gained in points.items()}
    scored = DealScored(contract=state.contract, points=points, totals=totals, slam=slam)
    if state.deal == state.deals or state.options.dealing == "manual":
        return (scored,)
    return (scored, _dealt_at_once(state, state.deal + 1, state.after(state.declarer), draw))
