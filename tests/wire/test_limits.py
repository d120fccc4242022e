"""How often somebody may do something."""

from __future__ import annotations

import logging
import secrets
import socket
from typing import Any

import pytest
from limits import parse

from config.wire import limits
from config.wire.limits import Limiter, address
from config.wire.problems import Problem
from tests.servers import TestServers


def test_two_processes_count_together(servers: TestServers) -> None:
    one, two = Limiter(servers.redis_url), Limiter(servers.redis_url)
    limit, who = parse("4/minute"), secrets.token_hex(8)

    answers = [limiter.retry_after(limit, "auth", who) for limiter in (one, two) * 3]

    assert answers[:4] == [0, 0, 0, 0]
    assert all(1 <= seconds <= 60 for seconds in answers[4:])
    assert one.retry_after(limit, "auth", "another" + who) == 0


def test_nobody_is_stopped_while_the_counters_cannot_be_reached(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    limiter = Limiter(f"redis://127.0.0.1:{port}/0")
    limit = parse("1/minute")

    with caplog.at_level(logging.WARNING):
        answers = [limiter.retry_after(limit, "auth", "somebody") for _ in range(5)]

    assert answers == [0] * 5
    assert caplog.text.count("limits are off") == 1


def test_a_spent_limit_answers_429_with_a_time(client: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REPLI = settings.REPLI.model_copy(update={"throttle_read": "3/minute", "throttle": True})
    limits.limit_of.cache_clear()
    client.defaults["REMOTE_ADDR"] = f"10.9.{secrets.randbelow(256)}.{secrets.randbelow(256)}"
    try:
        answers = [client.get("/ask/") for _ in range(4)]
    finally:
        limits.limit_of.cache_clear()

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[3].json()["code"] == "throttled"
    assert 1 <= int(answers[3]["Retry-After"]) <= 60


def test_limits_can_be_switched_off(settings: Any, servers: TestServers) -> None:
    settings.REPLI = settings.REPLI.model_copy(update={"throttle_auth": "1/minute", "throttle": False})

    for _ in range(3):
        limits.spend("auth", "anybody")


def test_sockets_meet_the_same_refusal(settings: Any, servers: TestServers) -> None:
    settings.REPLI = settings.REPLI.model_copy(update={"throttle_auth": "1/minute", "throttle": True})
    limits.limit_of.cache_clear()
    who = secrets.token_hex(8)
    try:
        limits.spend("auth", who)
        with pytest.raises(Problem) as refusal:
            limits.spend("auth", who)
    finally:
        limits.limit_of.cache_clear()

    assert refusal.value.code == "throttled"
    assert refusal.value.facts["retry_after"] >= 1


@pytest.mark.parametrize(
    "remote,whom",
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "::ffff:192.0.2.7"),
        ("unix:", "unix:"),
        ("", "unknown"),
    ],
)
def test_a_household_is_one_address(remote: str, whom: str) -> None:
    assert address({"REMOTE_ADDR": remote}) == whom
