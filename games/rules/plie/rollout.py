"""Deals of Plie played out in imagination, quickly: what bots ask before they announce or play.

Here: a simple way to play hands to the end, every seat aiming at its announcement. Not here: any choice of a real bot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.rules import imagining
from games.rules.cards import Card
from games.rules.plie.deals import PACK, RANKS
from games.rules.plie.view import View, own_hand
from games.rules.seats import ANTICLOCKWISE, Seat
from games.rules.stream import Stream
from games.rules.tricks import Played

HEIGHT: Mapping[Card, int] = {card: RANKS.index(card[0]) for card in PACK}
TRUMP = len(RANKS)  # what being a trump adds to a card's height


def unseen(view: View) -> list[Card]:
    """The cards that may be in the hands of others, or not dealt at all."""
    seen = set(own_hand(view))
    seen.update(card for tricks in view.taken.values() for trick in tricks for _, card in trick)
    seen.update(card for _, card in view.played)
    if view.turned is not None:
        seen.add(view.turned)
    return [card for card in PACK if card not in seen]


def worlds(view: View, count: int, noise: Stream) -> Iterator[list[list[Card]]]:
    """So many ways in which the cards may lie: every seat's hand. The dealer's shown card lies with the dealer."""
    tricks = [*(trick for tricks in view.taken.values() for trick in tricks), view.played]
    lacking = imagining.voids(tricks, len(view.hands))
    return imagining.worlds(view.hands, unseen(view), lacking, count, noise, _shown(view, tricks))


def _shown(view: View, tricks: Sequence[Sequence[Played]]) -> dict[Seat, Card]:
    if view.turned is None or view.turned_from != "dealer" or view.dealer in {None, view.seat}:
        return {}
    played = any(card == view.turned for trick in tricks for _, card in trick)
    assert view.dealer is not None, "a turned card has a dealer"
    return {} if played else {view.dealer: view.turned}


class Deal:
    """A deal under way. `aims` are the tricks that each seat still wants."""

    def __init__(self, hands: list[list[Card]], trump: str, turn: Seat, aims: list[int]) -> None:
        self.hands, self.trump, self.turn, self.aims = hands, trump, turn, aims
        self.seats = len(hands)
        self.trick: list[Played] = []
        self.tricks = [0] * self.seats

    def result(self) -> list[int]:
        """Play to the end; the tricks that each seat has taken from here on."""
        while self.hands[self.turn]:
            self.play(self._choice(self.hands[self.turn]))
        return self.tricks

    def play(self, card: Card) -> None:
        """The seat whose turn it is plays that card."""
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        if len(self.trick) < self.seats:
            self.turn = (self.turn + ANTICLOCKWISE) % self.seats
            return
        led = self.trick[0][1][1]
        taker = max(self.trick, key=lambda entry: self._strength(entry[1], led))[0]
        self.tricks[taker] += 1
        self.aims[taker] -= 1
        self.trick, self.turn = [], taker

    def _strength(self, card: Card, led: str) -> int:
        if card[1] == self.trump:
            return HEIGHT[card] + TRUMP
        return HEIGHT[card] if card[1] == led else -1

    def _height(self, card: Card) -> int:
        return HEIGHT[card] + TRUMP if card[1] == self.trump else HEIGHT[card]

    def _choice(self, hand: list[Card]) -> Card:
        wanted = self.aims[self.turn] > 0
        if not self.trick:
            return self._lead(hand, wanted=wanted)
        led = self.trick[0][1][1]
        cards = [card for card in hand if card[1] == led] or hand
        best = max(self._strength(card, led) for _, card in self.trick)
        wins = [card for card in cards if self._strength(card, led) > best]
        loses = [card for card in cards if self._strength(card, led) < best]
        last = len(self.trick) == self.seats - 1
        if wanted:
            if not wins:
                return min(loses, key=self._height)
            return min(wins, key=self._height) if last else max(wins, key=self._height)
        if loses:
            return max(loses, key=self._height)
        return max(wins, key=self._height) if last else min(wins, key=self._height)

    def _lead(self, hand: list[Card], *, wanted: bool) -> Card:
        """The highest plain card or trump where tricks are wanted, else the lowest of all."""
        if wanted:
            return max(hand, key=lambda card: (HEIGHT[card], card[1] == self.trump))
        return min(hand, key=self._height)


def fair_aim(hand: Sequence[Card], trump: str, seats: int) -> int:
    """About as many tricks as a hand is worth, at a glance: what a seat that has not announced yet is taken to want."""
    worth = 0.0
    for card in hand:
        height = HEIGHT[card] / (len(RANKS) - 1)  # 0 for a six, 1 for an ace
        worth += 0.3 + 0.6 * height if card[1] == trump else height ** (seats + 1) * 0.7
    return round(worth)
