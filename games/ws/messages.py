"""Every message on a socket, as types: they validate what comes in, and the AsyncAPI document is made from them."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from config.wire.typed import decode
from games.services.documents import EventDocument, GameDocument, Instant, Version, WireAction

PROTOCOL: Final = 1

CommandId = Annotated[str, Meta(min_length=1, max_length=64, description="idempotency key of the command")]

# --- from the client ------------------------------------------------------------------------------------------


class FromClient(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True
):
    """Base of what a client may send; unknown members are refused."""


class Move(FromClient, frozen=True, kw_only=True):
    """Let the seat act."""

    command_id: CommandId
    action: WireAction
    expected_version: Version | None = None


class Resume(FromClient, frozen=True, kw_only=True):
    """Take the seat back from the bot."""

    command_id: CommandId | None = None


class Ping(FromClient, frozen=True, kw_only=True):
    """Ask for a sign of life."""


class Sync(FromClient, frozen=True, kw_only=True):
    """Ask for all events after a version."""

    after: Version


ClientMessage = Move | Resume | Ping | Sync

# --- from the server ------------------------------------------------------------------------------------------


class FromServer(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=str.lower):
    """Base of what the server sends; clients ignore members that they do not know."""


class Welcome(FromServer, frozen=True, kw_only=True):
    """First message of a socket; `version` and `game` on a game's socket only."""

    protocol: Literal[1] = PROTOCOL
    version: Version | UnsetType = UNSET
    game: GameDocument | UnsetType = UNSET


class Events(FromServer, frozen=True, kw_only=True):
    """The events of one append; the outlook is null in catch-up messages before the last."""

    version: Version
    events: list[EventDocument]
    to_act: list[int] | None
    deadline: Instant | None
    deadlines: dict[str, Instant] | None
    server_time: Instant
    legal_actions: list[WireAction] | None


class Ack(FromServer, frozen=True, kw_only=True):
    """The command stands, durable in the database; `receipt` is the chain's link at that version, in hex."""

    command_id: str
    version: Version
    receipt: str


class Error(FromServer, frozen=True, kw_only=True):
    """A refusal: the problem details without HTTP's members; `code`'s own facts stand beside them."""

    code: str
    title: str
    detail: str
    command_id: str | UnsetType = UNSET
    version: Version | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    errors: dict[str, list[str]] | UnsetType = UNSET


class Presence(FromServer, frozen=True, kw_only=True):
    """A seat's player came or went."""

    seat: int
    connected: bool


class Pong(FromServer, frozen=True, kw_only=True):
    server_time: Instant


class Notice(FromServer, frozen=True, kw_only=True):
    """What concerns a player, on /ws/v1/me/; further members depend on `kind`.

    `rating`: what a game did to the player's rating there, as a row of its history, and how sure it is now.
    """

    kind: Literal["matched", "your_turn", "rating", "rematch"]
    game_id: str | UnsetType = UNSET
    version: Version | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    rules: str | UnsetType = UNSET
    before: int | UnsetType = UNSET
    after: int | UnsetType = UNSET
    deviation: int | UnsetType = UNSET
    provisional: bool | UnsetType = UNSET
    place: int | UnsetType = UNSET
    seats: int | UnsetType = UNSET
    ticket_id: str | UnsetType = UNSET


class Table(FromServer, frozen=True, kw_only=True):
    """An open public table appeared, changed or went (`game` null), on /ws/v1/lobby/."""

    id: str
    change: Literal["open", "gone"]
    game: GameDocument | None


ServerMessage = Welcome | Events | Ack | Error | Presence | Pong | Notice | Table

CLOSE_CODES: dict[int, tuple[str, bool]] = {
    1001: ("going away (deploy); reconnect at once", True),
    1009: ("a frame over 16 KiB", False),
    1011: ("the service failed, or its pings were not answered; reconnect", True),
    1012: ("the service restarts; reconnect at once", True),
    1013: ("not available for a moment; reconnect a little later, with `after`", True),
    4400: ("malformed message or address", False),
    4401: ("no, wrong, expired or revoked token", False),
    4403: ("forbidden", False),
    4404: ("no such game, or none that this player may know of", False),
    4409: ("too slow: messages were not read; reconnect with `after`", True),
    4429: ("too many messages; reconnect later", True),
}
"""What each close code means, and whether a client should try again."""

encode = msgspec.json.encode


def from_client(frame: str | bytes) -> ClientMessage:
    """The frame as a message. Raises Problem `validation`."""
    kind: Any = ClientMessage  # a union is a type to the decoder, though not to the type checker
    message: ClientMessage = decode(frame if isinstance(frame, bytes) else frame.encode("utf-8", "surrogatepass"), kind)
    return message


def kind_of(message: ClientMessage) -> str:
    """Its `type`."""
    return str(message.__struct_config__.tag)


def object_of(frame: str | bytes) -> dict[str, Any] | None:
    """The frame's JSON object, however wrong its members; None if it is none."""
    try:
        found = msgspec.json.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
