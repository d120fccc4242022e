"""What a seat may send (gg.md, Actions), and what is well formed."""

from __future__ import annotations

import msgspec

from games.rules.bidding import Bid
from games.rules.cards import JOKER, Card
from games.rules.errors import Invalid
from games.rules.gg.options import Options
from games.rules.ruleset import Choice
from games.rules.wire import known_card, read


class Play(Choice, frozen=True, kw_only=True, tag="play"):
    """Lay a card of the hand. The joker needs the card that it stands for, all others must come without."""

    card: Card
    named: Card | None = msgspec.field(default=None, name="as")


Action = Bid | Play


def parse(given: object, options: Options) -> Action:
    """The action in its typed form. Raises Invalid: also for a card that the game's pack does not hold, and for
    `as` beside another card than the joker (details.md, Shapes).
    """
    action: Action = read(given, Action)
    if isinstance(action, Play):
        known_card(action.card, options.pack)
        if action.named is not None:
            if action.card != JOKER:
                raise Invalid("as", "unexpected")
            known_card(action.named, options.pack, "as")
    return action
