"""Drawing for the start, and dealing (gg.md, Deals; details.md, Random stream)."""

from __future__ import annotations

from games.rules.cards import Card, pack
from games.rules.gg.events import HandsDealt, StarterDrawn
from games.rules.gg.state import State
from games.rules.gg.strength import strengths
from games.rules.seats import Seat, around, following
from games.rules.stream import Stream


def draw_starter(state: State, draw: Stream) -> StarterDrawn:
    """One shuffle; the seats take from the top, those tied for highest go on from there (gg.md, Decision 2)."""
    strength = strengths(manilha=state.options.manilha)
    cards = iter(draw.shuffled(pack()))
    draws: list[dict[Seat, Card]] = []
    tied = list(range(state.seats))
    while len(tied) > 1:
        drawn = {seat: next(cards) for seat in tied}
        draws.append(drawn)
        highest = max(strength[card] for card in drawn.values())
        tied = [seat for seat in tied if strength[drawn[seat]] == highest]
    return StarterDrawn(draws=tuple(draws), starter=tied[0])


def deal(state: State, draw: Stream) -> HandsDealt:
    """The next deal: a fresh shuffle, one card at a time clockwise from the starter."""
    number, alive = state.deal + 1, state.alive
    cards = state.options.cards_in(number)
    starter = following(state.starter, state.seats, alive) if state.deal else state.starter
    order = [seat for seat in around(starter, state.seats) if seat in alive]
    shuffled = draw.shuffled(state.options.pack_for(cards))[: cards * len(order)]
    hands = {seat: tuple(shuffled[order.index(seat) :: len(order)]) for seat in alive}
    return HandsDealt(deal=number, cards=cards, starter=starter, hands=hands)
