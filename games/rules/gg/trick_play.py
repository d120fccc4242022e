"""Playing to a trick, and who takes it (gg.md, Tricks; Deal of one card)."""

from __future__ import annotations

from games.rules.cards import JOKER
from games.rules.errors import RuleViolation
from games.rules.gg.actions import Play
from games.rules.gg.events import CardsRevealed
from games.rules.gg.state import State
from games.rules.gg.strength import HIGHEST, strengths
from games.rules.seats import Seat
from games.rules.tricks import CardPlayed, TrickTaken, winner

NAMES_NOT_FOR_JOKER = (HIGHEST, JOKER)


def play(state: State, seat: Seat, action: Play) -> CardPlayed:
    """Any card of the hand; the joker with a name. `not-in-hand`, `joker-needs-card`, `joker-card-forbidden`."""
    if action.card not in state.hands[seat]:
        raise RuleViolation("not-in-hand", card=action.card)
    if action.card == JOKER:
        if action.named is None:
            raise RuleViolation("joker-needs-card")
        if action.named in NAMES_NOT_FOR_JOKER:
            raise RuleViolation("joker-card-forbidden", card=action.named)
    return CardPlayed(seat=seat, card=action.card, named=action.named)


def reveal(state: State) -> CardsRevealed:
    """The cards of a deal of one card are turned up together."""
    return CardsRevealed(cards={seat: state.hands[seat][0] for seat in sorted(state.order)})


def take(state: State) -> TrickTaken:
    """The complete trick goes to the highest card, the first of equals; under `cut` equals cancel each other."""
    strength = strengths(manilha=state.options.manilha).__getitem__
    counted = [(laid.seat, laid.counts_as) for laid in state.trick]
    seat = winner(counted, strength, cancel=strength if state.options.cut else None)
    return TrickTaken(seat=seat, cards=tuple((laid.seat, laid.card) for laid in state.trick))
