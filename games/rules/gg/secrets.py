"""What a viewer has had no sight of in this deal: the conformance suite's measure for views and redactions.

Written from gg.md, "Who may see what", and kept apart from sight.py on purpose: it must not ask what it judges.
"""

from __future__ import annotations

from games.rules.cards import Card
from games.rules.gg.state import State
from games.rules.seats import Seat


def secrets(state: State, seat: Seat | None) -> frozenset[Card]:
    """The cards of this deal's pack that the viewer has not seen, undealt ones among them."""
    unseen = set(state.options.pack_for(state.cards)) - set(state.shown)
    if seat is None or seat not in state.order:
        return frozenset(unseen)
    if state.cards > 1:
        return frozenset(unseen.difference(state.hands[seat]))
    for other in state.order:
        if other != seat:
            unseen.difference_update(state.hands[other])
    return frozenset(unseen)
