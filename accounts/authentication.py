"""Who asks over REST: `Authorization: Bearer TOKEN`, checked by `accounts.tokens`."""

from __future__ import annotations

from typing import Any, cast

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts.tokens import AuthenticatedToken, authenticate
from config.observability import context
from config.wire.problems import Problem


class BearerToken(BaseAuthentication):
    """`request.user` is an AuthenticatedToken: no query for the player on the hot path."""

    def authenticate(self, request: Request) -> tuple[Any, AuthenticatedToken] | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        known = authenticate(token.strip()) if scheme.lower() == "bearer" else None
        if known is None:
            raise Problem("unauthenticated", "token")
        context.learnt(player=str(known.player_id))
        return known, known

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002  (DRF's signature)
        return "Bearer"


def caller(request: Request) -> AuthenticatedToken:
    """Who asks, in a view that only the authenticated reach."""
    return cast("AuthenticatedToken", request.user)
