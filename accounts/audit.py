"""The record of what operators did: who, when, what, on whom or which game, and why.

Must live here: writing and reading that record. Must not: the deeds; each is written in the transaction of its own
deed, so that neither stands without the other. Invariant: rows are only ever added (privileges and triggers).
"""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

import msgspec

from accounts.models import AuditEntry

TABLE = AuditEntry._meta.db_table  # noqa: SLF001  (Django's public name for it)
NAME_LENGTH = 100
REASON_LENGTH = 500

Kind = Literal["game", "player"]


class Refused(Exception):
    """An operator's deed that is not possible; the message says why, in plain words."""


class Operator(msgspec.Struct, frozen=True, kw_only=True):
    """Who acts: a staff account in the admin, or a name on the command line."""

    name: str
    id: UUID | None = None


def required(operator: Operator, reason: str) -> str:
    """The reason as it is kept. Raises Refused without one, or without somebody who gives it."""
    kept = reason.strip()
    if not 0 < len(kept) <= REASON_LENGTH or "\x00" in kept:
        raise Refused(f"give a reason of at most {REASON_LENGTH} letters")
    if not 0 < len(operator.name.strip()) <= NAME_LENGTH:
        raise Refused(f"say who decides, in at most {NAME_LENGTH} letters")
    return kept


def write(operator: Operator, action: str, kind: Kind, target_id: UUID | str, reason: str, **facts: Any) -> None:
    """Add a row. Call it in the transaction of the deed."""
    AuditEntry.objects.create(
        operator=operator.name.strip(),
        operator_id=operator.id,
        action=action,
        kind=kind,
        target_id=target_id,
        reason=required(operator, reason),
        facts=facts,
    )


def about(kind: Kind, target_id: UUID | str) -> list[dict[str, Any]]:
    """What was done to a player or a game, the newest first, as JSON values; by whom is left out."""
    found = AuditEntry.objects.filter(kind=kind, target_id=target_id).order_by("-id")
    return [dict(row) for row in found.values("at", "action", "reason", "facts")]
