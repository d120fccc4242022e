"""Ratings and matchmaking in the admin: plain tables, and the one thing that can be done to a rating."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from accounts.audit import Operator
from accounts.staff import deeds, listings
from accounts.staff.deeds import Deed
from accounts.staff.listings import Listing
from rankings.models import Adjustment, Conduct, Lapse, Membership, Rating, RatingChange, Ticket
from rankings.ratings import voiding


def _void(target: UUID, operator: Operator, reason: str, _more: Mapping[str, Any]) -> None:
    voiding.void(str(target), operator, reason)


deeds.register(
    Deed(
        name="void_game",
        kind="game",
        title="Let this game count for nothing",
        warning="For a finished ranked game: its ratings are taken back and every rating behind it is made anew. This"
        " cannot be undone.",
        permission="rankings.void_game",
        run=_void,
    )
)
listings.register(
    Listing(
        name="ratings",
        title="Ratings",
        model=Rating,
        columns=("rules", "player_id", "shown", "mu", "sigma", "games", "wins", "sequence", "changed_at"),
        order=("-rules", "-shown", "-player_id"),
        filters={"player": "player_id"},
    ),
    Listing(
        name="rating-changes",
        title="Rating changes",
        model=RatingChange,
        columns=("rules", "sequence", "game_id", "player_id", "at", "mu_before", "mu_after", "place", "seats"),
        order=("-rules", "-sequence", "player_id"),
        filters={"game": "game_id", "player": "player_id"},
    ),
    Listing(
        name="adjustments",
        title="Games that count for nothing",
        model=Adjustment,
        columns=("written_at", "kind", "game_id", "author", "reason"),
        order=("-id",),
        filters={"game": "game_id"},
    ),
    Listing(
        name="tickets",
        title="Matchmaking tickets",
        model=Ticket,
        columns=("id", "owner_id", "rules", "mode", "seats", "status", "game_id", "created_at", "since", "ended_at"),
        order=("-id",),
        filters={"game": "game_id", "player": "members__player_id"},
    ),
    Listing(
        name="ticket-members",
        title="Players of tickets",
        model=Membership,
        columns=("ticket_id", "player_id", "place", "accepted", "live", "seen_at"),
        order=("-ticket_id", "place"),
        filters={"player": "player_id"},
    ),
    Listing(
        name="conduct",
        title="Conduct",
        model=Conduct,
        columns=("player_id", "games", "marred", "strikes", "not_before"),
        order=("player_id",),
        filters={"player": "player_id"},
    ),
    Listing(
        name="lapses",
        title="Lapses",
        model=Lapse,
        columns=("at", "player_id", "game_id", "kind", "strikes"),
        order=("player_id", "game_id"),
        filters={"game": "game_id", "player": "player_id"},
    ),
)
