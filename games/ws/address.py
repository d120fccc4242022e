"""What is read in a socket's handshake: its token, headers and query parameters."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

from config.wire.faults import invalid


def query_of(scope: Any, name: str) -> str | None:
    """A query parameter of the address; the first, if it is given more than once."""
    values = parse_qs(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True).get(name)
    return values[0] if values else None


def number_of(scope: Any, name: str) -> int | None:
    """A query parameter that is a version. Raises Problem `validation`."""
    value = query_of(scope, name)
    if value is None:
        return None
    if not value.isascii() or not value.isdigit() or len(value) > 9:
        raise invalid(**{name: "value"})
    return int(value)


def token_of(scope: Any, offered: list[str]) -> str | None:
    """The bearer token of the Authorization header or of the subprotocols; never of the address."""
    for name, value in scope.get("headers", []):
        if name == b"authorization":
            kind, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if kind.lower() == "bearer" else None
    return next((entry.removeprefix("bearer.") for entry in offered if entry.startswith("bearer.")), None)


def header_of(scope: Any, wanted: bytes) -> str | None:
    return next((value.decode("latin-1") for name, value in scope.get("headers", []) if name == wanted), None)
