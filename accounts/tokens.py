"""Tokens of devices: made, checked, prolonged and revoked.

Must live here: everything that touches the tokens' table. Must not: HTTP or sockets; both call `authenticate`.
Invariant: a token is known by its SHA-256 alone; it lives a number of days from its last use, which is written at most
once an hour; a revoked one is believed nowhere for longer than REPLI_TOKEN_CACHE_SECONDS.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts import token_cache
from accounts.models import Player, Token
from config.wire.problems import Language

PREFIX = "repli_"  # so that people and secret scanners know one when they see it
PROLONG_AFTER = timedelta(hours=1)
DEVICE_LENGTH = 100
_LONGEST = 128


class AuthenticatedToken(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks, as much as a request needs to know. Stands in for `request.user`."""

    player_id: UUID
    token_id: UUID
    expires_at: datetime
    language: Language
    is_guest: bool

    @property
    def pk(self) -> UUID:
        return self.player_id

    @property
    def is_authenticated(self) -> bool:
        return True


class Issued(msgspec.Struct, frozen=True, kw_only=True):
    """A new token, in clear for this one time."""

    token: str
    token_id: UUID
    expires_at: datetime


def issue(player: Player, device: str) -> Issued:
    """A new token for one device of the player."""
    token = PREFIX + secrets.token_urlsafe(32)
    now = timezone.now()
    player.tokens.filter(expires_at__lte=now).delete()
    row = Token.objects.create(
        player=player, digest=_digest(token), device=_device(device), expires_at=_end_of_life(now)
    )
    return Issued(token=token, token_id=row.id, expires_at=row.expires_at)


def authenticate(token: str) -> AuthenticatedToken | None:
    """Whose token this is; None if it is unknown, expired or revoked. Blocks; one query where the cache is silent."""
    if not 0 < len(token) <= _LONGEST:
        return None
    digest, now, cache = _digest(token), timezone.now(), token_cache.shared()
    known = cache.get(digest)
    if known is None:
        generation = cache.generation
        row = _living(now).select_related("player").filter(digest=digest).first()
        if row is None:
            return None
        known = _known(_prolonged(row, now))
        cache.put(digest, known, generation)
    return known if known.expires_at > now else None


def known(token: str) -> AuthenticatedToken | None:
    """Whose token this is, if this process has checked it during the last seconds. No query."""
    if not 0 < len(token) <= _LONGEST:
        return None
    found = token_cache.shared().get(_digest(token))
    return found if found is not None and found.expires_at > timezone.now() else None


def living(token_ids: Iterable[UUID]) -> set[UUID]:
    """Those of these tokens that still live, for sockets that stay open; their use counts. One query, seldom two."""
    now = timezone.now()
    rows = list(_living(now).filter(id__in=list(token_ids)))
    stale = [row.id for row in rows if now - row.last_used_at > PROLONG_AFTER]
    if stale:
        Token.objects.filter(id__in=stale).update(last_used_at=now, expires_at=_end_of_life(now))
    return {row.id for row in rows}


def revoke(tokens: QuerySet[Token]) -> int:
    """Delete these tokens, everywhere at once when the transaction commits; how many there were."""
    ids = list(tokens.values_list("id", flat=True))
    number = Token.objects.filter(id__in=ids).delete()[0]
    transaction.on_commit(lambda: token_cache.shared().forget(token_ids=ids))
    return number


def forget_player(player_id: UUID) -> None:
    """What is cached of a player has changed (or the player is gone)."""
    transaction.on_commit(lambda: token_cache.shared().forget(player_ids=[player_id]))


def of_player(player_id: UUID) -> QuerySet[Token]:
    """The player's tokens that still live."""
    return _living(timezone.now()).filter(player_id=player_id)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _device(name: str) -> str:
    return "".join(letter for letter in name if letter.isprintable())[:DEVICE_LENGTH]


def _end_of_life(now: datetime) -> datetime:
    return now + timedelta(days=settings.REPLI.token_days)


def _living(now: datetime) -> QuerySet[Token]:
    return Token.objects.filter(expires_at__gt=now, player__deleted_at__isnull=True, player__banned_at__isnull=True)


def _prolonged(row: Token, now: datetime) -> Token:
    if now - row.last_used_at > PROLONG_AFTER:
        row.last_used_at, row.expires_at = now, _end_of_life(now)
        Token.objects.filter(id=row.id).update(last_used_at=row.last_used_at, expires_at=row.expires_at)
    return row


def _known(row: Token) -> AuthenticatedToken:
    return AuthenticatedToken(
        player_id=row.player_id,
        token_id=row.id,
        expires_at=row.expires_at,
        language=row.player.speaks,
        is_guest=row.player.is_guest,
    )
