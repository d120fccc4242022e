"""Every action that a seat may take, from its view alone; with the same predicates that `decide` refuses by."""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.seats import Seat
from games.rules.vingtsept.actions import Action, Draw, Give, Pass, Pick, Place
from games.rules.vingtsept.atouts import ATOUTS
from games.rules.vingtsept.cards import Laid
from games.rules.vingtsept.play import AtoutKey
from games.rules.vingtsept.state import HAND_LIMIT
from games.rules.vingtsept.turns import jammed, open_slots
from games.rules.vingtsept.view import View


def legal_actions(view: View) -> tuple[Action, ...]:
    """Atouts once for every combination of their parameters, equal ones once; gifts also out of turn (details.md)."""
    if view.seat is None or not view.to_act:
        return ()
    own = tuple(_in_turn(view, view.seat)) if view.seat in view.to_act else ()
    return (*own, *_gifts(view, view.seat))


def _in_turn(view: View, seat: Seat) -> Iterator[Action]:
    match view.phase:
        case "picking" | "reward":
            yield from (Pick(atout=key) for key in view.offers)
        case "placing" | "double-placing":
            yield from _places(view, seat)
        case _:
            yield Draw()
            yield Pass()
            yield from _plays(view, seat)


def _places(view: View, seat: Seat) -> Iterator[Place]:
    visible = [Laid(shown.card, shown.value) for shown in view.seats[seat].visible]
    for card in view.drawn:
        for slot in open_slots(visible, card):
            yield Place(slot=slot, card=card if view.phase == "double-placing" else None)


def _plays(view: View, seat: Seat) -> Iterator[Action]:
    if not jammed(view.seats[seat].effects):
        for key in _kinds(view):
            yield from ATOUTS[key].plays(view, seat)


def _gifts(view: View, seat: Seat) -> Iterator[Give]:
    mate = view.mate(seat)
    if mate is not None and view.held(mate) < HAND_LIMIT:
        yield from (Give(atout=key, to=mate) for key in _kinds(view))


def _kinds(view: View) -> tuple[AtoutKey, ...]:
    return tuple(dict.fromkeys(view.atouts))
