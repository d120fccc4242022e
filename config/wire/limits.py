"""How often somebody may do something, counted in Redis or Valkey, for REST and sockets alike.

Must live here: counting, and DRF's throttle over it. Must not: numbers (they are settings, `REPLI_THROTTLE_*`).
Fails open: where the counters cannot be reached everybody may go on, one log line tells it, and no request waits for
the counters again during the next seconds.
"""

from __future__ import annotations

import ipaddress
import math
import time
from functools import cache
from typing import Any, Literal

import structlog
from django.conf import settings
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis import RedisError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from config.wire.problems import Problem

log = structlog.get_logger(__name__)

Kind = Literal["auth", "guest", "guess", "write", "read"]

PAUSE = 2.0  # seconds without a try after the counters could not be reached


class Limiter:
    """Counts against one store. Every process has one; the counts are common."""

    def __init__(self, url: str) -> None:
        storage = RedisStorage(
            url, key_prefix="repli:limits", socket_timeout=0.5, socket_connect_timeout=0.5, wrap_exceptions=True
        )
        self._storage = storage
        self._windows = SlidingWindowCounterRateLimiter(storage)
        self._resume_at = 0.0

    def retry_after(self, limit: RateLimitItem, *key: str, count: bool = True) -> int:
        """Count one use by `key`, or only look; 0 if it is within the limit, else the seconds until another may be."""
        if self.paused:
            return 0
        try:
            if (self._windows.hit if count else self._windows.test)(limit, *key):
                return 0
            return max(1, math.ceil(self._windows.get_window_stats(limit, *key).reset_time - time.time()))
        except (StorageError, RedisError, OSError) as error:
            self.pause(error)
            return 0

    def windows_of(self, limit: RateLimitItem, *key: str) -> tuple[str, str]:
        """The store's keys of the last and of the present window."""
        name = limit.key_for(*key)
        windows = (self._storage._previous_window_key(name), self._storage._current_window_key(name))  # noqa: SLF001
        return self._storage.prefixed_key(windows[0]), self._storage.prefixed_key(windows[1])

    @property
    def paused(self) -> bool:
        """Whether the counters could not be reached a moment ago."""
        return time.monotonic() < self._resume_at

    def pause(self, error: Exception) -> None:
        """Leave the counters alone for a moment."""
        self._resume_at = time.monotonic() + PAUSE
        log.warning("limits are off: their store cannot be reached", error=type(error).__name__)


@cache
def limiter() -> Limiter:
    return Limiter(settings.REPLI.cache)


@cache
def limit_of(kind: Kind) -> RateLimitItem:
    return parse(getattr(settings.REPLI, f"throttle_{kind}"))


def spend(kind: Kind, who: str, *, count: bool = True) -> None:
    """Count one use of that kind by a player's id or an address. Raises Problem `throttled`. Blocks a moment.

    `count=False` only asks whether another use would be allowed, where what is counted shows later (a wrong guess).
    """
    if settings.REPLI.throttle and (seconds := limiter().retry_after(limit_of(kind), kind, who, count=count)):
        raise Problem("throttled", retry_after=seconds)


def address(meta: dict[str, Any]) -> str:
    """Whom an address stands for: itself, or its /64 in IPv6, which one household gets as a whole."""
    given = str(meta.get("REMOTE_ADDR") or "unknown")
    try:
        parsed = ipaddress.ip_address(given)
    except ValueError:
        return given
    if isinstance(parsed, ipaddress.IPv6Address) and not parsed.ipv4_mapped:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return given


class Throttle(BaseThrottle):
    """Every request counts once: as its view's `throttle_kind` per address, else as read or write per player."""

    def allow_request(self, request: Request, view: Any) -> bool:
        kind: Kind | None = getattr(view, "throttle_kind", None)
        if kind and request.method not in SAFE_METHODS:
            spend(kind, address(request.META))
        else:
            caller = getattr(request.user, "pk", None)
            spend("read" if request.method in SAFE_METHODS else "write", str(caller or address(request.META)))
        return True
