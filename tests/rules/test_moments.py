"""Times in text form: whole milliseconds, UTC, as `datetime.isoformat` writes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st

from games.rules.moments import rfc3339


@given(at=st.datetimes(timezones=st.just(UTC)))
@example(at=datetime(1, 1, 1, tzinfo=UTC))
@example(at=datetime(2026, 11, 30, 12, 0, 0, 999_999, tzinfo=UTC))
def test_equals_isoformat(at: datetime) -> None:
    assert rfc3339(at) == at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def test_other_zones_are_told_in_utc() -> None:
    at = datetime(2026, 11, 30, 1, 0, 0, 5_000, tzinfo=timezone(timedelta(hours=2)))
    assert rfc3339(at) == "2026-11-29T23:00:00.005Z"
