"""The accounts over REST (api.md, Accounts): decode, call one function, encode."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from msgspec import UNSET
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import erasure, messages, passwords, profiles, registration, tokens
from accounts.authentication import caller
from accounts.models import Player, Token
from config.wire import limits
from config.wire.languages import language_of
from config.wire.openapi import parameters_of
from config.wire.pages import PageQuery, page, page_of
from config.wire.problems import Problem
from config.wire.typed import body

ACCOUNTS = ["accounts"]
NO_STORE = {"Cache-Control": "no-store"}  # tokens and personal data are for the one who asked


class OpenView(APIView):
    """For those who have no token yet; one that is sent along is not looked at."""

    authentication_classes = ()
    permission_classes = ()
    throttle_kind = "auth"


class GuestView(OpenView):
    throttle_kind = "guest"

    @extend_schema(tags=ACCOUNTS, operation_id="guest", request=messages.Guest, responses={201: messages.Session})
    def post(self, request: Request) -> Response:
        """Play at once, without a form."""
        return _session(request, registration.guest(body(request, messages.Guest), language_of(request)), 201)


class RegisterView(OpenView):
    @extend_schema(
        tags=ACCOUNTS, operation_id="register", request=messages.Registration, responses={201: messages.Session}
    )
    def post(self, request: Request) -> Response:
        """Make a full account."""
        given = body(request, messages.Registration)
        return _session(request, registration.register(given, language_of(request)), 201)


class LoginView(OpenView):
    @extend_schema(tags=ACCOUNTS, operation_id="login", request=messages.Login, responses={200: messages.Session})
    def post(self, request: Request) -> Response:
        """A token for this device."""
        return _session(request, registration.login(body(request, messages.Login)), 200)


class LogoutView(APIView):
    @extend_schema(tags=ACCOUNTS, operation_id="logout", request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        """Revoke the token that asks."""
        tokens.revoke(Token.objects.filter(id=caller(request).token_id))
        return Response(status=204)


class UpgradeView(APIView):
    throttle_kind = "auth"

    @extend_schema(
        tags=ACCOUNTS, operation_id="upgrade", request=messages.Registration, responses={200: messages.Session}
    )
    def post(self, request: Request) -> Response:
        """A guest becomes a full account and keeps id, games, ratings and token."""
        asking = caller(request)
        player = registration.upgrade(asking.player_id, body(request, messages.Registration))
        token = request.headers["Authorization"].partition(" ")[2].strip()
        session = messages.Session(token=token, expires_at=asking.expires_at, player=_shown(player))
        return Response(session, headers=NO_STORE)


class MeView(APIView):
    @extend_schema(tags=ACCOUNTS, operation_id="me", responses={200: messages.Player})
    def get(self, request: Request) -> Response:
        """Who asks."""
        return Response(_shown(registration.living(caller(request).player_id)))

    @extend_schema(
        tags=ACCOUNTS, operation_id="change_me", request=messages.ProfileChange, responses={200: messages.Player}
    )
    def patch(self, request: Request) -> Response:
        """Change one's name, language or address."""
        given = body(request, messages.ProfileChange)
        if given.current_password is not UNSET:  # a guess at a password, as at login
            limits.spend("auth", limits.address(request.META))
        return Response(_shown(registration.change(caller(request).player_id, given)))

    @extend_schema(tags=ACCOUNTS, operation_id="delete_me", request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Anonymise: games and events stay, the name does not."""
        erasure.erase(caller(request).player_id)
        return Response(status=204)


class ExportView(APIView):
    @extend_schema(tags=ACCOUNTS, operation_id="export_me", responses={200: dict[str, Any]})
    def get(self, request: Request) -> Response:
        """All that is held about who asks."""
        return Response(erasure.export(caller(request).player_id), headers=NO_STORE)


class PasswordView(APIView):
    throttle_kind = "auth"

    @extend_schema(
        tags=ACCOUNTS, operation_id="change_password", request=messages.PasswordChange, responses={204: None}
    )
    def post(self, request: Request) -> Response:
        """Change the password; all other devices are logged out."""
        asking = caller(request)
        passwords.change(asking.player_id, asking.token_id, body(request, messages.PasswordChange))
        return Response(status=204)


class PasswordResetView(OpenView):
    @extend_schema(tags=ACCOUNTS, operation_id="reset_password", request=messages.ResetRequest, responses={204: None})
    def post(self, request: Request) -> Response:
        """Mail a code to this address, if somebody has it; the answer does not tell."""
        passwords.ask_reset(body(request, messages.ResetRequest).email.strip())
        return Response(status=204)


class PasswordResetConfirmView(OpenView):
    @extend_schema(
        tags=ACCOUNTS,
        operation_id="confirm_password_reset",
        request=messages.ResetConfirmation,
        responses={204: None},
    )
    def post(self, request: Request) -> Response:
        """Set a new password by the code from the mail; all devices are logged out."""
        passwords.reset(body(request, messages.ResetConfirmation))
        return Response(status=204)


class TokensView(APIView):
    @extend_schema(
        tags=ACCOUNTS,
        operation_id="tokens",
        parameters=parameters_of(PageQuery),
        responses={200: page_of(messages.Device)},
    )
    def get(self, request: Request) -> Response:
        """The player's devices, the newest first."""
        asking = caller(request)
        rows = tokens.of_player(asking.player_id)
        return page(request, rows, lambda row: _device(row, asking.token_id))


class TokenView(APIView):
    @extend_schema(tags=ACCOUNTS, operation_id="revoke_token", request=None, responses={204: None})
    def delete(self, request: Request, token_id: UUID) -> Response:
        """Log one device out."""
        if not tokens.revoke(tokens.of_player(caller(request).player_id).filter(id=token_id)):
            raise Problem("not-found")
        return Response(status=204)


class PlayerView(APIView):
    @extend_schema(tags=["players"], operation_id="player", responses={200: profiles.document()})
    def get(self, request: Request, player_id: UUID) -> Response:  # noqa: ARG002  (DRF's signature)
        """What anybody may know of a player."""
        player = Player.objects.filter(id=player_id).first()
        if player is None:
            raise Problem("not-found")
        return Response(profiles.of(player))


def _session(request: Request, player: Player, status: int) -> Response:
    issued = tokens.issue(player, request.headers.get("User-Agent", ""))
    session = messages.Session(token=issued.token, expires_at=issued.expires_at, player=_shown(player))
    return Response(session, status=status, headers=NO_STORE)


def _shown(player: Player) -> messages.Player:
    return messages.Player(
        id=player.id,
        username=player.username,
        display_name=player.display_name,
        is_guest=player.is_guest,
        language=player.speaks,
    )


def _device(row: Token, current: UUID) -> messages.Device:
    return messages.Device(
        id=row.id,
        device=row.device,
        created_at=row.created_at,
        last_used_at=row.last_used_at,
        expires_at=row.expires_at,
        current=row.id == current,
    )
