"""What the application's role may do, re-applied after every migration so that new tables get it too.

Invariant: the application can add events, never change or remove one; receipts it can forget, not change. It may
advance a game's row, not rewrite where the game came from. On partitions it may do nothing: it reaches them through
their table alone. Without a role of its own (the application is the owner)
only the triggers and the chain remain; `doctor` says so.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.db import connections
from psycopg import sql

log = logging.getLogger(__name__)

APPEND_ONLY = ["games_event", "games_feed", "games_applied"]
MAY_CHANGE = (
    "status", "host", "version", "to_act", "due_at", "check_at", "head", "options", "updated_at",
)  # fmt: skip
PARTITIONS = """
SELECT relname FROM pg_class
WHERE relispartition AND relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY relname"""


def append_only(table: str) -> None:
    """Let another app's table be one that the application can only add to; said in `AppConfig.ready`."""
    if table not in APPEND_ONLY:
        APPEND_ONLY.append(table)


def application_role() -> str:
    return unquote(urlsplit(settings.REPLI.application_database).username or "")


def after_migrate(using: str = "default", **_signal: Any) -> None:
    """Grant, unless whoever migrates is the application itself or its role does not exist here."""
    role = application_role()
    with connections[using].cursor() as cursor:
        cursor.execute(
            "SELECT current_user, EXISTS (SELECT 1 FROM pg_roles WHERE rolname = %s), to_regclass('games_event')",
            [role],
        )
        current, exists, migrated = cursor.fetchone()
        if role == current or migrated is None:
            return
        if not exists:
            log.warning("role %s does not exist: no privileges were granted", role)
            return
        cursor.execute("SELECT t FROM unnest(%s::text[]) AS t WHERE to_regclass(t) IS NOT NULL", [APPEND_ONLY])
        stays = [table for (table,) in cursor.fetchall()]
        cursor.execute(PARTITIONS)
        for statement in statements(role, stays, [table for (table,) in cursor.fetchall()]):
            cursor.execute(statement)


def statements(role: str, stays: Sequence[str], partitions: Sequence[str] = ()) -> list[sql.Composed]:
    """In order; each can be repeated. `stays`: the tables that exist by now and are only added to."""
    names = {"role": sql.Identifier(role), "columns": sql.SQL(", ").join(map(sql.Identifier, MAY_CHANGE))}
    listed = sql.SQL(", ").join(map(sql.Identifier, stays))
    closed = sql.SQL("REVOKE ALL ON {} FROM {}")
    return [
        sql.SQL(text).format(**names, append_only=listed)
        for text in (
            "GRANT USAGE ON SCHEMA public TO {role}",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
            "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
            "REVOKE UPDATE, DELETE, TRUNCATE ON {append_only}, games_receipt, games_game, games_seat FROM {role}",
            "GRANT DELETE ON games_receipt TO {role}",
            "GRANT UPDATE ON games_seat TO {role}",
            "GRANT UPDATE ({columns}) ON games_game TO {role}",
            "REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON django_migrations FROM {role}",
        )
    ] + [closed.format(sql.Identifier(each), names["role"]) for each in partitions]
