"""What a seat can send in Plie (plie.md, Actions)."""

from __future__ import annotations

from games.rules.bidding import Bid
from games.rules.cards import Card
from games.rules.ruleset import Choice


class Play(Choice, frozen=True, kw_only=True, tag="play"):
    card: Card


Action = Bid | Play
