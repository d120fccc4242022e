"""An operator lets a ranked game count for nothing: the adjustment and its audit row, in one transaction."""

from __future__ import annotations

from django.db import transaction

from accounts import audit
from accounts.audit import Operator, Refused
from games.services import entropy
from rankings.ratings import follow


def void(game_id: str, operator: Operator, reason: str) -> int:
    """Void the game for ever; how many changes of ratings were made anew behind it. Raises Refused."""
    reason = audit.required(operator, reason)
    with transaction.atomic():
        try:
            made = follow.void(game_id, operator.name.strip(), reason, entropy.utcnow())
        except follow.Refused as refusal:
            raise Refused(str(refusal)) from refusal
        audit.write(operator, "void_game", "game", game_id, reason)
    return made
