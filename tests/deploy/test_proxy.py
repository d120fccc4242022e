"""The real nginx with the configuration of `deploy/` before two web processes; skipped where nginx is not installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.deploy.running import WAIT, nginx
from tests.servers import RunningStack, running_stack

pytestmark = pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
GUESTS = 40
SETTINGS = {
    "REPLI_BOT_PAUSE_MIN": "0",
    "REPLI_BOT_PAUSE_MAX": "0",
    "REPLI_THROTTLE_GUEST": f"{GUESTS}/hour",
    "REPLI_THROTTLE_WRITE": "100000/minute",
    "REPLI_THROTTLE_READ": "100000/minute",
    "REPLI_DRAIN_LINGER": "3",
}


class Front(NamedTuple):
    """The proxy and what is behind it."""

    address: str
    log: Path
    stack: RunningStack

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """The status, and the answer's JSON or text."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.address}/{path}", data, headers)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as answer:
                return answer.status, _decoded(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _decoded(error.read())

    def guest(self, **headers: str) -> dict[str, str]:
        status, answer = self.ask("api/v1/accounts/guest/", {}, **headers)
        assert status == 201, answer
        return {"Authorization": f"Bearer {answer['token']}"}

    def table(self, auth: dict[str, str]) -> str:
        """A running table against a bot."""
        bots = [{"seat": 1, "level": "easy"}]
        wanted = {"rules": "gg", "seats": 2, "visibility": "private", "bots": bots, "options": {"lives": 7}}
        game = self.ask("api/v1/games/", wanted, **auth)[1]["id"]
        assert self.ask(f"api/v1/games/{game}/start/", {}, **auth)[0] == 200
        return str(game)

    def socket(self, game: str, auth: dict[str, str], after: int | None = None) -> ClientConnection:
        query = "?code=SECRETCODE" + ("" if after is None else f"&after={after}")
        return connect(f"ws://{self.address}/ws/v1/games/{game}/{query}", additional_headers=auth, open_timeout=WAIT)

    @property
    def errors(self) -> str:
        return self.log.with_name("errors.log").read_text("utf-8")

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    scratch = tmp_path_factory.mktemp("nginx")
    data = tmp_path_factory.mktemp("proxy") / "data"
    with (
        running_stack(data, web_processes=2, settings=SETTINGS) as stack,
        nginx(scratch, stack.ports) as (address, log),
    ):
        front = Front(address, log, stack)
        _until_answers(front)
        yield front


def test_a_game_is_played_by_rest_and_socket_at_one_process(front: Front) -> None:
    auth = front.guest()
    game = front.table(auth)
    for _ in range(30):
        assert front.ask("healthz")[0] == 200
    moves = 0
    with front.socket(game, auth) as socket:
        for message in _messages(socket):
            now = message.get("game", message)
            if now.get("legal_actions"):
                move = {"action": now["legal_actions"][0], "expected_version": now["version"]}
                if moves % 2:
                    assert front.ask(f"api/v1/games/{game}/moves/", move, **auth)[0] == 201
                else:
                    socket.send(json.dumps({"type": "move", "command_id": str(uuid.uuid4()), **move}))
                moves += 1
            if moves >= 12:
                break
    mine = [line for line in front.lines() if game in line["path"]]
    assert len(mine) > moves / 2
    assert len({line["web"] for line in mine}) == 1, "a game's requests meet at one process"
    assert len({line["web"] for line in front.lines()}) == 2, "the rest is spread"
    assert "SECRETCODE" not in front.log.read_text("utf-8") + front.errors


def test_what_is_for_those_inside_is_not_to_be_had(front: Front) -> None:
    for path in ("metrics", "metrics/", "metricsfoo", "%6detrics", "//metrics"):
        assert front.ask(path)[0] == 404
    assert all(line["web"] == "" for line in front.lines() if line["path"].startswith("/metrics"))


def test_players_are_sent_on_while_one_process_after_the_other_starts_anew(front: Front) -> None:
    auth = front.guest()
    games = [front.table(auth) for _ in range(4)]
    stop = threading.Event()
    statuses: list[int] = []
    acknowledged: dict[str, list[int]] = {game: [] for game in games}
    closes: list[int | None] = []
    missed: list[str] = []

    def by_rest(game: str) -> None:
        while not stop.is_set():
            time.sleep(0.02)
            status, answer = front.ask(f"api/v1/games/{game}/", **auth)
            statuses.append(status)
            if status == 200 and answer.get("legal_actions"):
                move = {"action": answer["legal_actions"][0], "expected_version": answer["version"]}
                key = {"Idempotency-Key": str(uuid.uuid4())}
                status, answer = front.ask(f"api/v1/games/{game}/moves/", move, **auth, **key)
                statuses.append(status)
                if status == 201:
                    acknowledged[game].append(answer["version"])

    def by_socket(game: str) -> None:
        version = None
        while not stop.is_set():
            with front.socket(game, auth, version) as socket:
                try:
                    while not stop.is_set():
                        try:
                            message = json.loads(socket.recv(timeout=0.5))
                        except TimeoutError:
                            continue
                        first = message["events"][0]["seq"] if message["type"] == "events" else 0
                        if version is not None and first > version + 1:
                            missed.append(game)
                        version = message.get("version", version)
                except ConnectionClosed:
                    closes.append(socket.close_code)

    threads = [threading.Thread(target=work, args=(game,)) for game in games for work in (by_rest, by_socket)]
    for thread in threads:
        thread.start()
    try:
        for name in ("web", "web-2"):
            pid = front.stack.pid(name)
            subprocess.run(["kill", "-TERM", str(pid)], check=True)
            front.stack.pid(name, other_than=pid)
            front.stack.until_healthy()  # and on at once, while the proxy still leaves this one alone
    finally:
        stop.set()
        for thread in threads:
            thread.join(WAIT)

    assert [line for line in front.lines() if line["status"] >= 500] == []
    assert set(statuses) <= {200, 201, 409}
    assert set(closes) == {1012}
    assert missed == []
    for game, versions in acknowledged.items():
        assert len(set(versions)) == len(versions) > 0
        assert front.ask(f"api/v1/games/{game}/", **auth)[1]["version"] >= max(versions)
    assert "web ended with code 0" in front.stack.said()
    assert "web-2 ended with code 0" in front.stack.said()


def test_who_claims_another_address_is_counted_at_the_own_one(front: Front) -> None:
    answers = [
        front.ask(
            "api/v1/accounts/guest/", {}, **{"X-Forwarded-For": f"203.0.113.{number}", "Forwarded": "for=1.2.3.4"}
        )
        for number in range(GUESTS + 1)
    ]
    assert answers[-1][0] == 429


def _messages(socket: ClientConnection) -> Iterator[dict[str, Any]]:
    while True:
        yield json.loads(socket.recv(timeout=WAIT))


def _until_answers(front: Front) -> None:
    limit = time.monotonic() + WAIT
    while True:
        try:
            assert front.ask("healthz")[0] == 200
        except (AssertionError, OSError):
            assert time.monotonic() < limit
            time.sleep(0.05)
        else:
            return


def _decoded(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return content.decode(errors="replace")
