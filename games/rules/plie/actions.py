"""What a seat can send in Plie (plie.md, Actions)."""

from __future__ import annotations

from games.rules.bidding import Bid
from games.rules.tricks import Play

Action = Bid | Play
