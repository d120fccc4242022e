"""Celery tasks: thin, idempotent, harmless in many copies."""

from __future__ import annotations

from datetime import timedelta

import structlog
from celery import shared_task
from django.conf import settings

from games.services import entropy
from games.services.wake import beat
from games.store.connection import execute
from rankings.matchmaking import conduct, matcher

log = structlog.get_logger(__name__)

FORGET = 5000
ROUNDS = 20


@shared_task(name="rankings.matchmaking.match")
def match() -> None:
    """Make tables; again at once while there are more than one look may make."""
    try:
        for _ in range(ROUNDS):
            if matcher.run() < matcher.TABLES:
                break
        beat("match")
    except Exception:
        log.exception("matching failed")


@shared_task(name="rankings.matchmaking.follow_conduct")
def follow_conduct() -> None:
    """Count timeouts, losses and leaving."""
    try:
        conduct.follow()
    except Exception:
        log.exception("counting conduct failed")


@shared_task(name="rankings.matchmaking.forget")
def forget() -> None:
    """Count what an interrupted look may have passed over, and forget old tickets."""
    conduct.follow(everything=True)
    execute(
        "DELETE FROM rankings_ticket_member WHERE ticket_id IN"
        " (SELECT id FROM rankings_ticket WHERE ended_at < %s ORDER BY ended_at LIMIT %s)",
        parameters := [entropy.utcnow() - timedelta(days=settings.REPLI.receipt_days), FORGET],
    )
    execute(
        "DELETE FROM rankings_ticket t WHERE id IN"
        " (SELECT id FROM rankings_ticket WHERE ended_at < %s ORDER BY ended_at LIMIT %s)"
        " AND NOT EXISTS (SELECT 1 FROM rankings_ticket_member m WHERE m.ticket_id = t.id)",
        parameters,
    )
