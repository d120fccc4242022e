"""Checked tokens, believed for a few seconds by one process, and forgotten by all processes when one says so.

Invariant: an entry never outlives its seconds, whether or not the broker can be reached; a check that began before a
revocation was heard of is not kept (`generation`). Words between processes name ids, never tokens or digests.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec
import redis
import structlog
from django.conf import settings

from config.observability import labels
from config.observability.figures import cache_entries, cache_lookups

if TYPE_CHECKING:
    from accounts.tokens import AuthenticatedToken

log = structlog.get_logger(__name__)

CHANNEL = "repli:tokens"
MOST = 50_000
labels.add("cache", ["tokens"])
_hit, _miss = cache_lookups("tokens", "hit"), cache_lookups("tokens", "miss")
RETRY_SECONDS = 1.0


class Forget(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one process tells the others."""

    token_ids: frozenset[UUID] = frozenset()
    player_ids: frozenset[UUID] = frozenset()


class TokenCache:
    def __init__(self, url: str, seconds: float) -> None:
        self._url = url
        self._seconds = seconds
        self._entries: dict[bytes, tuple[AuthenticatedToken, float]] = {}
        self._lock = threading.Lock()
        self._publisher = redis.Redis.from_url(url, socket_timeout=0.5, socket_connect_timeout=0.5)
        self._ear: threading.Thread | None = None
        self._closed = threading.Event()
        self._deaf = False
        self.generation = 0

    def get(self, digest: bytes) -> AuthenticatedToken | None:
        with self._lock:
            entry = self._entries.get(digest)
        found = entry[0] if entry and entry[1] > time.monotonic() else None
        (_hit if found else _miss).inc()
        return found

    def size(self) -> int:
        return len(self._entries)

    def put(self, digest: bytes, known: AuthenticatedToken, generation: int) -> None:
        """Keep a check that began at `generation`, unless something was forgotten meanwhile."""
        if not self._seconds:
            return
        self._listen()
        with self._lock:
            if generation != self.generation:
                return
            if len(self._entries) >= MOST:
                self._entries.clear()
            self._entries[digest] = (known, time.monotonic() + self._seconds)

    def forget(self, *, token_ids: Iterable[UUID] = (), player_ids: Iterable[UUID] = ()) -> None:
        """Forget here at once, and everywhere else as soon as they hear of it."""
        words = Forget(token_ids=frozenset(token_ids), player_ids=frozenset(player_ids))
        self._drop(words)
        try:
            self._publisher.publish(CHANNEL, msgspec.json.encode(words))
        except redis.RedisError as error:
            log.warning("other processes will notice later", error=type(error).__name__)

    def close(self) -> None:
        self._closed.set()
        if self._ear:
            self._ear.join(5)
        self._publisher.close()

    def _drop(self, words: Forget | None) -> None:
        """Forget what the words name; everything if there are none."""
        with self._lock:
            self.generation += 1
            self._entries = {
                digest: (known, until)
                for digest, (known, until) in self._entries.items()
                if words and known.token_id not in words.token_ids and known.player_id not in words.player_ids
            }

    def _listen(self) -> None:
        with self._lock:
            if self._ear is None or not self._ear.is_alive():  # a fork has the thread's object, not the thread
                self._ear = threading.Thread(target=self._hear, name="token-cache", daemon=True)
                self._ear.start()

    def _hear(self) -> None:
        while not self._closed.is_set():
            try:
                self._hear_until_lost()
            except (redis.RedisError, OSError, msgspec.MsgspecError) as error:
                if not self._deaf:
                    log.warning("revocations go unheard; tokens are believed for seconds", error=type(error).__name__)
                self._deaf = True
                self._closed.wait(RETRY_SECONDS)

    def _hear_until_lost(self) -> None:
        with redis.Redis.from_url(self._url, socket_connect_timeout=1) as client, client.pubsub() as ear:
            ear.subscribe(CHANNEL)
            while not self._closed.is_set():
                message = ear.get_message(timeout=0.5)
                if message is None:
                    continue
                if message["type"] == "subscribe":
                    self._drop(None)  # whatever was said while nobody listened
                    self._deaf = False
                elif message["type"] == "message":
                    self._drop(msgspec.json.decode(message["data"], type=Forget))


@cache
def shared() -> TokenCache:
    """The cache of this process."""
    return TokenCache(settings.REPLI.bus, settings.REPLI.token_cache_seconds)


cache_entries("tokens").set_function(lambda: shared().size())
