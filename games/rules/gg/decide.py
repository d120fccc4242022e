"""From an action to its events: what the seat did, then all that follows from it without another choice."""

from __future__ import annotations

from typing import assert_never

from games.rules import bidding
from games.rules.bidding import Bid, BidMade
from games.rules.errors import NotYourTurn, RuleViolation
from games.rules.gg import dealing, lives, trick_play
from games.rules.gg.actions import Action, Play
from games.rules.gg.evolve import evolve
from games.rules.gg.state import State
from games.rules.lifecycle import Event
from games.rules.ruleset import Events
from games.rules.seats import Seat
from games.rules.stream import Stream


def start(state: State, draw: Stream) -> Events:
    """The draw for the starter and the first deal."""
    return _with_all_that_follows(state, dealing.draw_starter(state, draw), draw)


def decide(state: State, seat: Seat, action: Action, draw: Stream) -> Events:
    """The events that an action causes. Raises NotYourTurn, or RuleViolation with a reason of gg.md."""
    if seat != state.turn:
        raise NotYourTurn
    match action:
        case Play() if state.stage == "tricks":
            return _with_all_that_follows(state, trick_play.play(state, seat, action), draw)
        case Bid(tricks=tricks) if state.stage == "bidding":
            bidding.check(tricks, state.cards, barred(state))
            return _with_all_that_follows(state, BidMade(seat=seat, tricks=tricks), draw)
        case Bid() | Play():
            raise RuleViolation("wrong-phase")
        case _:
            assert_never(action)


def barred(state: State) -> int | None:
    """The number that the seat to bid may not choose; none in the deal of one card (gg.md, Bids)."""
    if state.cards == 1:
        return None
    return bidding.barred(list(state.made_bids.values()), len(state.order), state.cards)


def _with_all_that_follows(state: State, event: Event | None, draw: Stream) -> Events:
    events: list[Event] = []
    while event is not None:
        events.append(event)
        state = evolve(state, event)
        event = _consequence(state, draw)
    return tuple(events)


def _consequence(state: State, draw: Stream) -> Event | None:
    """What happens next by itself, if anything (details.md, Order of events)."""
    if state.turn is not None:
        return None
    match state.stage:
        case "bidding":
            return trick_play.reveal(state)
        case "tricks":
            return trick_play.take(state) if state.trick else lives.score(state)
        case "dealing":
            return dealing.deal(state, draw)
        case "over":
            return None
        case _:
            assert_never(state.stage)
