"""A revoked token is believed nowhere for long, whichever process checked it."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from accounts.models import Token
from accounts.token_cache import TokenCache, shared
from accounts.tokens import AuthenticatedToken, authenticate, living
from config.wire.ids import new_id
from tests.accounts.conftest import guest, signed_up
from tests.servers import CHECKOUT, TestServers


def known(player_id: UUID | None = None) -> AuthenticatedToken:
    return AuthenticatedToken(
        player_id=player_id or new_id(),
        token_id=new_id(),
        expires_at=timezone.now() + timedelta(days=1),
        language="en",
        is_guest=True,
    )


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


@pytest.fixture
def caches(servers: TestServers) -> Iterator[tuple[TokenCache, TokenCache]]:
    """Those of two processes, both listening already."""
    one, two = TokenCache(servers.redis_url, 60), TokenCache(servers.redis_url, 60)
    for cache in (one, two):
        cache.put(b"warm", known(), cache.generation)
        assert within(5, lambda cache=cache: cache.get(b"warm") is None), "it never began to listen"  # type: ignore[misc]
    yield one, two
    one.close()
    two.close()


def test_what_one_process_forgets_the_other_does(caches: tuple[TokenCache, TokenCache]) -> None:
    one, two = caches
    mine, other = known(), known()
    for cache in caches:
        cache.put(b"mine", mine, cache.generation)
        cache.put(b"other", other, cache.generation)

    one.forget(token_ids=[mine.token_id])

    assert one.get(b"mine") is None
    assert within(5, lambda: two.get(b"mine") is None)
    assert one.get(b"other") == two.get(b"other") == other


def test_a_player_is_forgotten_with_all_tokens(caches: tuple[TokenCache, TokenCache]) -> None:
    one, two = caches
    player = uuid4()
    two.put(b"a", known(player), two.generation)
    two.put(b"b", known(player), two.generation)

    one.forget(player_ids=[player])

    assert within(5, lambda: two.get(b"a") is None and two.get(b"b") is None)


def test_a_check_that_began_before_a_revocation_is_not_kept(caches: tuple[TokenCache, TokenCache]) -> None:
    one, _ = caches
    began = one.generation
    mine = known()

    one.forget(token_ids=[mine.token_id])
    one.put(b"mine", mine, began)

    assert one.get(b"mine") is None


def test_an_entry_ends_with_its_seconds_also_without_a_broker() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    cache = TokenCache(f"redis://127.0.0.1:{port}/0", 0.2)
    cache.put(b"mine", known(), cache.generation)

    assert within(3, lambda: cache.get(b"mine") is None)
    cache.forget(token_ids=[uuid4()])  # does not raise
    cache.close()


def test_no_seconds_means_no_cache(servers: TestServers) -> None:
    cache = TokenCache(servers.redis_url, 0)
    cache.put(b"mine", known(), cache.generation)

    assert cache.get(b"mine") is None
    cache.close()


def test_a_logout_reaches_another_process_within_seconds(servers: TestServers) -> None:
    caller, session = guest()
    with subprocess.Popen(
        [sys.executable, "-c", _OTHER_PROCESS, session["token"]], cwd=CHECKOUT, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "believed\n"
        assert caller("POST", "logout/").status_code == 204
        assert other.stdout.readline() == "refused\n"
        assert other.wait(10) == 0


_OTHER_PROCESS = """
import sys, time
import django
django.setup()
from accounts.tokens import authenticate
assert authenticate(sys.argv[1])
print("believed", flush=True)
end = time.monotonic() + 8
while authenticate(sys.argv[1]) and time.monotonic() < end:
    time.sleep(0.05)
print("believed still" if authenticate(sys.argv[1]) else "refused", flush=True)
import os
os._exit(0)
"""


def test_a_cached_token_is_checked_without_a_query(django_assert_num_queries: Callable[[int], object]) -> None:
    _, session = guest()
    first = authenticate(session["token"])
    shared_is_warm = within(5, lambda: shared()._ear is not None and authenticate(session["token"]) is not None)
    assert shared_is_warm
    time.sleep(0.3)  # the listener's start forgets all once
    authenticate(session["token"])

    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        assert authenticate(session["token"]) == first


def test_what_a_token_says_of_its_player_follows_changes() -> None:
    caller, session = guest()
    assert authenticate(session["token"])

    caller("PATCH", "me/", {"language": "fr"})

    after = authenticate(session["token"])
    assert after
    assert (after.language, str(after.player_id), after.is_guest) == ("fr", session["player"]["id"], True)


def test_open_sockets_ask_for_all_their_tokens_at_once() -> None:
    caller, session = signed_up()
    _, other = guest()
    mine = Token.objects.get(player_id=session["player"]["id"])
    theirs = Token.objects.get(player_id=other["player"]["id"])
    long_ago = timezone.now() - timedelta(days=2)
    Token.objects.filter(id=theirs.id).update(last_used_at=long_ago)

    assert living([mine.id, theirs.id, uuid4()]) == {mine.id, theirs.id}
    assert Token.objects.get(id=theirs.id).last_used_at > long_ago
    caller("DELETE", "me/")
    assert living([mine.id, theirs.id]) == {theirs.id}
