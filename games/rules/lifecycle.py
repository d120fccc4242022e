"""Events common to all games, whatever their rules (api.md, Events), and what every event is.

Stored names are literals and never change. An event's data is its members; its type is the class's `type`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec

from games.rules.seats import Seat

Level = Literal["easy", "normal", "hard"]
Controller = Literal["player", "bot"]
ControlReason = Literal["timeout", "disconnected", "left", "returned"]
Mode = Literal["casual", "ranked"]
Visibility = Literal["public", "private"]
Status = Literal["waiting", "playing", "finished", "aborted"]


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A fact that has happened. Members left at None by default are absent on the wire and in the store."""

    type: ClassVar[str]
    schema: ClassVar[int] = 1  # raised, with an upcaster, when the stored shape changes


def plain(struct: msgspec.Struct) -> dict[str, Any]:
    """An event's whole data, or options, as JSON values: lists, never tuples, and keys that are seats as strings."""
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(struct))
    return data


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's result: places count from 1, equals share one and the next is skipped."""

    seat: Seat
    place: int
    score: int


class BranchSource(msgspec.Struct, frozen=True, kw_only=True):
    """The finished game that a branch was taken from, and the version up to which it was copied."""

    game_id: str
    at: int


class GameCreated(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "game_created"
    rules: str
    options: dict[str, Any]
    seats: int
    visibility: Visibility
    mode: Mode
    commitment: str
    branched_from: BranchSource | None = None


class SeatTaken(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "seat_taken"
    seat: Seat
    player_id: str | None = None
    bot: Level | None = None


class SeatLeft(Event, frozen=True, kw_only=True, omit_defaults=True):
    """Repeats the `seat_taken` that it ends; only before the start."""

    type: ClassVar[str] = "seat_left"
    seat: Seat
    player_id: str | None = None
    bot: Level | None = None


class OptionsChanged(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "options_changed"
    options: dict[str, Any]


class ClientSeedGiven(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A seat's own addition to the random stream, given after the commitment is known and before the start."""

    type: ClassVar[str] = "client_seed_given"
    seat: Seat
    client_seed: str


class GameStarted(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "game_started"
    client_seeds: list[str]


class SeatControlled(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "seat_controlled"
    seat: Seat
    by: Controller
    reason: ControlReason


class GameFinished(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "game_finished"
    standing: list[Place]
    seed: str


class GameAborted(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "game_aborted"
    reason: str


LIFECYCLE: dict[str, type[Event]] = {
    event.type: event
    for event in (
        GameCreated,
        SeatTaken,
        SeatLeft,
        OptionsChanged,
        ClientSeedGiven,
        GameStarted,
        SeatControlled,
        GameFinished,
        GameAborted,
    )
}
