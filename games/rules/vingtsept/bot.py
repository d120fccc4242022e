"""What a bot does with a view. It may not see a state: what a player in its seat could not know, it does not know.

`normal` weighs every action by the chance of winning the round that it leads to, judged a little
wrong each time; `hard` judges as well as it can; `easy` goes by its own total alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.lifecycle import Level
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.vingtsept.actions import Action, Draw, Give, Pass, Pick, Place
from games.rules.vingtsept.cards import VALUES
from games.rules.vingtsept.legal import legal_actions
from games.rules.vingtsept.odds import Odds
from games.rules.vingtsept.play import Play
from games.rules.vingtsept.purposes import liking, outlook
from games.rules.vingtsept.view import View

SLIP = {"easy": 0.0, "normal": 0.12, "hard": 0.0}
TEMPO = 0.01  # what it costs to keep the round going
IMPATIENCE = 6  # `easy` lets one turn in so many go by: with a low hidden card it might draw for ever
CONTENT = 7  # `easy` stays with a total so few below the threshold


def choose(view: View, level: Level, noise: Stream) -> Action:
    """One of the legal actions; never a gift, which moves nothing on."""
    assert view.seat is not None
    legal = [action for action in legal_actions(view) if not isinstance(action, Give)]
    if level == "easy":
        return _easily(view, view.seat, legal, noise)
    picks = [action for action in legal if isinstance(action, Pick)]
    if picks:
        return max(picks, key=lambda pick: liking(view, pick.atout))
    odds = Odds(view, view.seat)
    return max(legal, key=lambda action: _worth(view, odds, action) + _slip(level, noise))


def _slip(level: Level, noise: Stream) -> float:
    return SLIP[level] * (noise.below(2001) - 1000) / 1000 if SLIP[level] else 0.0


def _worth(view: View, odds: Odds, action: Action) -> float:
    match action:
        case Pass():
            return odds.win(odds.total)
        case Draw():
            return odds.drawn() - TEMPO
        case Place(slot=slot, card=card):
            value = VALUES[card or view.drawn[0]]
            return odds.replaced(2 if isinstance(slot, str) else slot, value)
        case Play():
            return outlook(view, odds, action) - TEMPO
        case _:
            return 0.0


# --- easy ---------------------------------------------------------------------------------------------------------


def _easily(view: View, seat: Seat, legal: Sequence[Action], noise: Stream) -> Action:
    """Any pick, any Atout now and then, a draw when far from the threshold, and the card wherever it fits best."""
    places = [action for action in legal if isinstance(action, Place)]
    if places:
        return _nearest(view, seat, places) if noise.below(4) else places[noise.below(len(places))]
    total = view.seats[seat].total
    plays = [action for action in legal if isinstance(action, Play)]
    if view.phase != "turn" or total is None:
        return legal[noise.below(len(legal))]
    if plays and noise.below(4) == 0:
        return plays[noise.below(len(plays))]
    content = 0 <= view.threshold - total <= CONTENT
    return Pass() if content or noise.below(IMPATIENCE) == 0 else Draw()


def _nearest(view: View, seat: Seat, places: list[Place]) -> Place:
    odds = Odds(view, seat)

    def distance(action: Place) -> int:
        replaced = odds.hidden if isinstance(action.slot, str) else odds.visible[action.slot]
        below = view.threshold - (odds.total - replaced + VALUES[action.card or view.drawn[0]])
        return below if below >= 0 else 100 - below

    return min(places, key=distance)
