"""How a bot plays Plie: from its seat's view to an action. It knows what its seat may see, and nothing else.

`easy` guesses near the fair share and plays at random; `normal` weighs every card against those it has not seen;
`hard` adds what the others' announcements tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.rules.bidding import Bid
from games.rules.cards import Card
from games.rules.lifecycle import Level
from games.rules.plie.actions import Action
from games.rules.plie.deals import PACK, RANKS
from games.rules.plie.view import View, legal_actions, own_hand
from games.rules.stream import Stream
from games.rules.tricks import Play, by_suit, winner


def choose(view: View, level: Level, noise: Stream) -> Action:
    """One of the legal actions."""
    legal = legal_actions(view)
    if level == "easy":
        return _easy(view, legal, noise)
    bids = [action for action in legal if isinstance(action, Bid)]
    if bids:
        return _announce(view, bids)
    return _play(view, [action.card for action in legal if isinstance(action, Play)])


def _easy(view: View, legal: Sequence[Action], noise: Stream) -> Action:
    """A beginner: announces about a fair share, gives no thought to the cards."""
    if view.phase != "bidding":
        return legal[noise.below(len(legal))]
    share = (view.cards + noise.below(len(view.totals))) // len(view.totals) + noise.below(2)
    return min(legal, key=lambda bid: abs(bid.tricks - share) if isinstance(bid, Bid) else 0)


class Table(NamedTuple):
    """What matters for weighing a card: trump, the cards not seen, and how many of them the others hold."""

    trump: str
    unseen: frozenset[Card]
    held: float  # the chance that one given unseen card is in one given other hand
    hand: tuple[Card, ...]


def _table(view: View) -> Table:
    assert view.turned is not None, "a dealt hand has a trump"
    hand = own_hand(view)
    gone = {card for tricks in view.taken.values() for trick in tricks for _, card in trick}
    gone |= {card for _, card in view.trick}
    unseen = frozenset(PACK) - gone - set(hand)
    if view.turned_from == "pack":
        unseen -= {view.turned}
    others = [held for seat, held in view.hands.items() if seat != view.seat and isinstance(held, int)]
    share = sum(others) / len(others) / max(1, len(unseen))
    return Table(view.turned[1], unseen, min(1.0, share), hand)


def _stands(card: Card, table: Table, opponents: int, *, led: bool) -> float:
    """The chance that no one of so many opponents beats this card, if it is the highest so far.

    Where they may follow its suit they must: a trump is to be feared from those alone who have none of it.
    """
    higher = sum(other[1] == card[1] and RANKS.index(other[0]) > RANKS.index(card[0]) for other in table.unseen)
    safe = (1 - table.held) ** higher
    if card[1] != table.trump and led:
        suit = sum(other[1] == card[1] for other in table.unseen)
        trumps = sum(other[1] == table.trump for other in table.unseen)
        void = (1 - table.held) ** suit
        safe *= 1 - void * (1 - (1 - table.held) ** trumps)
    return float(safe**opponents)


def _announce(view: View, bids: Sequence[Bid]) -> Action:
    """The allowed number nearest to what the hand is worth, somewhat less where others have announced a lot."""
    worth = _worth(view)
    return min(bids, key=lambda bid: abs(bid.tricks - worth))


def _worth(view: View) -> float:
    """Tricks to be expected from the hand."""
    table, seats = _table(view), len(view.totals)
    opponents = seats - 1
    leads = not view.bids
    worth = 0.0
    for card in table.hand:
        chance = _stands(card, table, opponents, led=True)
        if card[1] != table.trump:
            chance *= _comes_up(view.cards, leads=leads)
        worth += chance
    said, awaited = sum(view.bids.values()), len(view.bids) * view.cards / seats
    return worth - 0.15 * (said - awaited)


def _comes_up(cards: int, *, leads: bool) -> float:
    """The chance that a plain card is ever played to a trick of its own suit, or leads one."""
    if leads and cards == 1:
        return 1.0
    return 0.3 if cards == 1 else min(1.0, 0.55 + 0.1 * cards)


def _play(view: View, cards: Sequence[Card]) -> Action:
    table = _table(view)
    assert view.seat is not None, "a spectator does not play"
    need = view.bids[view.seat] - view.tricks[view.seat]
    if not view.trick:
        return Play(card=_lead(cards, table, len(view.totals) - 1, need))
    strength = by_suit(RANKS, led=view.trick[0][1][1], trump=table.trump)
    wins = [card for card in cards if winner((*view.trick, (view.seat, card)), strength) == view.seat]
    loses = [card for card in cards if card not in wins]
    return Play(card=_follow(wins, loses, table, len(view.totals) - 1 - len(view.trick), need))


def _height(card: Card, table: Table) -> int:
    return RANKS.index(card[0]) + (len(RANKS) if card[1] == table.trump else 0)


def _lead(cards: Sequence[Card], table: Table, opponents: int, need: int) -> Card:
    """The surest trick if more are wanted, else the surest loser."""

    def chance(card: Card) -> float:
        return _stands(card, table, opponents, led=True)

    if need > 0:
        return max(cards, key=lambda card: (chance(card), -_height(card, table)))
    return min(cards, key=lambda card: (chance(card), _height(card, table)))


def _follow(wins: Sequence[Card], loses: Sequence[Card], table: Table, to_come: int, need: int) -> Card:
    if need > 0:
        return _take(wins, loses, table, to_come)
    if loses:  # shed what would be most likely to take a trick later
        return max(loses, key=lambda card: _height(card, table))
    if to_come == 0:
        return max(wins, key=lambda card: _height(card, table))
    return min(wins, key=lambda card: _height(card, table))


def _take(wins: Sequence[Card], loses: Sequence[Card], table: Table, to_come: int) -> Card:
    """The cheapest card that is likely enough to take the trick; if there is none, the least of all cards."""
    likely = [card for card in wins if _stands(card, table, to_come, led=True) > 0.6]
    if likely:
        return min(likely, key=lambda card: _height(card, table))
    return min(loses or wins, key=lambda card: _height(card, table))
