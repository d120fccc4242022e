"""Lists of games: which ones somebody may know of, and how they are shown.

Invariant: a private game is listed to those who sit there alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Game, Seat
from games.rules import lifecycle as life
from games.services import watch
from games.services.documents import GameDocument
from games.store.load import load_all


def known_to(
    player_id: str,
    *,
    status: life.Status | None = None,
    rules: str | None = None,
    mode: life.Mode | None = None,
    mine: bool = False,
) -> QuerySet[Game]:
    """The games that this player may know of: public ones and those with a seat of theirs."""
    own = Exists(Seat.objects.filter(game_id=OuterRef("id"), player_id=player_id))
    games = Game.objects.filter(own if mine else Q(visibility="public") | own)
    asked = {"status": status, "rules": rules, "mode": mode}
    return games.filter(**{name: value for name, value in asked.items() if value is not None})


def shown(game_ids: Sequence[str], player_id: str) -> list[GameDocument]:
    """The games as this player may see them, in that order."""
    return watch.documents(load_all(game_ids), player_id)
