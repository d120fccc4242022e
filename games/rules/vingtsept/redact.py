"""What a viewer sees of an event (api.md, Events; details.md, Shapes). An allow-list: an unknown event shows nothing.

Of what a viewer may not see, a list becomes its length and a single value is left out.
"""

from __future__ import annotations

from typing import Any

from games.rules.lifecycle import Event, plain
from games.rules.seats import Seat
from games.rules.vingtsept import events as told
from games.rules.vingtsept.atouts import ATOUTS

_PUBLIC = frozenset(
    {
        told.StarterDrawn,
        told.CardDrawn,
        told.CardPlaced,
        told.TurnPassed,
        told.TurnSkipped,
        told.ChanceOfReveal,
        told.HiddenRevealed,
        told.DecisionDrawn,
        told.TripleNine,
        told.RoundScored,
    }
)


def redact(event: Event, viewer: Seat | None) -> dict[str, Any]:
    """The event's data for this viewer, as JSON values."""
    if type(event) in _PUBLIC:
        return plain(event)
    match event:
        case told.RoundDealt():
            return _round_dealt(event, viewer)
        case told.AtoutsOffered(seat=seat, offers=offers):
            return {"seat": seat, "offers": list(offers) if viewer == seat else len(offers)}
        case told.AtoutPicked(seat=seat, atout=atout):
            return {"seat": seat, "atout": atout} if viewer == seat else {"seat": seat}
        case told.AtoutGiven(seat=seat, to=to, atout=atout):
            return {"seat": seat, "to": to, "atout": atout} if viewer in (seat, to) else {"seat": seat, "to": to}
        case told.PileReshuffled(cards=cards):
            return {"cards": len(cards)}
        case told.AtoutPlayed():
            return _atout_played(event, viewer)
        case _:
            return {}


def _round_dealt(event: told.RoundDealt, viewer: Seat | None) -> dict[str, Any]:
    """Of the hidden cards the viewer's own; the pile is for the replay only."""
    own = {str(viewer): event.hidden[viewer]} if viewer is not None and viewer in event.hidden else {}
    return {
        "round": event.round,
        "starter": event.starter,
        "visible": {str(seat): list(cards) for seat, cards in event.visible.items()},
        "hidden": own,
    }


def _atout_played(event: told.AtoutPlayed, viewer: Seat | None) -> dict[str, Any]:
    """Which Atout, and on whom, is public; of its effect what the Atout allows."""
    unit = ATOUTS[event.atout]
    parameters: dict[str, Any] = {name: getattr(event, name) for name in unit.parameters}
    return {"seat": event.seat, "atout": event.atout, **parameters, "effect": unit.shown(event, viewer)}
