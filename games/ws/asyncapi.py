"""The AsyncAPI document of the sockets, made from the messages' own types, and the view that serves it.

Written from the service's side: it `receive`s what clients send and `send`s the rest.
"""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.services.schemas import REF, of_rulesets, of_structs, place_unions
from games.ws import messages
from games.ws.messages import Ack, Error, Events, Notice, Ping, Pong, Presence, Table, Welcome

PREFIX = "/ws/v1"
Message = type[msgspec.Struct]

CLIENT: tuple[Message, ...] = get_args(messages.ClientMessage)
GAME: tuple[Message, ...] = (Welcome, Events, Ack, Error, Presence, Pong)
ME: tuple[Message, ...] = (Welcome, Notice, Error, Pong)
LOBBY: tuple[Message, ...] = (Welcome, Table, Error, Pong)

AUTHENTICATION = (
    "`Authorization: Bearer TOKEN`, or from browsers the subprotocols `repli.v1` and `bearer.TOKEN` (the server"
    " answers with `repli.v1`). Tokens never go into addresses. A refusal after the handshake accepts, then closes."
)


class AsyncApi(APIView):
    permission_classes = (AllowAny,)
    authentication_classes = ()

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:  # noqa: ARG002  (DRF's signature)
        return Response(document())


@cache
def document() -> dict[str, Any]:
    """The AsyncAPI 3 document as plain values."""
    channels = {
        "game": _channel(f"{PREFIX}/games/{{game_id}}/", "One game, for a seat or a spectator.", CLIENT, GAME),
        "me": _channel(f"{PREFIX}/me/", "What concerns the player.", (Ping,), ME),
        "lobby": _channel(f"{PREFIX}/lobby/", "Open public tables.", (Ping,), LOBBY),
    }
    channels["game"] |= _game_address()
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Repli", "version": "1", "description": _description()},
        "defaultContentType": "application/json",
        "servers": {
            "this": {
                "host": "{host}",
                "protocol": "wss",
                "variables": {"host": {"default": "localhost:8000", "description": "where the service is reached"}},
                "security": [{"$ref": "#/components/securitySchemes/bearer"}],
            }
        },
        "channels": channels,
        "operations": {
            **_operations("game", CLIENT, GAME),
            **_operations("me", (Ping,), ME),
            **_operations("lobby", (Ping,), LOBBY),
        },
        "components": {
            "messages": {kind.__name__: _message(kind) for kind in (*CLIENT, *get_args(messages.ServerMessage))},
            "schemas": _schemas(),
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "description": AUTHENTICATION}},
        },
    }


def _description() -> str:
    rows = [
        f"| {code} | {meaning} | {'yes' if again else 'no'} |"
        for code, (meaning, again) in messages.CLOSE_CODES.items()
    ]
    return "\n".join(
        [
            "Event-sourced online card tables: the sockets. REST is described by the OpenAPI document.",
            "",
            AUTHENTICATION,
            "",
            "Events of one game arrive in order, without gaps or repeats; whoever reconnects with `after` misses none.",
            "",
            "| close code | meaning | try again |",
            "|---|---|---|",
            *rows,
        ]
    )


def _channel(address: str, summary: str, receives: tuple[Message, ...], sends: tuple[Message, ...]) -> dict[str, Any]:
    return {
        "address": address,
        "summary": summary,
        "messages": {kind.__name__: {"$ref": f"#/components/messages/{kind.__name__}"} for kind in (*receives, *sends)},
    }


def _game_address() -> dict[str, Any]:
    query = {
        "type": "object",
        "properties": {
            "after": {"type": "integer", "minimum": 0, "description": "send what came after this version"},
            "code": {"type": "string", "description": "a private game's code"},
        },
    }
    return {
        "parameters": {"game_id": {"description": "the game's id"}},
        "bindings": {"ws": {"method": "GET", "query": query, "bindingVersion": "0.1.0"}},
    }


def _operations(channel: str, receives: tuple[Message, ...], sends: tuple[Message, ...]) -> dict[str, Any]:
    return {
        f"{channel}_receive": _operation(channel, "receive", receives),
        f"{channel}_send": _operation(channel, "send", sends),
    }


def _operation(channel: str, action: str, kinds: tuple[Message, ...]) -> dict[str, Any]:
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{kind.__name__}"} for kind in kinds],
    }


def _message(kind: Message) -> dict[str, Any]:
    return {
        "name": kind.__struct_config__.tag,
        "summary": (kind.__doc__ or "").strip().partition("\n")[0],
        "payload": {"$ref": f"{REF}{kind.__name__}"},
    }


def _schemas() -> dict[str, Any]:
    schemas = {**of_structs(*CLIENT, *get_args(messages.ServerMessage)), **of_rulesets()}
    place_unions(schemas)
    return dict(sorted(schemas.items()))
