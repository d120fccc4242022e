"""How dear a card is likely to become in a trick contract: what a bot weighs before it plays one.

Everybody ducks who can. So a card takes the trick if nobody after it is forced above it, and what is thrown on it by
those who cannot follow comes with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.barbu.dealing import pack_of
from games.rules.barbu.rollout import HEIGHT, Prices, lacking, prices, unseen
from games.rules.barbu.view import View, own_hand
from games.rules.cards import Card
from games.rules.seats import Seat, around


class Risk:
    """The view of a seat whose turn it is, with what it says about chances."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None, "a spectator takes no risks"
        assert view.contract is not None, "cards are played under a contract"
        self.view, self.seat = view, view.seat
        self.seats = len(view.hands)
        self.cost: Prices = prices(view.contract, self.seats, view.options)
        self.hidden = unseen(view)
        self.lacking = lacking(view)
        self.place = sum(len(tricks) for tricks in view.taken.values())
        self.to_come = self._to_come()
        left = len(pack_of(self.seats)) // self.seats - self.place
        owed = sum(self.cost.cards[card] for card in (*self.hidden, *own_hand(view)))
        self.usual = owed / left + sum(self.cost.tricks[self.place :]) / left  # an average trick from now on

    def _to_come(self) -> list[Seat]:
        """The seats that play after this one."""
        order = list(around(self.seat, self.seats, self.view.options.step))[1:]
        return order[: self.seats - 1 - len(self.view.played)]

    def best(self, cards: Sequence[Card]) -> Card:
        """The card that is likely to cost least, now and by what it would do if it were kept."""
        return min(cards, key=lambda card: (self.now(card) - self.later(card), -HEIGHT[card]))

    def now(self, card: Card) -> float:
        """What playing it is likely to cost in this trick."""
        wins = self._wins(card)
        if wins == 0:
            return 0
        led = self.view.played[0][1][1] if self.view.played else card[1]
        lying = sum(self.cost.cards[other] for _, other in self.view.played) + self.cost.cards[card]
        coming = sum(self._thrown(seat, led) for seat in self.to_come)
        return wins * (lying + coming + self.cost.tricks[self.place])

    def later(self, card: Card) -> float:
        """What keeping it is likely to cost: high cards take tricks one day, and dear ones may come home."""
        suit = [other for other in self.hidden if other[1] == card[1]]
        if not suit:
            return 0.4 * (self.usual + self.cost.cards[card])
        lower = sum(HEIGHT[other] < HEIGHT[card] for other in suit) / len(suit)
        return lower * (self.usual + self.cost.cards[card]) + 0.01 * HEIGHT[card]

    def _wins(self, card: Card) -> float:
        """The chance that it takes the trick."""
        trick = self.view.played
        if trick:
            led = trick[0][1][1]
            if card[1] != led or HEIGHT[card] < max(HEIGHT[other] for _, other in trick if other[1] == led):
                return 0
        chance = 1.0
        for seat in self.to_come:
            chance *= 1 - self._forced_above(seat, card)
        return chance

    def _held(self, seat: Seat) -> float:
        """The chance that one given hidden card is in that hand."""
        count = self.view.hands[seat]
        assert isinstance(count, int), "the hands of others are counts"
        return min(1.0, count / max(1, len(self.hidden)))

    def _none_of(self, seat: Seat, cards: int) -> float:
        return float((1 - self._held(seat)) ** cards)

    def _forced_above(self, seat: Seat, card: Card) -> float:
        """The chance that a seat has cards of the suit, and only higher ones."""
        if card[1] in self.lacking[seat]:
            return 0
        suit = [other for other in self.hidden if other[1] == card[1]]
        lower = sum(HEIGHT[other] < HEIGHT[card] for other in suit)
        return self._none_of(seat, lower) - self._none_of(seat, len(suit))

    def _thrown(self, seat: Seat, led: str) -> float:
        """What a seat after this one is likely to add to the trick."""
        suit = [other for other in self.hidden if other[1] == led]
        void = 1.0 if led in self.lacking[seat] else self._none_of(seat, len(suit))
        follows = sum(self.cost.cards[other] for other in suit) / len(suit) if suit else 0
        thrown = sum(self.cost.cards[other] for other in self.hidden if other[1] != led) * self._held(seat)
        dearest = max((self.cost.cards[other] for other in self.hidden), default=0)
        return void * min(thrown, dearest) + (1 - void) * follows
