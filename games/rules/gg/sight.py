"""Who sees what (gg.md, Who may see what): views out of states, and events as viewers get them.

Allow-lists: what is not put in here on purpose is not seen. The one question with two answers is whose cards a viewer
sees: its own, or, in the deal of one card, those of all others. Who is out sees what a spectator sees.
"""

from __future__ import annotations

from typing import Any

from games.rules import lifecycle
from games.rules.cards import Card
from games.rules.gg.events import HandsDealt
from games.rules.gg.state import State
from games.rules.gg.view import LastTrick, View
from games.rules.lifecycle import Event
from games.rules.seats import Seat


def view(state: State, seat: Seat | None) -> View:
    """What this viewer knows."""
    in_deal = sorted(state.order)
    last = state.last_trick
    return View(
        seat=seat,
        phase=state.stage,
        to_act=state.turn,
        deal=state.deal,
        cards=state.cards,
        starter=state.starter,
        lives=dict(enumerate(state.lives)),
        out=tuple(other for other, lives in enumerate(state.lives) if lives == 0),
        hands=_hands({other: state.hands[other] for other in in_deal}, seat, state.cards),
        bids=state.made_bids,
        tricks=state.taken,
        leader=state.leader,
        trick=state.trick,
        last_trick=LastTrick(seat=last.seat, cards=last.cards) if last else None,
        shown=state.shown,
        options=state.options,
    )


def redact(event: Event, seat: Seat | None) -> dict[str, Any]:
    """The event's data for this viewer; only dealt hands are not for all."""
    data = lifecycle.plain(event)
    if isinstance(event, HandsDealt):
        hands = _hands(event.hands, seat, event.cards)
        data["hands"] = {str(owner): cards if isinstance(cards, int) else list(cards) for owner, cards in hands.items()}
    return data


def _hands(hands: dict[Seat, tuple[Card, ...]], seat: Seat | None, cards: int) -> dict[Seat, tuple[Card, ...] | int]:
    """Each hand of the deal, or the number of its cards where the viewer does not see them."""
    return {owner: held if _sees(seat, owner, hands, cards) else len(held) for owner, held in hands.items()}


def _sees(seat: Seat | None, owner: Seat, hands: dict[Seat, tuple[Card, ...]], cards: int) -> bool:
    if seat not in hands:  # spectators, and seats that are out (gg.md, Decision 6)
        return False
    return seat != owner if cards == 1 else seat == owner
