"""Where ids come from: UUIDv7, so that they sort by their making and PostgreSQL 15 needs no function for them."""

from __future__ import annotations

from uuid import UUID

import uuid_utils.compat


def new_id() -> UUID:
    return uuid_utils.compat.uuid7()
