"""A web process that is asked to end: everybody is answered and sent on, nothing acknowledged is lost, code 0."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import psycopg
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from config.drain import Drain
from config.supervision import stack
from games.services.wake import client as valkey
from games.store.load import history
from tests.games import Someone, somebody, started
from tests.servers import TestServers
from tests.ws.test_real_server import UNLIMITED, close_code, heard, open_socket, serving

WAIT = 30.0
SETTINGS = UNLIMITED | {"REPLI_THROTTLE": "false", "REPLI_DRAIN_LINGER": "2", "REPLI_DEPLOY_GRACE": "60"}
ENOUGH = 150  # acknowledged moves before the server is asked to end


class Recorder:
    """What clients were told, from many threads."""

    def __init__(self) -> None:
        self.acknowledged: list[tuple[str, int]] = []  # (game, version)
        self.codes: list[int | None] = []
        self.broken: list[str] = []  # requests without an answer
        self._lock = threading.Lock()

    def note(self, kind: str, what: Any) -> None:
        with self._lock:
            getattr(self, kind).append(what)


def play_by_socket(socket: ClientConnection, game_id: str, recorder: Recorder) -> None:
    """Move whenever it may, until the server closes; then say with which code."""
    message: dict[str, Any]
    try:
        while True:
            message = json.loads(socket.recv(timeout=WAIT))
            if message["type"] == "ack":
                recorder.note("acknowledged", (game_id, message["version"]))
            now = message.get("game", message)
            if now.get("legal_actions"):
                move = {"action": now["legal_actions"][0], "expected_version": now["version"]}
                socket.send(json.dumps({"type": "move", "command_id": str(uuid.uuid4()), **move}))
    except ConnectionClosed:
        recorder.note("codes", socket.close_code)


class Caller:
    """A REST client that keeps its connection, as a proxy does."""

    def __init__(self, port: int, who: Someone) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT)
        self._headers = {"Authorization": f"Bearer {who.token}", "Content-Type": "application/json"}

    def ask(self, path: str, body: Any = None) -> tuple[int, Any]:
        """Raises ConnectionRefusedError when nobody listens any more."""
        text = None if body is None else json.dumps(body)
        self.connection.request("GET" if body is None else "POST", path, text, self._headers)
        with self.connection.getresponse() as answer:
            content = answer.read()
            if answer.headers.get("Connection") == "close":
                self.connection.close()
            return answer.status, json.loads(content)


def play_by_rest(port: int, players: list[Someone], game_id: str, recorder: Recorder) -> None:
    """Both players move by turns until nobody listens; whatever was asked is answered."""
    callers = [Caller(port, player) for player in players]
    try:
        while True:
            for caller in callers:
                _, game = caller.ask(f"/api/v1/games/{game_id}/")
                if not game.get("legal_actions"):
                    continue
                move = {"action": game["legal_actions"][0], "expected_version": game["version"]}
                status, answer = caller.ask(f"/api/v1/games/{game_id}/moves/", move)
                if status == 201:
                    recorder.note("acknowledged", (game_id, answer["version"]))
    except ConnectionRefusedError:
        pass
    except (OSError, http.client.HTTPException) as error:
        recorder.note("broken", repr(error))
    finally:
        for caller in callers:
            caller.connection.close()


def until(happened: Callable[[], bool]) -> None:
    limit = time.monotonic() + WAIT
    while not happened():
        assert time.monotonic() < limit
        time.sleep(0.01)


def test_under_load_every_socket_hears_1012_and_no_acknowledged_move_is_lost(servers: TestServers) -> None:
    recorder = Recorder()
    with serving(servers, SETTINGS) as server, ExitStack() as opened:
        threads = []
        for _ in range(6):
            pair = [somebody(), somebody()]
            game_id = started(pair, rules="gg", options={"lives": 7})
            for player in pair:
                socket = opened.enter_context(open_socket(server.port, player, f"/ws/v1/games/{game_id}/"))
                threads.append(threading.Thread(target=play_by_socket, args=(socket, game_id, recorder)))
        paths = ("/ws/v1/me/", "/ws/v1/lobby/") * 10
        idle = [opened.enter_context(open_socket(server.port, somebody(), path)) for path in paths]
        for _ in range(4):
            pair = [somebody(), somebody()]
            game_id = started(pair, rules="gg", options={"lives": 7})
            threads.append(threading.Thread(target=play_by_rest, args=(server.port, pair, game_id, recorder)))
        for thread in threads:
            thread.start()
        until(lambda: len(recorder.acknowledged) >= ENOUGH)

        server.process.send_signal(signal.SIGTERM)

        codes = [close_code(socket) for socket in idle]
        for thread in threads:
            thread.join(WAIT)
        assert server.process.wait(WAIT) == 0
    assert codes == [1012] * len(idle)
    assert recorder.codes == [1012] * 12
    assert recorder.broken == []
    stored: dict[str, set[int]] = {}
    for game_id, _ in recorder.acknowledged:
        if game_id not in stored:
            stored[game_id] = {record.version for record in history(game_id)}
    assert [move for move in recorder.acknowledged if move[1] not in stored[move[0]]] == []


@contextmanager
def held(servers: TestServers, game_id: str) -> Iterator[psycopg.Connection]:
    """The game's row, locked: whoever moves there waits."""
    with psycopg.connect(servers.migrate_database_url) as connection:
        connection.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", [game_id])
        yield connection


def waits_for_a_lock(servers: TestServers, count: int) -> bool:
    with psycopg.connect(servers.superuser_database_url) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        ).fetchone()
    return row is not None and row[0] >= count


def refuses(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT)
    try:
        connection.request("GET", "/readyz")
        connection.getresponse().read()
    except OSError:
        return True
    finally:
        connection.close()
    return False


