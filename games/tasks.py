"""Celery tasks: thin, idempotent by what they act on, harmless in many copies. All work is done by services."""

from __future__ import annotations

import structlog
from celery import shared_task

from games.services import clock, entropy
from games.services.wake import beat
from games.store.due import find_due

log = structlog.get_logger(__name__)

SWEEP_LIMIT = 200


@shared_task(name="games.tasks.look_after")
def look_after(game_id: str) -> None:
    """Do what is due at one game; a hint that may come twice, late or never."""
    clock.look_after(game_id)


@shared_task(name="games.tasks.sweep")
def sweep() -> None:
    """Find what is overdue everywhere and do it: the only thing that time depends on."""
    now = entropy.utcnow()
    for due in find_due(now, SWEEP_LIMIT):
        try:
            clock.look_after(due.game_id)
        except Exception:  # one broken game must not keep the others waiting
            log.exception("sweep failed", game=due.game_id)
    clock.take_over_absent(now)
    beat("sweep")
