"""Changing a password, and getting back in without it.

Invariants: a changed password revokes every other token; asking for a reset says nothing about who has an account, by
its answer or by its time (the work is done in a task that is queued for any address).
"""

from __future__ import annotations

import unicodedata
from uuid import UUID

import structlog
from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.db import transaction
from kombu.exceptions import KombuError

from accounts import tokens, words
from accounts.messages import PasswordChange, ResetConfirmation
from accounts.models import Player
from accounts.registration import living, password_faults
from config.wire.faults import invalid
from config.wire.problems import Problem

log = structlog.get_logger(__name__)


def change(player_id: UUID, token_id: UUID, given: PasswordChange) -> None:
    """Set a new password; only the token that asks stays."""
    player = living(player_id)
    if not player.has_usable_password():
        raise Problem("forbidden", "no-password")
    if not player.check_password(given.current_password):
        raise invalid(current_password="wrong-password")  # noqa: S106  (a key of words)
    _set(player, given.new_password, keep=token_id)


def ask_reset(email: str) -> None:
    """Queue the mail, whether or not anybody has this address."""
    from accounts.tasks import send_reset_mail

    try:
        send_reset_mail.apply_async((email,), retry=False, expires=3600)
    except (KombuError, OSError) as error:
        log.warning("a reset mail could not be queued", error=type(error).__name__)


def send_reset(email: str) -> int:
    """Mail each account with this address its own code, to the address that the account has; how many there were."""
    wanted = _comparable(email)
    players = Player.objects.filter(email__iexact=email, is_guest=False, deleted_at__isnull=True)
    found = [player for player in players if player.email and _comparable(player.email) == wanted]
    for player in found:
        text = words.RESET_TEXT[player.speaks].format(
            username=player.username,
            token=f"{player.id.hex}.{default_token_generator.make_token(player)}",
            hours=settings.PASSWORD_RESET_TIMEOUT // 3600,
        )
        send_mail(words.RESET_SUBJECT[player.speaks], text, None, [player.email or ""])
    return len(found)


def reset(given: ResetConfirmation) -> None:
    """Set a new password by the code from a mail; every token is revoked. Codes work once."""
    player_hex, _, code = given.token.strip().partition(".")
    try:
        player = Player.objects.filter(id=UUID(hex=player_hex), is_guest=False, deleted_at__isnull=True).first()
    except ValueError:
        player = None
    if player is None or not default_token_generator.check_token(player, code):
        raise invalid(token="reset-token")  # noqa: S106  (a key of words)
    _set(player, given.new_password, code=code)


def _set(player: Player, password: str, *, keep: UUID | None = None, code: str | None = None) -> None:
    if faults := password_faults(password, player, "new_password"):
        raise Problem("validation", errors=faults)
    player.set_password(password)
    with transaction.atomic():
        locked = living(player.id, lock=True)
        if code is not None and not default_token_generator.check_token(locked, code):
            raise invalid(token="reset-token")  # noqa: S106  (used by another request just now)
        locked.password = player.password
        locked.save(update_fields=["password"])
        others = locked.tokens.all()
        tokens.revoke(others.exclude(id=keep) if keep else others)


def _comparable(email: str) -> str:
    return unicodedata.normalize("NFKC", email).casefold()
