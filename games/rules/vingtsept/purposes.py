"""What each Atout is good for, in a bot's eyes: the chance of winning the round after it, or what it saves and gains.

An Atout that has no line here is picked last and never played by bots.
"""

from __future__ import annotations

from collections.abc import Callable

from games.rules.seats import Seat
from games.rules.vingtsept.atouts.instable import THRESHOLDS
from games.rules.vingtsept.cards import VALUES
from games.rules.vingtsept.odds import Odds, Rival, worth
from games.rules.vingtsept.play import AtoutKey, Play
from games.rules.vingtsept.scoring import FIRST_PRICES
from games.rules.vingtsept.view import View

NEVER = -1.0
WHOLE = 30  # HP that a seat begins with: losses are weighed against it
SURVIVAL = 0.5  # what it is worth not to go out

# How gladly a bot takes an Atout.
_LIKING: dict[AtoutKey, float] = {
    "ajustement": 9,
    "double_pioche": 8.5,
    "echange": 8,
    "miroir": 7,
    "mue": 6,
    "recyclage": 6.5,
    "bouclier": 5.5,
    "instable": 5,
    "enchere": 4.5,
    "sauvetage": 4,
    "larcin": 3.5,
    "permutation": 3,
    "voyance": 2.5,
    "projecteur": 2,
    "parade": 1.5,
    "brouillage": 1,
    "gel": 1,
}


def liking(view: View, key: AtoutKey) -> float:
    """How gladly it is picked: less with every one of its kind in hand; a rescue more when it may be needed."""
    assert view.seat is not None
    close = key == "sauvetage" and view.seats[view.seat].hp <= _price(view)
    return _LIKING.get(key, 0) + (6 if close else 0) - 1.5 * view.atouts.count(key)


def outlook(view: View, odds: Odds, play: Play) -> float:
    """The chance of winning the round after this Atout, with what it saves or gains besides."""
    purpose = _PURPOSES.get(play.atout)
    return purpose(view, odds, play) if purpose else NEVER


def _price(view: View) -> int:
    """The price of a round that does not last; a raise counted."""
    price = FIRST_PRICES[min(max(view.round, 1), len(FIRST_PRICES)) - 1]
    return min(2 * price, WHOLE) if "enchere" in view.effects else price


def _going_on(odds: Odds) -> float:
    """The chance if the seat goes on as best it can without an Atout."""
    return max(odds.win(odds.total), odds.drawn())


# --- a better total -----------------------------------------------------------------------------------------------


def _ajustement(view: View, odds: Odds, play: Play) -> float:
    del view
    return odds.win(odds.total + (play.delta or 0))


def _double_pioche(view: View, odds: Odds, play: Play) -> float:
    del view, play
    return odds.drawn_twice()


def _mue(view: View, odds: Odds, play: Play) -> float:
    del view, play
    return odds.moulted()


def _recyclage(view: View, odds: Odds, play: Play) -> float:
    assert play.slot is not None
    return odds.replaced(play.slot, VALUES[view.discards[-1]])


def _miroir(view: View, odds: Odds, play: Play) -> float:
    assert play.slot is not None
    return odds.replaced(play.slot, _target_value(view, play))


def _echange(view: View, odds: Odds, play: Play) -> float:
    """Better for the seat, and perhaps worse for the opponent."""
    assert play.slot is not None
    gained, given = _target_value(view, play), odds.visible[play.slot]
    if odds.replaced(play.slot, gained) == 1.0:
        return 1.0
    place = view.opponents(_seat(view)).index(play.target or 0)
    rivals = list(odds.rivals)
    rivals[place] = Rival(rivals[place].base - gained + given, rivals[place].hidden)
    return odds.win(odds.total - given + gained, rivals=tuple(rivals))


