"""Celery tasks: thin, idempotent by what they act on, harmless in many copies. All work is done by services."""

from __future__ import annotations

from datetime import timedelta

import structlog
from celery import shared_task
from django.conf import settings

from games.services import clock, entropy
from games.services.wake import beat
from games.statistics import following
from games.store import receipts
from games.store.due import find_due, postpone

log = structlog.get_logger(__name__)

SWEEP_LIMIT = 200
BROKEN_PAUSE = timedelta(seconds=10)  # before a game whose look failed is tried again
FORGET_ROUNDS = 20
COUNT_ROUNDS = 10  # batches in one go; the next beat goes on


@shared_task(name="games.tasks.look_after")
def look_after(game_id: str) -> None:
    """Do what is due at one game; a hint that may come twice, late or never.

    Nothing is raised: Celery would log an exception's message, which might quote a card; the sweep tries again.
    """
    try:
        clock.look_after(game_id)
    except Exception:
        log.exception("look failed", game=game_id)


@shared_task(name="games.tasks.sweep")
def sweep() -> None:
    """Find what is overdue everywhere and do it: the only thing that time depends on."""
    now = entropy.utcnow()
    for due in find_due(now, SWEEP_LIMIT):
        try:
            clock.look_after(due.game_id)
        except Exception:  # one broken game must not keep the others waiting
            log.exception("sweep failed", game=due.game_id)
            postpone([due.game_id], now + BROKEN_PAUSE)
    clock.take_over_absent(now)
    beat("sweep")


@shared_task(name="games.tasks.count")
def count() -> None:
    """Count finished games into the players' statistics; may come twice, late, in parallel or not at all."""
    for _ in range(COUNT_ROUNDS):
        if following.follow() < following.BATCH:
            break
    beat("count")


@shared_task(name="games.tasks.forget")
def forget() -> None:
    """Forget answers that nobody can ask for again, in bounded bites."""
    before = entropy.utcnow() - timedelta(days=settings.REPLI.receipt_days)
    for _ in range(FORGET_ROUNDS):
        if receipts.forget_before(before) == 0:
            return
