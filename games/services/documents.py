"""What clients receive about games, as types: the OpenAPI and AsyncAPI documents are made from these.

Names and shapes are the wire contract's (api.md, Games); members may be added, never changed or dropped.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.rules import lifecycle as life

Instant = Annotated[str, Meta(description="RFC 3339, UTC, milliseconds", examples=["2026-11-30T12:00:00.123Z"])]
Version = Annotated[int, Meta(ge=0, description="number of events so far")]
State = Annotated[dict[str, Any], Meta(description="what this viewer may see, in terms of the ruleset's page")]
WireAction = Annotated[dict[str, Any], Meta(description="one of the ruleset's actions, tagged by `type`")]


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all that goes out."""


class SeatPlayer(Document, frozen=True, kw_only=True):
    id: str
    display_name: str


class SeatDocument(Document, frozen=True, kw_only=True):
    seat: int
    player: SeatPlayer | None
    bot: life.Level | None
    controller: life.Controller
    connected: bool
    place: int | None
    score: int | None


class Me(Document, frozen=True, kw_only=True):
    seat: int


class GameDocument(Document, frozen=True, kw_only=True):
    """A game as one viewer may see it. `code` is there for seated players only."""

    id: str
    code: str | UnsetType = UNSET
    rules: str
    options: dict[str, Any]
    mode: life.Mode
    visibility: life.Visibility
    status: life.Status
    version: Version
    host: int | None
    commitment: str
    created_at: Instant
    server_time: Instant
    branched_from: life.BranchSource | None
    seats: list[SeatDocument]
    me: Me | None
    to_act: list[int]
    deadline: Instant | None
    deadlines: dict[str, Instant]
    state: State
    legal_actions: list[WireAction]


class EventDocument(Document, frozen=True, kw_only=True):
    """A past fact as this viewer may see it; versions have no holes."""

    seq: int
    type: str
    at: Instant
    data: dict[str, Any]


class MoveDocument(Document, frozen=True, kw_only=True):
    """What a move caused; `receipt` is the salted chain's link at that version, in hex (details.md, Chain)."""

    version: Version
    receipt: str
    events: list[EventDocument]


class StateDocument(Document, frozen=True, kw_only=True):
    version: Version
    state: State


class StatesDocument(Document, frozen=True, kw_only=True):
    """What one pair of eyes saw of a game that is over, after each of some moves."""

    results: list[StateDocument]


class MoveInWords(Document, frozen=True, kw_only=True):
    """A move (or what happened between moves), from its first version to its last.

    `seat`: who moved, null where nobody did; `thought_ms`: after how long. `scores`: those of its words that tell a
    deal's or a round's result.
    """

    first: Version
    version: Version
    at: Instant
    seat: int | None
    thought_ms: int | None
    words: str
    scores: str


class MovesDocument(Document, frozen=True, kw_only=True):
    """A game that is over, in words; `names` by seat. What the eyes in question did not see is a `?`."""

    names: list[str]
    moves: list[MoveInWords]


class FairnessDocument(Document, frozen=True, kw_only=True):
    """All that is needed to check the deals; `seed` only once the game is over."""

    commitment: str
    seed: str | UnsetType = UNSET
    client_seeds: list[str]
    algorithm: str
    branched_from: life.BranchSource | None = None


class ReplayDocument(Document, frozen=True, kw_only=True):
    """A finished game with everything unhidden; `chain` has the link after each event, in hex (details.md, Chain)."""

    game: GameDocument
    events: list[EventDocument]
    fairness: FairnessDocument
    chain: list[str]
