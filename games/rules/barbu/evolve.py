"""The state after an event of Barbu. Never refuses: what is written has happened."""

from __future__ import annotations

from msgspec.structs import replace

from games.rules.barbu import dealing, patience
from games.rules.barbu.contracts import PATIENCE
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
from games.rules.barbu.state import State
from games.rules.cards import Card, without
from games.rules.lifecycle import Event
from games.rules.seats import Seat, put
from games.rules.tricks import CardPlayed, TrickTaken


def evolve(state: State, event: Event) -> State:
    """The state after one of this ruleset's events."""
    match event:
        case CardPlayed(seat=seat, card=card):
            return _played(state, seat, card) if state.phase == "tricks" else _laid(state, seat, card)
        case TrickTaken(seat=seat, cards=cards):
            assert seat is not None, "in Barbu a trick always has a taker"
            turn = seat if state.hands[seat] else None
            return replace(state, trick=(), taken=(*state.taken, (seat, cards)), turn=turn)
        case TurnPassed(seat=seat):
            return replace(state, phase="patience", turn=_next_to_lay(state, seat), moves=state.moves + 1)
        case SeatOut(seat=seat):
            return _seat_out(state, seat)
        case DealScored():
            return _deal_scored(state, event)
        case HandsDealt():
            return _hands_dealt(state, event)
        case ContractDeclared():
            return _declared(state, event)
        case DeclarerDrawn(declarer=declarer):
            return replace(state, declarer=declarer, deal=1)
        case PackShuffled(seat=seat, cards=cards):
            cleared = _cleared(state)
            return replace(cleared, phase="cutting", pack=cards, turn=state.before(seat), moves=state.moves + 1)
        case PackCut(at=at):
            lying = dealing.cut(state.pack, at)
            return replace(state, phase="dealing", pack=lying, cut=at, turn=state.declarer, moves=state.moves + 1)
        case other:
            raise TypeError(f"no event of Barbu: {other!r}")


def _cleared(state: State) -> State:
    """The table without the last deal's cards."""
    nothing: tuple[tuple[Card, ...], ...] = ((),) * state.seats
    return replace(state, contract=None, pack=(), cut=None, by=None, hands=nothing, trick=(), taken=(), laid=(), out=())


def _hands_dealt(state: State, event: HandsDealt) -> State:
    return replace(
        _cleared(state),
        phase="declaring",
        deal=event.deal,
        declarer=event.declarer,
        hands=tuple(event.hands[seat] for seat in range(state.seats)),
        cut=state.cut,
        by=event.by,
        turn=event.declarer,
        moves=state.moves + 1,
    )


def _declared(state: State, event: ContractDeclared) -> State:
    seat, contract = event.seat, event.contract
    left = tuple(other for other in state.lists[seat] if other != contract)
    return replace(
        state,
        phase="patience" if contract == "patience" else "tricks",
        contract=contract,
        lists=put(state.lists, seat, left),
        turn=seat,
        moves=state.moves + 1,
    )


def _without(state: State, seat: Seat, card: Card) -> tuple[tuple[Card, ...], ...]:
    """The hands after a card has left one; the others keep the order in which they were dealt."""
    return put(state.hands, seat, without(state.hands[seat], card))


def _played(state: State, seat: Seat, card: Card) -> State:
    trick = (*state.trick, (seat, card))
    return replace(
        state,
        hands=_without(state, seat, card),
        trick=trick,
        turn=state.after(seat) if len(trick) < state.seats else None,
        moves=state.moves + 1,
    )


def _laid(state: State, seat: Seat, card: Card) -> State:
    """After an ace the turn stays where another card fits (barbu.md, Patience; Decision 9)."""
    laid, hands = (*state.laid, card), _without(state, seat, card)
    again = patience.another_follows(card, hands[seat], laid)
    after = replace(state, laid=laid, hands=hands, phase="extra" if again else "patience", moves=state.moves + 1)
    if not hands[seat]:
        return replace(after, turn=None)  # the seat is out, which the next event says
    return replace(after, turn=seat if again else _next_to_lay(after, seat))


def _seat_out(state: State, seat: Seat) -> State:
    """The first leaves the others to go on; the second ends the deal."""
    out = (*state.out, seat)
    return replace(state, out=out, turn=_next_to_lay(state, seat) if len(out) < len(PATIENCE) else None)


def _next_to_lay(state: State, seat: Seat) -> Seat | None:
    """The next seat that still holds cards; seats that are out are skipped without an event."""
    other = state.after(seat)
    while not state.hands[other] and other != seat:
        other = state.after(other)
    return other


def _deal_scored(state: State, event: DealScored) -> State:
    """Dealing by hand goes on with the next declarer's choice; else the next deal follows at once."""
    totals = tuple(event.totals[seat] for seat in range(state.seats))
    if state.deal == state.deals:
        return replace(state, phase="over", turn=None, totals=totals)
    if state.options.dealing == "auto":
        return replace(state, phase="scored", turn=None, totals=totals)
    assert state.declarer is not None, "a deal has a declarer"
    following = state.after(state.declarer)
    return replace(state, phase="shuffling", deal=state.deal + 1, declarer=following, turn=following, totals=totals)
