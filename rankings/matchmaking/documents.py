"""What matchmaking takes and gives, as types: the OpenAPI document is made from these."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from games.api.requests import Body
from games.rules.lifecycle import Mode
from games.services.documents import Document, Instant

Status = Literal["inviting", "searching", "matched", "cancelled", "expired"]


class NewTicket(Body, frozen=True, kw_only=True):
    """Without `seats` the ruleset's usual size. `party`: who is to sit at the same table, the caller left out."""

    rules: Annotated[str, Meta(max_length=40, description="a ruleset's key")]
    mode: Mode
    seats: Annotated[int, Meta(ge=1, le=32)] | None = None
    party: Annotated[list[UUID], Meta(max_length=31)] | None = None


class PartyMember(Document, frozen=True, kw_only=True):
    id: str
    accepted: bool


class TicketDocument(Document, frozen=True, kw_only=True):
    """A ticket. `party` holds all its players, the one who asked first."""

    id: str
    rules: str
    mode: Mode
    seats: Annotated[int | None, Meta(description="as asked for")]
    party: list[PartyMember]
    status: Status
    game_id: str | None
    created_at: Instant
    waited_seconds: Annotated[float, Meta(ge=0, description="of the search, which begins when all have accepted")]
    rating_window: Annotated[float, Meta(ge=0, description="points up and down within which players are matched")]


class ConductDocument(Document, frozen=True, kw_only=True):
    """Ranked games that are over, and those in which the player ran out of time, was lost, or left."""

    games: int
    marred: int
    rate: Annotated[float, Meta(ge=0, le=1, description="marred ÷ games; 0 before the first")]


encode = msgspec.json.encode
