"""Tells other processes what has just been committed: a wake-up, never the fact itself.

Must live here: publishing on the bus and hints to the workers. Must not: anything that may refuse or delay a command.
Invariant: whatever is lost here only delays; sockets and the sweep find it in the database.
"""

from __future__ import annotations

import time
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal

import msgspec
import redis
import structlog
from celery import current_app
from django.conf import settings

from config.observability.figures import lost
from config.observability.sources import CHAIN

log = structlog.get_logger(__name__)

CHANNEL = "repli.bus"
LOOK_AFTER = "games.tasks.look_after"  # by name: tasks stand above services
PATIENCE = 1.0  # seconds that a command may lose to a broker which does not answer

Kind = Literal["game", "player", "lobby", "presence", "tokens"]


class Wake(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One wake-up: `id` is a game's or a player's; `version` a game's; `notice` what a player is told.

    `tokens`: a player's tokens were revoked; their sockets are closed now and not at the next check.
    """

    kind: Kind
    id: str
    version: int = 0
    notice: dict[str, Any] | None = None
    at: float = 0.0  # when it was committed, in seconds since 1970; 0: not known


@lru_cache(maxsize=1)
def client() -> redis.Redis:
    """This process's connections to Valkey, safe to use from many threads."""
    return _connections(settings.REPLI.redis)


@lru_cache(maxsize=1)
def bus() -> redis.Redis:
    """The same to the one that carries wake-ups."""
    return client() if settings.REPLI.bus == settings.REPLI.redis else _connections(settings.REPLI.bus)


def _connections(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, health_check_interval=30)


def publish(*wakes: Wake) -> None:
    """Send wake-ups to every process; a lost one is only logged."""
    if not wakes:
        return
    try:
        bus().publish(CHANNEL, msgspec.json.encode(wakes))
    except redis.RedisError as error:
        lost("wake").inc(len(wakes))
        log.warning("wake-up lost", kinds=[wake.kind for wake in wakes], error=type(error).__name__)


def hint(game_id: str, due: datetime, now: datetime) -> None:
    """Ask a worker to look at a game when something is due there; the sweep does so anyhow, a little later."""
    try:
        current_app.send_task(
            LOOK_AFTER,
            args=(game_id,),
            countdown=max(0.0, (due - now).total_seconds()),
            expires=60.0,
            retry=False,
        )
    except Exception as error:  # noqa: BLE001  (kombu raises whatever its transport does; none may reach a player)
        lost("hint").inc()
        log.warning("hint lost", game=game_id, error=type(error).__name__)


def beat(name: str) -> None:
    """Leave a sign of life that `doctor` and the metrics read: `repli.beat.{name}`, milliseconds since 1970."""
    try:
        client().set(f"repli.beat.{name}", int(time.time() * 1000))
    except redis.RedisError as error:
        lost("beat").inc()
        log.warning("sign of life lost", name=name, error=type(error).__name__)


def chains_checked(bad: int) -> None:
    """Leave what the last check of all chains has found, for the metrics: the number of games that are not sound."""
    try:
        client().set(CHAIN, msgspec.json.encode({"at": int(time.time() * 1000), "bad": bad}))
    except redis.RedisError as error:
        lost("beat").inc()
        log.warning("sign of life lost", name="chain", error=type(error).__name__)
