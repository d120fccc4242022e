"""How bots play GG: from a view to an action.

A bot knows what its seat sees and nothing else; states are out of its reach. `easy` does anything that is allowed,
`normal` and `hard` bid what their hand is worth and then play for exactly that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from games.rules.bidding import Bid
from games.rules.cards import JOKER, Card
from games.rules.gg.actions import Action, Play
from games.rules.gg.strength import strengths
from games.rules.gg.view import JOKER_NAMES, View, completions, legal_actions
from games.rules.lifecycle import Level
from games.rules.seats import Seat, around
from games.rules.stream import Stream
from games.rules.tricks import winner

SAFE, SURE = 0.1, 0.9  # chances that count as no and as yes


def choose(view: View, level: Level, noise: Stream) -> Action:
    """What the view's seat does; it must be its turn."""
    legal = legal_actions(view)
    if level == "easy":
        ways = completions(legal[noise.below(len(legal))])
        return ways[noise.below(len(ways))]
    judge = _Judge(view)
    if view.phase == "bidding":
        return judge.bid([action.tricks for action in legal if isinstance(action, Bid)])
    return judge.play()


class _Option(NamedTuple):
    """One way to play: a card, the joker under one name counting as one each."""

    action: Play
    height: int
    chance: float  # of taking the trick with it


class _Judge:
    """One seat's view, with what it says about chances."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.view = view
        self.seat: Seat = view.seat
        self.strength = strengths(manilha=view.options.manilha)
        self.cancel: Callable[[Card], object] | None = self.strength.__getitem__ if view.options.cut else None
        seen = {card for cards in view.hands.values() if not isinstance(cards, int) for card in cards}
        seen.update(view.shown)
        self.unseen = [card for card in view.options.pack_for(view.cards) if card not in seen]
        self.heights = [self._height(card) for card in self.unseen]

    def _height(self, card: Card) -> int:
        """The joker is worth a plain ace to whoever holds it."""
        return self.strength["AS"] if card == JOKER else self.strength[card]

    # --- bids -------------------------------------------------------------------------------------------------

    def bid(self, possible: Sequence[int]) -> Bid:
        """The possible number nearest to what the hand is worth."""
        worth = self._blind_worth() if self.view.cards == 1 else self._worth()
        return Bid(tricks=min(possible, key=lambda tricks: abs(tricks - worth)))

    def _blind_worth(self) -> float:
        """The share of the cards that one's own may be with which it would win: all others are in sight."""
        wins = 0
        order = [seat for seat in around(self.view.starter, len(self.view.lives)) if seat in self.view.hands]
        for own in self.unseen:
            played = [(seat, own if seat == self.seat else self._card_of(seat)) for seat in order]
            wins += winner(played, self.strength.__getitem__, cancel=self.cancel) == self.seat
        return wins / len(self.unseen)

    def _card_of(self, seat: Seat) -> Card:
        cards = self.view.hands[seat]
        assert not isinstance(cards, int), "in the deal of one card all others are in sight"
        return cards[0]

    def _worth(self) -> float:
        """Tricks to expect: each card's chance against as many cards as there are opponents."""
        opponents = len(self.view.hands) - 1
        return sum(self._chance(self._height(card), opponents) for card in self.view.hand)

    def _chance(self, height: int, opponents: int) -> float:
        """That so many unseen cards all stay below (equal ones: played later as often as earlier)."""
        below = sum(other < height for other in self.heights)
        equal = sum(other == height for other in self.heights)
        share = (below + (0 if self.cancel else equal / 2)) / max(1, len(self.heights))
        return float(share**opponents)

    # --- tricks -----------------------------------------------------------------------------------------------

    def play(self) -> Play:
        """The card that serves the bid: take tricks while some are missing, else get rid of high cards unharmed."""
        view = self.view
        missing = view.bids[self.seat] - view.tricks[self.seat]
        options = sorted(self._options(), key=lambda option: (option.height, option.action.card == JOKER))
        if missing <= 0:
            return self._shed(options)
        if missing >= len(view.hand):
            return max(options, key=lambda option: (option.chance, -option.height)).action
        return self._take_or_wait(options, missing)

    def _options(self) -> list[_Option]:
        found = []
        for card in self.view.hand:
            for name in self._names() if card == JOKER else [card]:
                action = Play(card=card, named=name if card == JOKER else None)
                found.append(_Option(action, self.strength[name], self._winning(name)))
        return found

    def _names(self) -> list[Card]:
        """One name of each height for the joker."""
        return list({self.strength[name]: name for name in JOKER_NAMES}.values())

    def _winning(self, name: Card) -> float:
        """The chance that this card takes the present trick."""
        view = self.view
        played = [(laid.seat, laid.counts_as) for laid in view.trick]
        played.append((self.seat, name))
        if winner(played, self.strength.__getitem__, cancel=self.cancel) != self.seat:
            return 0.0
        return self._holding(self.strength[name], len(view.hands) - len(played))

    def _holding(self, height: int, to_come: int) -> float:
        """That none of the cards still to come goes over this one; equal ones only harm under `cut`."""
        if to_come == 0:
            return 1.0
        harmless = sum(other < height or (other == height and not self.cancel) for other in self.heights)
        return float((harmless / max(1, len(self.heights))) ** to_come)

    def _shed(self, options: list[_Option]) -> Play:
        """No trick is wanted: the highest card that hardly wins, else the one that wins least likely."""
        safe = [option for option in options if option.chance < SAFE]
        if safe:
            return safe[-1].action
        return min(options, key=lambda option: (option.chance, option.height)).action

    def _take_or_wait(self, options: list[_Option], missing: int) -> Play:
        """Some tricks are wanted: the cheapest card that surely wins; the lowest one where winning is unlikely."""
        sure = [option for option in options if option.chance > SURE]
        if sure:
            return sure[0].action
        best = max(options, key=lambda option: option.chance)
        spare = len(self.view.hand) - missing
        if best.chance >= 1 / (1 + spare):
            return best.action
        return options[0].action
