"""What a seat may send (vingtsept.md, Actions), and its reading from JSON.

Invariant: a `Play` carries exactly the parameters of its Atout, whatever their numbers. Whether it may be played is
decided elsewhere.
"""

from __future__ import annotations

from typing import Literal

from games.rules.cards import Card
from games.rules.errors import Invalid
from games.rules.ruleset import Choice
from games.rules.seats import Seat
from games.rules.vingtsept.atouts import ATOUTS
from games.rules.vingtsept.cards import PACK
from games.rules.vingtsept.play import PARAMETERS, AtoutKey, Play
from games.rules.wire import known_card, read


class Pick(Choice, tag="pick", frozen=True, kw_only=True, omit_defaults=True):
    """Keep one of the offered Atouts."""

    atout: AtoutKey


class Draw(Choice, tag="draw", frozen=True, kw_only=True, omit_defaults=True):
    """Turn up the top card of the pile."""


class Place(Choice, tag="place", frozen=True, kw_only=True, omit_defaults=True):
    """Lay the drawn card in place of another; `card` says which one after a double draw, and only then."""

    slot: int | Literal["hidden"]
    card: Card | None = None


class Pass(Choice, tag="pass", frozen=True, kw_only=True, omit_defaults=True):
    """Let the turn go by."""


class Give(Choice, tag="give", frozen=True, kw_only=True, omit_defaults=True):
    """Hand an Atout to the team-mate, at any time."""

    atout: AtoutKey
    to: Seat


Action = Pick | Draw | Place | Play | Pass | Give


def parse(given: object) -> Action:
    """The action in its typed form. Raises Invalid for what is malformed, whoever may send it and when."""
    if isinstance(given, dict):
        for member, value in given.items():
            if value is None:
                raise Invalid(str(member), "type")
    action: Action = read(given, Action)
    match action:
        case Pick(atout=key) | Give(atout=key) | Play(atout=key):
            if key not in ATOUTS:
                raise Invalid("atout", "choice")
        case Place(card=str(card)):
            known_card(card, PACK)
        case _:
            pass
    if isinstance(action, Play):
        _fitting_parameters(action)
    return action


def _fitting_parameters(action: Play) -> None:
    wanted = ATOUTS[action.atout].parameters
    for name in PARAMETERS:
        there = getattr(action, name) is not None
        if there and name not in wanted:
            raise Invalid(name, "unexpected")
        if name in wanted and not there:
            raise Invalid(name, "required")
