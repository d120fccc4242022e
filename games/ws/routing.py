"""Socket addresses, and which browser origins may use them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from channels.routing import URLRouter
from django.conf import settings
from django.urls import path, re_path

from games.ws.consumers import GameConsumer, LobbyConsumer, MeConsumer, NoSuchSocket

Application = Callable[[dict[str, Any], Any, Any], Awaitable[Any]]


def origin_allowed(scope: dict[str, Any]) -> bool:
    """Whether the socket comes from no browser, from our own pages, or from an origin named in the settings."""
    headers = dict(scope.get("headers", []))
    origin = headers.get(b"origin")
    if origin is None:
        return True
    text = origin.decode("latin-1")
    try:
        own = urlsplit(text).netloc == headers.get(b"host", b"").decode("latin-1")
    except ValueError:  # such as `http://[`
        return False
    return own or text in settings.REPLI.allowed_origins


class OriginCheck:
    """Refuses handshakes from other sites' pages with 403, before anything is accepted."""

    def __init__(self, inner: Application) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if origin_allowed(scope):
            await self.inner(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 4403})


application = OriginCheck(
    URLRouter(
        [
            path("ws/v1/games/<str:game_id>/", GameConsumer.as_asgi()),
            path("ws/v1/me/", MeConsumer.as_asgi()),
            path("ws/v1/lobby/", LobbyConsumer.as_asgi()),
            re_path(r"", NoSuchSocket.as_asgi()),
        ]
    )
)
