"""The installation's figures that belong to no app: signs of life in Valkey, and the broker's queue."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import redis
from celery import current_app
from django.conf import settings
from kombu.exceptions import ChannelError

from config.observability import installation, labels
from config.observability.families import describe
from config.observability.installation import Sample

SECONDS = 1.0  # that Valkey or the broker may take for one step
CHAIN = "repli.chain"  # where `verify_events` leaves what it found
QUEUE = "celery"

_BEAT_AGE = describe(
    "repli_beat_age_seconds",
    "gauge",
    "since a recurring task last ended well; infinite if it never did",
    "beat",
    unit="seconds",
    whole=True,
)
_CHAIN_BAD = describe(
    "repli_chain_bad_games", "gauge", "games whose chain the last whole `verify_events` found broken", unit="games",
    whole=True,
)  # fmt: skip
_CHAIN_AGE = describe(
    "repli_chain_checked_age_seconds", "gauge", "since that check; missing where there was none", unit="seconds",
    whole=True,
)  # fmt: skip
_QUEUE = describe("repli_queue_depth", "gauge", "tasks that no worker has taken yet", "queue", unit="tasks", whole=True)


def register() -> None:
    """Let scrapes read both."""
    labels.add("queue", [QUEUE])
    installation.add("valkey", _valkey)
    installation.add("broker", _broker)


def _valkey() -> Iterator[Sample]:
    names = sorted(labels.CLOSED["beat"])
    with redis.Redis.from_url(settings.REPLI.redis, socket_timeout=SECONDS, socket_connect_timeout=SECONDS) as client:
        seconds, microseconds = client.time()  # its own clock: ours may differ
        signs = client.mget([f"repli.beat.{name}" for name in names] + [CHAIN])
    now = seconds + microseconds / 1e6
    for name, sign in zip(names, signs, strict=False):
        yield Sample(_BEAT_AGE, (name,), math.inf if sign is None else max(0.0, now - int(sign) / 1000))
    if signs[-1] is not None:
        checked = json.loads(signs[-1])
        yield Sample(_CHAIN_BAD, (), float(checked["bad"]))
        yield Sample(_CHAIN_AGE, (), max(0.0, now - checked["at"] / 1000))


def _broker() -> Iterator[Sample]:
    """Ask any broker the same way; a queue that nobody has made yet is empty."""
    timeouts = {"socket_timeout": SECONDS, "socket_connect_timeout": SECONDS, "max_retries": 0}
    options = {**current_app.conf.broker_transport_options, **timeouts}
    with current_app.connection_for_read(transport_options=options, connect_timeout=SECONDS) as connection:
        try:
            channel: Any = connection.default_channel
            depth = channel.queue_declare(QUEUE, passive=True).message_count
        except ChannelError:
            depth = 0
    yield Sample(_QUEUE, (QUEUE,), float(depth))
