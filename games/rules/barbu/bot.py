"""How bots play Barbu: from a view to an action. A bot knows what its seat sees and nothing else.

`easy` does anything that is allowed. `normal` plays out the contracts left in imagination before it declares one,
weighs the risk of every card, and lays the patience so that its own cards come next. `hard` imagines the rest of the
deal before every card.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.barbu.actions import Action, Declare
from games.rules.barbu.options import Contract
from games.rules.barbu.risk import Risk
from games.rules.barbu.rollout import Patience, Tricks, best_to_lay, prices, worlds
from games.rules.barbu.view import View, laid_cards, legal_actions, own_hand
from games.rules.cards import Card
from games.rules.lifecycle import Level
from games.rules.stream import Stream
from games.rules.tricks import Play

DECLARING = 16  # deals imagined per contract
PLAYING = 10  # deals imagined per card by `hard`


def choose(view: View, level: Level, noise: Stream) -> Action:
    """What the view's seat does; it must be its turn."""
    legal = legal_actions(view)
    if level == "easy" or len(legal) == 1:
        return legal[noise.below(len(legal))]
    if view.phase == "declaring":
        return _declare(view, [action.contract for action in legal if isinstance(action, Declare)], noise)
    cards = [action.card for action in legal if isinstance(action, Play)]
    if not cards:
        return legal[noise.below(len(legal))]  # shuffling, cutting, dealing: nothing is to be known
    if level == "hard" and len(cards) > 1:
        return Play(card=_best_imagined(view, cards, noise))
    return Play(card=best_to_lay(cards, own_hand(view)) if view.phase != "tricks" else Risk(view).best(cards))


def _declare(view: View, left: Sequence[Contract], noise: Stream) -> Action:
    """The contract that spares this hand most, against what it costs a seat on average: each must be played once."""
    gains = dict.fromkeys(left, 0.0)
    assert view.seat is not None, "a spectator declares nothing"
    for hands in worlds(view, DECLARING, noise):
        for contract in left:
            points = _declared(view, contract, [list(hand) for hand in hands])
            gains[contract] += sum(points) / len(points) - points[view.seat]
    return Declare(contract=max(left, key=lambda contract: gains[contract]))


def _declared(view: View, contract: Contract, hands: list[list[Card]]) -> list[int]:
    assert view.seat is not None, "a spectator declares nothing"
    step = view.options.step
    if contract == "patience":
        return Patience(hands, view.seat, step).result()
    return Tricks(hands, view.seat, step, prices(contract, len(hands), view.options)).result()


def _best_imagined(view: View, cards: Sequence[Card], noise: Stream) -> Card:
    """The card after which the seat fares best against the others over the deals imagined."""
    losses = dict.fromkeys(cards, 0.0)
    assert view.seat is not None, "a spectator plays no card"
    for hands in worlds(view, PLAYING, noise):
        for card in cards:
            points = _played(view, card, [list(hand) for hand in hands])
            losses[card] += points[view.seat] - sum(points) / len(points)
    return min(cards, key=lambda card: losses[card])


def _played(view: View, card: Card, hands: list[list[Card]]) -> list[int]:
    assert view.seat is not None, "a spectator plays no card"
    assert view.contract is not None, "cards are played under a contract"
    step = view.options.step
    if view.contract == "patience":
        race = Patience(hands, view.seat, step)
        race.go_on_from(laid_cards(view), view.out)
        race.lay(card)
        return race.result()
    deal = Tricks(hands, view.seat, step, prices(view.contract, len(hands), view.options))
    deal.go_on_from([(seat, trick) for seat, tricks in view.taken.items() for trick in tricks], view.played)
    deal.play(card)
    return deal.result()
