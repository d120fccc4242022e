"""What clients send about games: bodies and query strings, as types. The OpenAPI document is made from these.

Must live here: shapes alone. What a value means (a seat that the table has, an option that the ruleset knows) is
decided by the services. Members that are not named here are refused (api.md, General).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from config.wire.pages import Limit, PageQuery
from games.rules import lifecycle as life
from games.services.tables import BotSeat

ClientSeed = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{0,64}$(?!\n)")]
Code = Annotated[str, Meta(min_length=1, max_length=16, description="as shown to seated players, any capitals")]
SeatNumber = Annotated[int, Meta(ge=0, le=32)]
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Sequence = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all bodies: strict."""


class NewGame(Body, frozen=True, kw_only=True):
    """A table to open; its creator takes seat 0."""

    rules: Annotated[str, Meta(max_length=40, description="a ruleset's key")]
    seats: Annotated[int, Meta(ge=1, le=32)]
    visibility: life.Visibility
    options: dict[str, Any] = {}
    bots: Annotated[list[BotSeat], Meta(max_length=32)] = []


class JoinTable(Body, frozen=True, kw_only=True):
    """Without `seat` the lowest free one is taken."""

    seat: SeatNumber | None = None
    code: Code | None = None


class JoinByCode(Body, frozen=True, kw_only=True):
    code: Code


class GiveSeed(Body, frozen=True, kw_only=True):
    """An addition to the random stream, given before the start and after the commitment is known."""

    client_seed: ClientSeed


class SeatBot(Body, frozen=True, kw_only=True):
    level: life.Level


class ChangeOptions(Body, frozen=True, kw_only=True):
    """Options left out get their defaults."""

    options: dict[str, Any]


class MakeMove(Body, frozen=True, kw_only=True):
    action: dict[str, Any]
    expected_version: Version | None = None


class BranchOff(Body, frozen=True, kw_only=True):
    """Where to branch off a finished game, which seat to take, and how well the bots play."""

    at: Sequence
    seat: SeatNumber
    level: life.Level = "normal"


class Empty(Body, frozen=True, kw_only=True):
    """An empty object; no body at all will do."""


# --- query strings ----------------------------------------------------------------------------------------------


class CodeQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A private game opens to whoever brings its code."""

    code: Code | None = None


class ReplayQuery(CodeQuery, frozen=True, kw_only=True):
    """`text`: one line a move, in the language that `Accept-Language` asks for."""

    format: Annotated[
        Literal["json", "text"],
        Meta(description="`text`: the version after each move, seconds since the start, seconds thought, and words"),
    ] = "json"


class EyesQuery(CodeQuery, frozen=True, kw_only=True):
    """Whose eyes to look through."""

    eyes: Annotated[str, Meta(pattern=r"^(open|spectator|[0-9]{1,2})$(?!\n)")] = "open"


class StatesQuery(EyesQuery, frozen=True, kw_only=True):
    """From the move on that ends at or after version `at`."""

    at: Sequence = 0
    limit: Limit = 50


class GamesQuery(PageQuery, frozen=True, kw_only=True):
    status: life.Status | None = None
    rules: Annotated[str, Meta(max_length=40)] | None = None
    mine: bool = False
    mode: life.Mode | None = None


class EventsQuery(CodeQuery, frozen=True, kw_only=True):
    after: Sequence = 0
    limit: Limit = 50


class StateQuery(CodeQuery, frozen=True, kw_only=True):
    at: Sequence | None = None


class Unasked(msgspec.Struct, frozen=True, kw_only=True):
    """No parameters."""