def test_moves_in_flight_are_answered_before_the_end(servers: TestServers) -> None:
    answers: list[tuple[int, Any]] = []
    with serving(servers, SETTINGS | {"REPLI_DRAIN_SECONDS": "30"}) as server, ExitStack() as opened:
        ada, bob = somebody(), somebody()
        by_socket, by_rest = (started([ada, bob]) for _ in range(2))
        socket = opened.enter_context(open_socket(server.port, ada, f"/ws/v1/games/{by_socket}/"))
        game = heard(socket, "welcome")["game"]
        move = {"action": game["legal_actions"][0]}
        caller, late = Caller(server.port, ada), Caller(server.port, ada)
        assert late.ask("/readyz")[0] == 200
        other = {"action": caller.ask(f"/api/v1/games/{by_rest}/")[1]["legal_actions"][0]}
        with held(servers, by_socket) as first, held(servers, by_rest) as second:
            socket.send(json.dumps({"type": "move", "command_id": str(uuid.uuid4()), **move}))
            thread = threading.Thread(
                target=lambda: answers.append(caller.ask(f"/api/v1/games/{by_rest}/moves/", other))
            )
            thread.start()
            until(lambda: waits_for_a_lock(servers, 2))

            server.process.send_signal(signal.SIGTERM)

            until(lambda: refuses(server.port))
            assert late.ask("/readyz")[0] == 503, "whoever kept a connection is told"
            assert server.process.poll() is None
            first.commit()
            second.commit()
        assert heard(socket, "ack")["version"] == game["version"] + 1
        assert close_code(socket) == 1012
        thread.join(WAIT)
        assert [status for status, _ in answers] == [201]
        for kept in (caller, late):
            kept.connection.close()
        assert server.process.wait(WAIT) == 0


@pytest.mark.parametrize("offered", [[], ["repli.v1", "bearer.none"]])
async def test_a_socket_that_comes_over_a_kept_connection_is_sent_on(offered: list[str]) -> None:
    drain, said = Drain(), []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        said.append(message)

    async def application(*_: Any) -> None:
        raise AssertionError("not asked")

    drain.begin()
    await drain.around(application)({"type": "websocket", "subprotocols": offered}, receive, send)

    assert [(each["type"], each.get("subprotocol"), each.get("code")) for each in said] == [
        ("websocket.accept", offered[0] if offered else None, None),
        ("websocket.close", None, 1012),
    ]


async def test_a_cancelled_socket_is_not_taken_for_one_that_is_sent_on() -> None:
    drain, begun = Drain(), asyncio.Event()

    async def application(_scope: Any, receive: Any, _send: Any) -> None:
        begun.set()
        await receive()

    async def never(*_: Any) -> None:
        await asyncio.Event().wait()

    async def serve() -> None:
        await drain.around(application)({"type": "websocket"}, never, never)

    task = asyncio.create_task(serve())
    await begun.wait()
    await asyncio.sleep(0)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert drain.sockets == 0


async def test_one_closer_that_fails_does_not_keep_the_others_from_closing() -> None:
    drain, closed = Drain(), []

    async def good() -> None:
        closed.append("good")

    async def bad() -> None:
        closed.append("bad")
        raise OSError

    drain.at_end(good)
    drain.at_end(bad)
    await drain.close()

    assert closed == ["bad", "good"]


def test_a_player_whose_server_leaves_has_the_longer_grace(servers: TestServers) -> None:
    with serving(servers, SETTINGS) as server:
        ada, bob = somebody(), somebody()
        game_id = started([ada, bob])
        with open_socket(server.port, ada, f"/ws/v1/games/{game_id}/") as socket:
            heard(socket, "welcome")
            until(lambda: valkey().zscore("repli.leases", f"{game_id}|{ada.id}") is not None)
            begun = time.time()
            server.process.send_signal(signal.SIGTERM)
            assert close_code(socket) == 1012
        assert server.process.wait(WAIT) == 0
    lost_at = valkey().zscore("repli.leases", f"{game_id}|{ada.id}")
    assert isinstance(lost_at, float)
    assert lost_at / 1000 > begun + 30, "not after the ten seconds of somebody who left"


def test_what_does_not_end_is_left_behind(servers: TestServers) -> None:
    with serving(servers, SETTINGS | {"REPLI_DRAIN_SECONDS": "1", "REPLI_DRAIN_LINGER": "0"}) as server:
        ada, bob = somebody(), somebody()
        game_id = started([ada, bob])
        with open_socket(server.port, ada, f"/ws/v1/games/{game_id}/") as socket, held(servers, game_id):
            move = {"action": heard(socket, "welcome")["game"]["legal_actions"][0]}
            socket.send(json.dumps({"type": "move", "command_id": str(uuid.uuid4()), **move}))
            until(lambda: waits_for_a_lock(servers, 1))

            server.process.send_signal(signal.SIGTERM)

            assert server.process.wait(WAIT) == 1
            assert close_code(socket) == 1012


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_asked_to_end_before_it_serves_it_ends(servers: TestServers, number: signal.Signals) -> None:
    program = stack.web("web", "127.0.0.1", 1, servers.variables)
    reading, writing = os.pipe()
    script = (
        "import os, signal, sys; sys.argv = ['config.web']; import config.web as w, uvicorn;"
        f"w.WebServer.run = lambda self: (os.write({writing}, b'x'), signal.pause());"
        "sys.exit(w.main())"
    )
    process = subprocess.Popen(
        [program.command[0], "-c", script], cwd=program.folder, env=dict(program.environment), pass_fds=(writing,)
    )
    os.close(writing)
    assert os.read(reading, 1) == b"x"
    os.close(reading)
    process.send_signal(number)
    assert process.wait(WAIT) == 0
