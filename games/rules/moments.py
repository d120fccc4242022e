"""Times in text form: RFC 3339, UTC, whole milliseconds, as stored, hashed and sent (api.md, General)."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

import msgspec

_WHOLE = len("2026-11-30T12:00:00")


@lru_cache(maxsize=4096)  # a move's time is written for every one of its events and every viewer
def rfc3339(at: datetime) -> str:
    """`2026-11-30T12:00:00.123Z`; what lies below the millisecond is cut off."""
    whole = msgspec.to_builtins(at.astimezone(UTC))[:_WHOLE]
    return f"{whole}.{at.microsecond // 1000:03}Z"
