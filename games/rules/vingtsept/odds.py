"""What a seat can tell of its chances from its view: the unseen cards counted, the opponents' totals weighed.

Must not: see a state. Every card that the view does not show counts as equally likely to lie anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from games.rules.cards import Card
from games.rules.seats import Seat
from games.rules.vingtsept.cards import NINE, PACK, VALUES
from games.rules.vingtsept.view import CardView, View

CONTENT = 4  # an opponent so near the threshold stays as it is
IMPROVES = 0.35  # how often another one still betters itself before the Reveal
# The chance that an opponent who draws and replaces ends above a total so many below the threshold.
BETTERED = (0.04, 0.13, 0.22, 0.3, 0.37, 0.44, 0.5, 0.56, 0.61, 0.66, 0.7, 0.74, 0.78)
ALL_BUST = 0.1  # what a bust hand is still worth, if all others bust too


class Rival(NamedTuple):
    """An opponent: what its visible cards and adjustments count, and its hidden card where this seat knows it."""

    base: int
    hidden: int | None


class Odds:
    """The chances of one seat in the position that its view shows."""

    def __init__(self, view: View, seat: Seat) -> None:
        own = view.seats[seat]
        assert own.hidden is not None
        self.threshold = view.threshold
        self.visible = tuple(worth(card) for card in own.visible)
        self.hidden = worth(own.hidden)
        self.adjustment = own.adjustment
        self.total = sum(self.visible) + self.hidden + own.adjustment
        self.rivals = tuple(self._rival(view, other) for other in view.opponents(seat))
        self.unseen = unseen(view)
        self._known: dict[tuple[int, int, tuple[Rival, ...]], float] = {}

    @staticmethod
    def _rival(view: View, seat: Seat) -> Rival:
        other = view.seats[seat]
        base = sum(worth(card) for card in other.visible) + other.adjustment
        return Rival(base, worth(other.hidden) if other.hidden else None)

    def win(self, total: int, threshold: int | None = None, rivals: tuple[Rival, ...] | None = None) -> float:
        """The chance that this total wins the round; other threshold or rivals for what might become of them."""
        threshold = self.threshold if threshold is None else threshold
        rivals = self.rivals if rivals is None else rivals
        key = (total, threshold, rivals)
        if key not in self._known:
            self._known[key] = self._win(total, threshold, rivals)
        return self._known[key]

    def _win(self, total: int, threshold: int, rivals: Sequence[Rival]) -> float:
        if total > threshold:
            chance = ALL_BUST
            for rival in rivals:
                chance *= 1 - self._spread(rival, lambda other: float(other <= threshold))
            return chance
        chance = 1.0
        bettered = BETTERED[min(threshold - total, len(BETTERED) - 1)]

        def beats(other: int) -> float:
            now = 0.5 if other == total else float(total < other <= threshold)
            if threshold - CONTENT <= other <= threshold:
                return now
            return (1 - IMPROVES) * now + IMPROVES * bettered

        for rival in rivals:
            chance *= 1 - self._spread(rival, beats)
        return chance

    def _spread(self, rival: Rival, weigh: Callable[[int], float]) -> float:
        """A weight averaged over the totals that the rival may have."""
        if rival.hidden is not None:
            return weigh(rival.base + rival.hidden)
        return sum(chance * weigh(rival.base + value) for value, chance in self.unseen.items())

    def replaced(self, slot: int, value: int) -> float:
        """The chance with a card of this value in place of a visible one (2: the hidden one)."""
        cards = [*self.visible, self.hidden]
        cards[slot] = value
        if cards == [NINE] * 3:
            return 1.0
        return self.win(sum(cards) + self.adjustment)

    def placed(self, value: int) -> float:
        """The chance after the best placing of a drawn card."""
        slots = (0, 1, 2) if value == NINE and self.visible == (NINE, NINE) else (0, 1)
        return max(self.replaced(slot, value) for slot in slots)

    def drawn(self) -> float:
        """The chance after a draw."""
        return sum(chance * self.placed(value) for value, chance in self.unseen.items())

    def drawn_twice(self) -> float:
        """The chance after a double draw."""
        placed = sorted((self.placed(value), chance) for value, chance in self.unseen.items())
        below, expected = 0.0, 0.0
        for worth_it, chance in placed:
            expected += worth_it * ((below + chance) ** 2 - below**2)
            below += chance
        return expected

    def moulted(self) -> float:
        """The chance with an unseen card for the hidden one."""
        return sum(chance * self.replaced(2, value) for value, chance in self.unseen.items())


def worth(card: CardView) -> int:
    """What a card counts."""
    return VALUES[card.card] if card.value is None else card.value


def unseen(view: View) -> Mapping[int, float]:
    """For each value the chance that an unseen card has it."""
    counts = dict.fromkeys(range(1, 14), 4)
    for card in seen(view):
        counts[VALUES[card]] -= 1
    number = sum(counts.values())
    return {value: count / number for value, count in counts.items() if count > 0}


def seen(view: View) -> Iterator[Card]:
    """The cards of the pack that lie open to this viewer now."""
    cards = {*view.discards, *view.drawn}
    for seat in view.seats:
        if seat.out_round is None:
            cards |= {shown.card for shown in (*seat.visible, *([seat.hidden] if seat.hidden else []))}
    return (card for card in PACK if card in cards)
