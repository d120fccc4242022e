"""How the endpoints stand in the OpenAPI document: one decorator that all views share.

Invariant: an operation names every code with which it may refuse, beside those that any may answer with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from drf_spectacular.utils import OpenApiParameter, extend_schema

from games.api.requests import Empty

View = TypeVar("View", bound=Callable[..., Any])

CODES = "x-codes"  # read by games.api.components, which turns it into responses
EVERYWHERE = ("throttled", "unavailable")

IDEMPOTENT = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="1 to 64 characters, UTF-8, no controls; a repeat with the same key and body gets the first answer",
)
LANGUAGE = OpenApiParameter("Accept-Language", str, OpenApiParameter.HEADER, description="`en` or `fr`")
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description="the version in quotes, as `ETag` gives it"
)
_PATH = {
    "game_id": OpenApiParameter("game_id", UUID, OpenApiParameter.PATH, description="the game's id"),
    "seat": OpenApiParameter("seat", int, OpenApiParameter.PATH, description="the seat's number, from 0"),
    "player_id": OpenApiParameter("player_id", UUID, OpenApiParameter.PATH, description="the player's id"),
    "rules": OpenApiParameter("rules", str, OpenApiParameter.PATH, description="the ruleset's key"),
    "ticket_id": OpenApiParameter("ticket_id", UUID, OpenApiParameter.PATH, description="the ticket's id"),
    "key": OpenApiParameter("key", str, OpenApiParameter.PATH, description="the ruleset's key"),
}


def described(
    operation: str,
    gives: type[msgspec.Struct] | Any | None,
    *,
    body: type[msgspec.Struct] | None = None,
    query: type[msgspec.Struct] | None = None,
    path: Sequence[str] = ("game_id",),
    headers: Sequence[OpenApiParameter] = (),
    status: int = 200,
    refuses: Sequence[str] = (),
    tag: str = "games",
    public: bool = False,
    text: bool = False,
) -> Callable[[View], View]:
    """Describe one method of a view; its docstring is the description. `text`: it may answer plain text, too."""
    codes = [*refuses, *EVERYWHERE, *([] if public else ["unauthenticated"]), *(["validation"] if query else [])]
    codes += ["validation", "too-large", "unsupported-media-type"] if body else []
    decorate: Callable[[View], View] = extend_schema(
        operation_id=operation,
        tags=[tag],
        request=None if body is Empty else body,
        responses={(status, "application/json"): gives, (status, "text/plain"): str} if text else {status: gives},
        parameters=[*(_PATH[name] for name in path), *_parameters(query), *headers, LANGUAGE],
        extensions={CODES: sorted(set(codes))},
    )
    return decorate


def _parameters(query: type[msgspec.Struct] | None) -> list[OpenApiParameter]:
    if query is None:
        return []
    schema = msgspec.json.schema(query)
    members: dict[str, Any] = schema["$defs"][query.__name__]["properties"]
    return [
        OpenApiParameter(name, _without_null(member), OpenApiParameter.QUERY, description=member.get("description", ""))
        for name, member in members.items()
    ]


def _without_null(member: dict[str, Any]) -> dict[str, Any]:
    """A parameter that may be left out, without the null that stands for that inside the service."""
    kept = {name: value for name, value in member.items() if name != "default" or value is not None}
    choices = [choice for choice in kept.pop("anyOf", []) if choice != {"type": "null"}]
    if len(choices) == 1:
        kept |= choices[0]
    elif choices:
        kept["anyOf"] = choices
    kept.pop("description", None)
    return kept
