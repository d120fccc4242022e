"""Whoever sends whatever: all labels of a real server come from closed sets, and the series have a bound."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from config.observability.http import routes
from config.observability.labels import CLOSED
from games.ws.messages import CLOSE_CODES
from tests.games import somebody, started
from tests.observability.scraping import Scrape, Series, faults, of
from tests.servers import TestServers
from tests.ws.test_real_server import serving

MOST = 3000  # series of one process; far more than any of these tests makes
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "BREW", "TRACE")


@pytest.fixture(scope="module")
def port(servers: TestServers) -> Iterator[int]:
    with serving(servers, {"REPLI_THROTTLE": "false"}) as server:
        yield server.port


def garbage(port: int, token: str, game_id: str) -> None:
    """Requests and messages that nobody has sent before, to all kinds of addresses, by all kinds of methods."""
    odd = secrets.token_hex(8)
    paths = [
        f"/{odd}",
        f"/static/{odd}.js",
        f"/api/v1/games/{odd}/",
        f"/api/v1/games/{game_id}/?code={odd}",
        f"/api/v1/games/{game_id}/moves/",
        f"/api/v1/rulesets/{odd}/",
        f"/api/v1/leaderboards/{odd}/",
        f"/replay/{game_id}",
        f"/metrics?{odd}",
        f"/metrics/{odd}",
        "/healthz",
    ]
    for method in METHODS:
        for path in paths:
            ask(port, method, path, token, odd)
    for kind, path in (("game", f"games/{game_id}/"), ("me", "me/"), ("none", f"{odd}/")):
        for bearer in (token, odd):
            talk(port, path, bearer, kind, odd)


def ask(port: int, method: str, path: str, token: str, odd: str) -> int:
    client = HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Authorization": f"Bearer {token}", "X-Request-Id": f"no id: {odd}", "Content-Type": "application/json"}
    try:
        client.request(method, path, json.dumps({odd: odd}), headers)
        answer = client.getresponse()
        answer.read()
        return answer.status
    finally:
        client.close()


def talk(port: int, path: str, token: str, kind: str, odd: str) -> None:
    sent: list[Any] = [
        {"type": odd},
        {"type": "move", "command_id": odd, "action": {"type": odd}},
        {"type": "move", "command_id": "\x00", "action": odd, "expected_version": -1},
        {"type": "ping"},
    ]
    headers = {"Authorization": f"Bearer {token}"}
    with connect(f"ws://127.0.0.1:{port}/ws/v1/{path}", additional_headers=headers) as socket:
        try:
            for message in sent:
                socket.send(json.dumps(message))
            for _ in sent:
                socket.recv(timeout=5)
            socket.close(3000 + secrets.randbelow(1999))  # its own code
        except (ConnectionClosed, TimeoutError):
            pass


def told(scrape: Scrape) -> set[Series]:
    """What the garbage may have brought about: the installation's figures and the loop's lag come and go."""
    return {series for series in scrape if not series.name.startswith("process_")}


def test_garbage_adds_no_series_that_it_could_choose(port: int) -> None:
    ada = somebody()
    game_id = started([ada, somebody()])
    garbage(port, ada.token, game_id)
    before = of(f"http://127.0.0.1:{port}")
    for _ in range(2):
        garbage(port, ada.token, game_id)

    after = of(f"http://127.0.0.1:{port}")

    assert list(faults(after)) == []
    assert told(after) == told(before)
    assert len(after) < MOST
    for text in (ada.id, game_id, ada.token):
        assert not any(text in value for series in after for _, value in series.labels)
    assert after.value("repli_http_requests_total", route="unmatched", status="4xx") > 0
    assert after.value("repli_http_requests_total", route="static", status="4xx") > 0
    assert after.value("repli_http_requests_total", route="api/v1/games/<uuid:game_id>/moves/", method="POST") == 3
    assert after.value("repli_http_requests_total", route="healthz", method="GET", status="2xx") > 0
    assert after.value("repli_http_request_seconds_count", route="healthz", method="GET") > 0
    assert after.value("repli_loop_lag_seconds_count") > 0
    assert after.value("repli_socket_messages_total", message="other", result="validation") > 0
    assert after.value("repli_sockets_closed_total", kind="game", code="other") > 0


def test_even_the_worst_case_has_a_bound() -> None:
    """All templates, each with the methods that it has and the one that stands for all others."""
    assert len(routes()) < 150
    assert {len(CLOSED[name]) for name in ("method", "status", "result", "code", "task")} <= set(range(40))
    assert {str(code) for code in CLOSE_CODES} <= CLOSED["code"]
    assert routes() <= CLOSED["route"]
    assert "api/v1/games/<uuid:game_id>/moves/" in routes()
