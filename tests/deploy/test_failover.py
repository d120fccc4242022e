"""What the proxy sends once more, and what clients hear where nobody serves: the real nginx before stand-ins."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.conf import settings

from config.embedded import ports
from tests.deploy.running import WAIT, nginx

pytestmark = pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
GAME = f"/api/v1/games/{uuid.uuid4()}/"
KEY = {"Idempotency-Key": "a"}
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"


@dataclass
class StandIn:
    """A web process that reads requests and answers them, or hangs up in place of an answer."""

    port: int
    hangs_up: bool = False
    heard: list[str] = field(default_factory=list)

    @contextmanager
    def listening(self) -> Iterator[None]:
        with socket.create_server(("127.0.0.1", self.port)) as listener:
            thread = threading.Thread(target=self._serve, args=(listener,))
            thread.start()
            try:
                yield
            finally:
                listener.shutdown(socket.SHUT_RDWR)
                thread.join(WAIT)

    def _serve(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(WAIT)
                self.heard.append(connection.recv(65536).split(b" ")[0].decode())
                if not self.hangs_up:
                    connection.sendall(ANSWER)


@dataclass
class Place:
    """The proxy and two stand-ins, of which none listens yet."""

    address: str
    webs: list[StandIn]

    def ask(
        self, method: str, path: str, /, body: bytes = b"", **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = http.client.HTTPConnection(self.address, timeout=WAIT)
        try:
            connection.request(method, path, body or (b"{}" if method == "POST" else None), headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def status(self, method: str, path: str, **headers: str) -> int:
        return self.ask(method, path, b"", **headers)[0]

    @property
    def heard(self) -> int:
        return sum(len(web.heard) for web in self.webs)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    first = ports.free()
    webs = [StandIn(first), StandIn(ports.free(besides=frozenset({first})))]
    with nginx(tmp_path, [web.port for web in webs]) as (address, _):
        place = Place(address, webs)
        limit = time.monotonic() + WAIT
        while True:
            try:
                assert place.status("GET", "/metrics") == 404  # the proxy's own
            except OSError:
                assert time.monotonic() < limit
                time.sleep(0.01)
            else:
                break
        yield place


def test_where_nobody_serves_the_service_s_own_words_are_heard(place: Place) -> None:
    for method, path in (("GET", "/"), ("GET", GAME), ("POST", f"{GAME}moves/")):
        status, headers, body = place.ask(method, path, b"", **KEY)
        assert (status, headers["Retry-After"]) == (503, "2")
        assert headers["Content-Type"] == "application/problem+json"
        assert json.loads(body)["code"] == "unavailable"


def test_a_body_that_the_proxy_does_not_pass_on_is_refused_in_the_service_s_words(place: Place) -> None:
    status, headers, body = place.ask("POST", f"{GAME}moves/", b"x" * (128 * 1024 + 1))
    assert (status, headers["Content-Type"]) == (413, "application/problem+json")
    assert (json.loads(body)["code"], json.loads(body)["limit"]) == ("too-large", settings.MAX_BODY_BYTES)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_who_comes_back_is_asked_while_the_other_goes(place: Place, method: str) -> None:
    """The proxy takes both for away: nobody waits until it tries again."""
    for _ in range(2):
        assert place.status("GET", GAME) == 503
    for web in place.webs:
        with web.listening():
            assert [place.status(method, GAME) for _ in range(3)] == [200] * 3


@pytest.mark.parametrize(
    "method, path, key, heard",
    [
        ("GET", GAME, False, "more than once"),
        ("POST", f"{GAME}moves/", True, "more than once"),
        ("POST", f"{GAME}moves/", False, "once"),
        ("POST", "/api/v1/accounts/guest/", True, "once"),
    ],
)
def test_what_may_have_been_done_is_sent_once_more_only_where_that_does_no_harm(
    place: Place, method: str, path: str, key: bool, heard: str
) -> None:
    with ExitStack() as both:
        for web in place.webs:
            web.hangs_up = True
            both.enter_context(web.listening())

        assert place.status(method, path, **(KEY if key else {})) == 503

    assert place.heard == 1 if heard == "once" else place.heard > 1


def test_a_move_with_a_key_finds_the_one_that_serves(place: Place) -> None:
    """Of the two homes of a game one hangs up on it; whichever it is, the other answers."""
    place.webs[0].hangs_up = True
    with place.webs[0].listening(), place.webs[1].listening():
        for _ in range(8):
            path = f"/api/v1/games/{uuid.uuid4()}/moves/"
            assert place.status("POST", path, **KEY) == 200
