"""Column types that Django has not: JSON kept byte for byte, and times in whole milliseconds."""
# ruff: noqa: ARG002  (the signatures are Django's)

from __future__ import annotations

from typing import Any

from django.db import models


class RawJson(models.TextField):  # type: ignore[type-arg]
    """PostgreSQL's `json`, read as the very text that was stored; `jsonb` would rewrite what the chain has hashed."""

    def db_type(self, connection: Any) -> str:
        return "json"

    def select_format(self, compiler: Any, sql: str, params: Any) -> tuple[str, Any]:
        return f"{sql}::text", params


class Milliseconds(models.DateTimeField):  # type: ignore[type-arg]
    def db_type(self, connection: Any) -> str:
        return "timestamp(3) with time zone"
