"""What anybody may know of a player, everywhere.

Other apps add members in `AppConfig.ready`; this app imports none of them. Registered before the views are imported, so
that the OpenAPI document knows every member.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from accounts.messages import PublicProfile
from accounts.models import Player


class Part(NamedTuple):
    kind: type[msgspec.Struct]
    shown: Callable[[UUID], msgspec.Struct]


_parts: dict[str, Part] = {}


def register(member: str, kind: type[msgspec.Struct], shown: Callable[[UUID], msgspec.Struct]) -> None:
    """Add a member to the profile: its type, and its value for a player, with or without an account."""
    _parts[member] = Part(kind, shown)


@cache
def document() -> type[msgspec.Struct]:
    """The type of a whole profile."""
    members = [(member, part.kind) for member, part in sorted(_parts.items())]
    return msgspec.defstruct(PublicProfile.__name__, members, bases=(PublicProfile,), frozen=True, kw_only=True)


def of(player: Player) -> Any:
    """The profile of a player."""
    return document()(
        id=player.id,
        display_name=player.display_name,
        is_guest=player.is_guest,
        created_at=player.created_at,
        **{member: part.shown(player.id) for member, part in _parts.items()},
    )
