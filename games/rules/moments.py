"""Times in text form: RFC 3339, UTC, whole milliseconds, as stored, hashed and sent (api.md, General)."""

from __future__ import annotations

from datetime import UTC, datetime


def rfc3339(at: datetime) -> str:
    """`2026-11-30T12:00:00.123Z`; what lies below the millisecond is cut off."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
