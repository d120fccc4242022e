"""How bots play Plie: from a view to an action. A bot knows what its seat sees and nothing else.

`easy` announces about a fair share and gives no thought to its cards. `normal` plays the deal out in imagination
before it announces, then weighs every card against those it has not seen. `hard` imagines the rest of the deal
before every card.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.bidding import Bid
from games.rules.cards import Card
from games.rules.lifecycle import Level
from games.rules.plie.actions import Action
from games.rules.plie.decide import points
from games.rules.plie.rollout import Deal, fair_aim, worlds
from games.rules.plie.view import View, legal_actions
from games.rules.plie.weighing import Weighing
from games.rules.stream import Stream
from games.rules.tricks import Play

ANNOUNCING = 16  # deals imagined per number
PLAYING = 12  # deals imagined per card by `hard`
AROUND = 2  # numbers tried on either side of what the hand is worth at a glance


def choose(view: View, level: Level, noise: Stream) -> Action:
    """What the view's seat does; it must be its turn."""
    legal = legal_actions(view)
    if len(legal) == 1:
        return legal[0]
    bids = [action.tricks for action in legal if isinstance(action, Bid)]
    if level == "easy":
        return Bid(tricks=_fair_share(view, bids, noise)) if bids else legal[noise.below(len(legal))]
    if bids:
        return Bid(tricks=_announced(view, bids, noise))
    cards = [action.card for action in legal if isinstance(action, Play)]
    return Play(card=_best_imagined(view, cards, noise) if level == "hard" else Weighing(view).best(cards))


def _fair_share(view: View, bids: Sequence[int], noise: Stream) -> int:
    """What a beginner announces."""
    share = (view.cards + noise.below(len(view.totals))) // len(view.totals) + noise.below(2)
    return min(bids, key=lambda tricks: abs(tricks - share))


def _announced(view: View, bids: Sequence[int], noise: Stream) -> int:
    """The number that brings most points over the deals imagined, if its seat then plays for it."""
    seats, trump = len(view.totals), _trump(view)
    assert view.seat is not None, "a spectator announces nothing"
    hand = view.hands[view.seat]
    assert not isinstance(hand, int), "one's own hand is written out"
    glance = fair_aim(hand, trump, seats)
    tried = sorted(bids, key=lambda tricks: abs(tricks - glance))[: 2 * AROUND + 1]
    gains = dict.fromkeys(tried, 0)
    for hands in worlds(view, ANNOUNCING, noise):
        aims = [view.bids.get(seat, fair_aim(held, trump, seats)) for seat, held in enumerate(hands)]
        for tricks in tried:
            aims[view.seat] = tricks
            taken = Deal([list(held) for held in hands], trump, _leader(view), list(aims)).result()
            gains[tricks] += points(tricks, taken[view.seat])
    return max(tried, key=lambda tricks: gains[tricks])


def _best_imagined(view: View, cards: Sequence[Card], noise: Stream) -> Card:
    """The card after which the seat has most points over the deals imagined."""
    assert view.seat is not None, "a spectator plays no card"
    gains = dict.fromkeys(cards, 0)
    aims = [view.bids[seat] - view.tricks[seat] for seat in range(len(view.totals))]
    for hands in worlds(view, PLAYING, noise):
        for card in cards:
            deal = Deal([list(held) for held in hands], _trump(view), view.seat, list(aims))
            deal.trick = list(view.played)
            deal.play(card)
            gains[card] += points(view.bids[view.seat], view.tricks[view.seat] + deal.result()[view.seat])
    return max(cards, key=lambda card: gains[card])


def _trump(view: View) -> str:
    assert view.turned is not None, "a dealt hand has a trump"
    return view.turned[1]


def _leader(view: View) -> int:
    """The first to announce, who leads."""
    assert view.dealer is not None, "a deal has a dealer"
    return (view.dealer - 1) % len(view.totals)
