"""What a card is worth in the present trick of Plie, against those not seen: how `normal` bots choose one."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.cards import Card
from games.rules.plie.deals import RANKS
from games.rules.plie.rollout import HEIGHT, TRUMP, unseen
from games.rules.plie.view import View, own_hand
from games.rules.tricks import by_suit, winner

LIKELY = 0.6  # a chance to take the trick that is worth a card


class Weighing:
    """The view of a seat whose turn it is, with what it says about chances."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None, "a spectator plays no card"
        assert view.turned is not None, "a dealt hand has a trump"
        self.view, self.seat, self.trump = view, view.seat, view.turned[1]
        self.hand = own_hand(view)
        self.hidden = unseen(view)
        others = [held for seat, held in view.hands.items() if seat != view.seat and isinstance(held, int)]
        self.held = min(1.0, sum(others) / len(others) / max(1, len(self.hidden)))  # that one card is in one hand
        self.need = view.bids[view.seat] - view.tricks[view.seat]
        self.to_come = len(view.totals) - 1 - len(view.played)

    def best(self, cards: Sequence[Card]) -> Card:
        """The card that serves the announcement: take tricks while some are missing, else shed what might take one."""
        return self._follow(cards) if self.view.played else self._lead(cards)

    def _lead(self, cards: Sequence[Card]) -> Card:
        """The surest trick if more are wanted, else the surest loser."""
        if self.need > 0:
            return max(cards, key=lambda card: (self._stands(card), -self._height(card)))
        return min(cards, key=lambda card: (self._stands(card), self._height(card)))

    def _follow(self, cards: Sequence[Card]) -> Card:
        trick = self.view.played
        strength = by_suit(RANKS, led=trick[0][1][1], trump=self.trump)
        wins = [card for card in cards if winner((*trick, (self.seat, card)), strength) == self.seat]
        loses = [card for card in cards if card not in wins]
        if self.need > 0:
            return self._take(wins, loses)
        if loses:  # shed what would be most likely to take a trick later
            return max(loses, key=self._height)
        return max(wins, key=self._height) if self.to_come == 0 else min(wins, key=self._height)

    def _take(self, wins: Sequence[Card], loses: Sequence[Card]) -> Card:
        """The cheapest card that is likely enough to take the trick; if there is none, the least of all cards."""
        likely = [card for card in wins if self._stands(card) > LIKELY]
        if likely:
            return min(likely, key=self._height)
        if self.need >= len(self.hand) and wins:
            return max(wins, key=self._height)
        return min(loses or wins, key=self._height)

    def _height(self, card: Card) -> int:
        return HEIGHT[card] + TRUMP if card[1] == self.trump else HEIGHT[card]

    def _stands(self, card: Card) -> float:
        """The chance that no seat still to play beats this card, if it is the highest so far.

        They must follow where they can: a trump is to be feared from those alone who have none of the suit.
        """
        suit = [other for other in self.hidden if other[1] == card[1]]
        higher = sum(HEIGHT[other] > HEIGHT[card] for other in suit)
        safe = self._none_of(higher)
        if card[1] != self.trump:
            trumps = sum(other[1] == self.trump for other in self.hidden)
            safe *= 1 - self._none_of(len(suit)) * (1 - self._none_of(trumps))
        return float(safe**self.to_come)

    def _none_of(self, cards: int) -> float:
        """The chance that one seat has none of so many hidden cards."""
        return float((1 - self.held) ** cards)
