"""What the accounts' endpoints take and give (api.md, Accounts): one typed definition each.

The OpenAPI document comes from these; what a value may hold beyond its type is checked where it is used.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from config.wire.problems import Language

Name = Annotated[str, Meta(max_length=200)]
Password = Annotated[str, Meta(max_length=256)]
Email = Annotated[str, Meta(max_length=254)]
Moment = Annotated[datetime, Meta(tz=True)]


class _Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class Guest(_Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All may be left out: a friendly name is made up, the language is the one asked for."""

    display_name: Name | None = None
    language: Language | None = None


class Registration(_Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A full account, new or made of a guest's."""

    username: Name
    password: Password
    email: Email | None = None
    display_name: Name | None = None
    language: Language | None = None


class Login(_Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    username: Name
    password: Password


class ProfileChange(_Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is left out stays. A new address needs the password, since it opens the account."""

    display_name: Name | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    email: Email | UnsetType | None = UNSET
    current_password: Password | UnsetType = UNSET


class PasswordChange(_Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    current_password: Password
    new_password: Password


class ResetRequest(_Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    email: Email


class ResetConfirmation(_Request, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`token` as it stands in the mail."""

    token: Annotated[str, Meta(max_length=200)]
    new_password: Password


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A player's own account."""

    id: UUID
    username: str | None
    display_name: str
    is_guest: bool
    language: Language


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A token, shown this once, and whose it is."""

    token: str
    expires_at: Moment
    player: Player


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """A token of the player's; `current` marks the one that asks."""

    id: UUID
    device: str
    created_at: Moment
    last_used_at: Moment
    expires_at: Moment
    current: bool


class PublicProfile(msgspec.Struct, frozen=True, kw_only=True):
    """What anybody may know of a player."""

    id: UUID
    display_name: str
    is_guest: bool
    created_at: Moment
