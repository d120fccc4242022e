"""Celery tasks: thin, idempotent, harmless in many copies. All work is done by the two halves of the app."""

from __future__ import annotations

from celery import shared_task

from games.services.wake import beat
from rankings.ratings import follow

ROUNDS = 20  # batches in one go; the next beat goes on


@shared_task(name="rankings.tasks.rate")
def rate() -> None:
    """Apply the finished games that have not been applied yet; may come twice, late, in parallel or not at all."""
    for _ in range(ROUNDS):
        if follow.follow() < follow.BATCH:
            break
    beat("rate")


@shared_task(name="rankings.tasks.rate_everything")
def rate_everything() -> None:
    """The same without trust in how far the follower is: finds what was noted impossibly late."""
    follow.follow(everything=True)