def _permutation(view: View, odds: Odds, play: Play) -> float:
    """Worth a turn if the hidden card is the one to be replaced: then the next draw is a better one."""
    del view
    assert play.slot is not None
    kept = odds.visible[1 - play.slot]
    other = [
        max(
            odds.win(odds.total - odds.hidden + value),
            odds.win(odds.total - kept + value),
        )
        * chance
        for value, chance in odds.unseen.items()
    ]
    return sum(other) - 0.1


def _instable(view: View, odds: Odds, play: Play) -> float:
    del view, play
    others = [threshold for threshold in THRESHOLDS if threshold != odds.threshold]
    return sum(odds.win(odds.total, threshold) for threshold in others) / len(others)


# --- what is at stake ---------------------------------------------------------------------------------------------


def _bouclier(view: View, odds: Odds, play: Play) -> float:
    """Half the price saved, and perhaps the seat's life."""
    own = view.seats[_seat(view)]
    if play.atout in own.effects:
        return NEVER
    price, going_on = _price(view), _going_on(odds)
    saved = price // 2 / WHOLE
    if price - price // 2 < own.hp <= price:
        saved += SURVIVAL
    return going_on + (1 - going_on) * saved


def _sauvetage(view: View, odds: Odds, play: Play) -> float:
    own = view.seats[_seat(view)]
    if play.atout in own.effects or own.hp > _price(view):
        return NEVER
    going_on = _going_on(odds)
    return going_on + (1 - going_on) * SURVIVAL


def _enchere(view: View, odds: Odds, play: Play) -> float:
    """Only who is likely to win raises; all the more if it puts an opponent out."""
    del play
    price, stays = _price(view), odds.win(odds.total)
    more = min(price, WHOLE - price) / WHOLE
    if any(price < view.seats[other].hp <= 2 * price for other in view.opponents(_seat(view))):
        more += SURVIVAL
    return stays + (2 * stays - 1) * more


# --- knowledge and hindrance --------------------------------------------------------------------------------------


def _looking(view: View, odds: Odds, play: Play) -> float:
    """A look at the hidden card helps who is in doubt."""
    going_on = _going_on(odds)
    known = view.seats[play.target or 0].hidden is not None
    return NEVER if known else going_on + 0.12 * (0.5 - abs(0.5 - going_on))


def _larcin(view: View, odds: Odds, play: Play) -> float:
    """An Atout more for the seat, one less for a well-stocked opponent."""
    return _going_on(odds) + 0.01 * min(view.held(play.target or 0), 5)


def _parade(view: View, odds: Odds, play: Play) -> float:
    """Worth it for a hand that others would like to spoil."""
    if play.atout in view.seats[_seat(view)].effects:
        return NEVER
    stays = odds.win(odds.total)
    return stays + (0.015 * max(view.held(other) for other in view.opponents(_seat(view))) if stays > 0.5 else NEVER)


def _hindering(view: View, odds: Odds, play: Play) -> float:
    """Against an opponent with many answers, for a seat that stands well; once is enough."""
    target = view.seats[play.target or 0]
    stays = odds.win(odds.total)
    if stays < 0.5 or play.atout in target.effects:
        return NEVER
    return stays + 0.015 * target.atouts


def _seat(view: View) -> Seat:
    assert view.seat is not None
    return view.seat


def _target_value(view: View, play: Play) -> int:
    assert play.target is not None
    assert play.target_slot is not None
    return worth(view.seats[play.target].visible[play.target_slot])


Purpose = Callable[[View, Odds, Play], float]

_PURPOSES: dict[AtoutKey, Purpose] = {
    "instable": _instable,
    "sauvetage": _sauvetage,
    "bouclier": _bouclier,
    "enchere": _enchere,
    "voyance": _looking,
    "projecteur": _looking,
    "echange": _echange,
    "larcin": _larcin,
    "brouillage": _hindering,
    "gel": _hindering,
    "mue": _mue,
    "permutation": _permutation,
    "ajustement": _ajustement,
    "double_pioche": _double_pioche,
    "miroir": _miroir,
    "parade": _parade,
    "recyclage": _recyclage,
}
