"""Deals of Barbu played out in imagination, quickly: what bots ask before they declare or play.

Here: hands that agree with a view, and a simple way to play them to the end. Not here: any choice of a real bot.
Invariant: only what the view tells goes in; the hands of others are drawn from `noise`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from games.rules import imagining
from games.rules.barbu import contracts, patience
from games.rules.barbu.dealing import RANKS, pack_of
from games.rules.barbu.options import Contract, Options
from games.rules.barbu.view import View, own_hand
from games.rules.cards import Card
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.tricks import Played, Taken


def lacking(view: View) -> list[set[str]]:
    """By seat, the suits that it has shown to have none of, in this deal."""
    tricks = (trick for tricks in view.taken.values() for trick in tricks)
    return imagining.voids((*tricks, view.played), len(view.hands))


def unseen(view: View) -> list[Card]:
    """The cards that the view's seat has no sight of."""
    seen = set(own_hand(view))
    seen.update(card for tricks in view.taken.values() for trick in tricks for _, card in trick)
    seen.update(card for _, card in view.played)
    seen.update(card for cards in view.layout.values() for card in cards)
    return [card for card in pack_of(len(view.hands)) if card not in seen]


def worlds(view: View, count: int, noise: Stream) -> Iterator[list[list[Card]]]:
    """So many ways in which the cards may lie: every seat's hand."""
    return imagining.worlds(view.hands, unseen(view), lacking(view), count, noise)


class Prices(NamedTuple):
    """What a deal costs, by card and by place of the trick; and the cards that end it once all are taken."""

    cards: Mapping[Card, int]
    tricks: Sequence[int]
    needed: frozenset[Card]


def prices(contract: Contract, seats: int, options: Options) -> Prices:
    """The prices of a trick contract at this table."""
    cards = pack_of(seats)
    full = len(cards) // seats
    return Prices(
        {card: contracts.card_cost(contract, card, options) for card in cards},
        [contracts.trick_cost(contract, place, full, options) for place in range(full)],
        contracts.needed(contract, cards),
    )


class Tricks:
    """A deal under a trick contract, played out by a simple rule: duck where possible, throw what costs most."""

    def __init__(self, hands: list[list[Card]], turn: Seat, step: int, cost: Prices) -> None:
        self.hands, self.turn, self.step, self.cost = hands, turn, step, cost
        self.seats = len(hands)
        self.trick: list[Played] = []
        self.takers: list[Seat] = []
        self.points = [0] * self.seats
        self.open = set(cost.needed)

    def go_on_from(self, taken: Sequence[Taken], trick: Sequence[Played]) -> None:
        """What has already happened in this deal; in which order tricks were taken makes no odds from here on."""
        for seat, cards in taken:
            self._take(seat, [card for _, card in cards])
        self.trick = list(trick)

    def result(self) -> list[int]:
        """Play to the end; the points of all seats."""
        while any(self.hands) and (self.open or not self.cost.needed):
            self.play(self._choice(self.hands[self.turn]))
        if len(self.takers) == len(self.cost.tricks) and len(set(self.takers)) == 1:
            return [contracts.SLAM if seat == self.takers[0] else 0 for seat in range(self.seats)]
        return self.points

    def play(self, card: Card) -> None:
        """The seat whose turn it is plays that card."""
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        if len(self.trick) < self.seats:
            self.turn = (self.turn + self.step) % self.seats
            return
        led = self.trick[0][1][1]
        taker = max(self.trick, key=lambda entry: HEIGHT[entry[1]] if entry[1][1] == led else -1)[0]
        self._take(taker, [played for _, played in self.trick])
        self.trick, self.turn = [], taker

    def _take(self, taker: Seat, cards: list[Card]) -> None:
        self.points[taker] += self.cost.tricks[len(self.takers)] + sum(self.cost.cards[card] for card in cards)
        self.takers.append(taker)
        self.open.difference_update(cards)

    def _choice(self, hand: list[Card]) -> Card:
        if not self.trick:
            return min(hand, key=lambda card: HEIGHT[card])
        led, cost = self.trick[0][1][1], self.cost.cards
        same = [card for card in hand if card[1] == led]
        if not same:
            return max(hand, key=lambda card: (cost[card], HEIGHT[card]))
        best = max(HEIGHT[card] for _, card in self.trick if card[1] == led)
        under = [card for card in same if HEIGHT[card] < best]
        if under:
            return max(under, key=lambda card: (cost[card], HEIGHT[card]))
        if len(self.trick) == self.seats - 1:
            return min(same, key=lambda card: (cost[card], -HEIGHT[card]))
        return min(same, key=lambda card: HEIGHT[card])


HEIGHT: Mapping[Card, int] = {card: RANKS.index(card[0]) for card in pack_of(4)}
JACK = RANKS.index("J")


class Patience:
    """A patience, played out by a simple rule: lay what opens the way for most of one's own cards."""

    def __init__(self, hands: list[list[Card]], turn: Seat, step: int) -> None:
        self.hands, self.turn, self.step = hands, turn, step
        self.laid: set[Card] = set()
        self.out: list[Seat] = []
        self.idle = 0  # turns since a card was last laid

    def go_on_from(self, laid: frozenset[Card], out: Sequence[Seat]) -> None:
        """What has already happened in this deal."""
        self.laid, self.out = set(laid), list(out)

    def result(self) -> list[int]:
        """Play to the end; the points of all seats. With a whole pack somebody can always lay, so it does end."""
        while len(self.out) < len(contracts.PATIENCE):
            fits = patience.fitting(self.hands[self.turn], self.laid)
            if fits:
                self.lay(best_to_lay(fits, self.hands[self.turn]))
            else:
                self.skip()
            assert self.idle <= len(self.hands), "cards are missing from this deal"
        points = contracts.patience_points(self.out, len(self.hands))
        return [points[seat] for seat in range(len(self.hands))]

    def lay(self, card: Card) -> None:
        """The seat whose turn it is lays that card."""
        hand = self.hands[self.turn]
        hand.remove(card)
        self.laid.add(card)
        self.idle = 0
        if not hand:
            self.out.append(self.turn)
        if not patience.another_follows(card, hand, self.laid):
            self.skip()

    def skip(self) -> None:
        """The turn passes on."""
        self.idle += 1
        self.turn = (self.turn + self.step) % len(self.hands)


def best_to_lay(fits: Sequence[Card], hand: Sequence[Card]) -> Card:
    """The card behind which most of one's own cards wait; an ace gives another card at once; ends harm nobody."""
    return max(fits, key=lambda card: (_waiting(card, hand), card[0] == "A", abs(HEIGHT[card] - JACK)))


def _waiting(card: Card, hand: Sequence[Card]) -> int:
    """How many cards of the hand can only be laid after this one."""
    height = HEIGHT[card]
    return sum(
        other[1] == card[1] and other != card and (height == JACK or (HEIGHT[other] - height) * (height - JACK) > 0)
        for other in hand
    )
