"""What only a real server process shows: limits of frames, readers who do not read, refused handshakes."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
import subprocess
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from config.embedded import ports
from config.supervision import stack
from games.services.clock import look_after
from games.store.load import load
from tests.games import Someone, somebody, started
from tests.servers import TestServers

WAIT = 30.0
SMALL_BUFFER = 4096
MORE_THAN_BUFFERS = 16 * 1024 * 1024  # what the server's kernel and the server together may take in
UNLIMITED = {"REPLI_SOCKET_MESSAGES_PER_SECOND": "10000", "REPLI_SOCKET_BURST": "10000"}


class Server(NamedTuple):
    """A web process as the supervisor starts it."""

    port: int
    process: subprocess.Popen[bytes]


@contextmanager
def serving(servers: TestServers, settings: Mapping[str, str]) -> Iterator[Server]:
    """A web process on the run's servers."""
    number = ports.free()
    program = stack.web("web", "127.0.0.1", number, servers.variables)
    environment = dict(program.environment) | dict(settings)
    process = subprocess.Popen(program.command, cwd=program.folder, env=environment, stdout=subprocess.DEVNULL)
    try:
        limit = time.monotonic() + 60
        while not asyncio.run(stack.healthy("127.0.0.1", number)):
            assert process.poll() is None, "the server starts"
            assert time.monotonic() < limit, "the server answers"
            time.sleep(0.1)
        yield Server(number, process)
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def port(servers: TestServers) -> Iterator[int]:
    """The port of a server that takes any number of messages."""
    with serving(servers, UNLIMITED) as server:
        yield server.port


def open_socket(port: int, who: Someone, path: str, buffer: int | None = None, **options: Any) -> ClientConnection:
    """A socket with at most one message read ahead; `buffer` bounds what the kernel takes in for it."""
    raw = sockets.socket()
    if buffer is not None:
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, buffer)
    raw.connect(("127.0.0.1", port))
    headers = {"Authorization": f"Bearer {who.token}"}
    client: ClientConnection = connect(
        f"ws://127.0.0.1:{port}{path}", sock=raw, additional_headers=headers, max_queue=1, compression=None,
        open_timeout=WAIT, ping_interval=None, **options,
    )  # fmt: skip
    return client


def heard(client: ClientConnection, kind: str, **members: Any) -> dict[str, Any]:
    """The next message of that type with these members."""
    while True:
        message: dict[str, Any] = json.loads(client.recv(timeout=WAIT))
        if message["type"] == kind and members.items() <= message.items():
            return message


def close_code(client: ClientConnection) -> int:
    """Read to the end; the code with which the server closes."""
    with suppress(ConnectionClosed):
        while True:
            client.recv(timeout=WAIT)
    code: int | None = client.close_code
    assert code is not None, "the server says why"
    return code


@pytest.fixture(scope="module")
def long_game() -> tuple[Someone, Someone, str]:
    """A finished game of many events between two players whom bots have replaced."""
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob], rules="gg", seats=6, options={"lives": 7})
    for minute in range(1, 1000):
        look_after(game_id, lambda minute=minute: datetime.now(UTC) + timedelta(minutes=minute))  # type: ignore[misc]
        loaded = load(game_id)
        assert loaded is not None
        if loaded.table.status != "playing":
            return ada, bob, game_id
    raise AssertionError("the game does not end")


def test_a_frame_of_16_kib_is_heard_and_a_longer_one_closes_with_1009(port: int) -> None:
    ada = somebody()
    frame = json.dumps({"type": "ping", "more": ""})
    fitting = frame[:-2] + "x" * (16 * 1024 - len(frame)) + frame[-2:]
    with open_socket(port, ada, "/ws/v1/me/") as client:
        client.send(fitting)
        assert heard(client, "error")["code"] == "validation"
        client.send(fitting[:-2] + "x" + fitting[-2:])
        assert close_code(client) == 1009


def test_who_does_not_read_is_let_go_and_hears_4409_and_misses_nothing_later(
    port: int, long_game: tuple[Someone, Someone, str]
) -> None:
    ada, bob, game_id = long_game
    path = f"/ws/v1/games/{game_id}/"
    with (
        open_socket(port, ada, f"{path}?after=0") as watching,
        open_socket(port, bob, path, SMALL_BUFFER) as idle,
    ):
        version, size = heard(watching, "welcome")["version"], 0
        while (message := heard(watching, "events"))["version"] < version:
            size += len(json.dumps(message))
        heard(idle, "welcome")
        sync = json.dumps({"type": "sync", "after": 0})
        with ThreadPoolExecutor(1) as pool:  # not to wait should the server stop reading
            sending = pool.submit(_send_all, idle, [sync] * (MORE_THAN_BUFFERS // size))
            heard(watching, "presence", seat=1, connected=False)
            assert close_code(idle) == 4409
            sending.result(WAIT)
        watching.send('{"type": "ping"}')
        heard(watching, "pong")

    with open_socket(port, bob, f"{path}?after=0") as back:
        seqs: list[int] = []
        while len(seqs) < version:
            seqs += [event["seq"] for event in heard(back, "events")["events"]]
    assert seqs == list(range(1, version + 1))


def _send_all(client: ClientConnection, frames: list[str]) -> None:
    """Send until all is sent or the socket is closed."""
    with suppress(ConnectionClosed):
        for frame in frames:
            client.send(frame)


def test_pages_of_other_sites_are_refused_in_the_handshake(port: int) -> None:
    ada = somebody()
    with pytest.raises(InvalidStatus) as refusal:
        open_socket(port, ada, "/ws/v1/me/", origin="https://evil.test")
    assert refusal.value.response.status_code == 403
    with open_socket(port, ada, "/ws/v1/me/", origin=f"http://127.0.0.1:{port}") as client:
        assert heard(client, "welcome")["protocol"] == 1


def test_a_stopping_server_says_so_and_clients_may_come_back_at_once(servers: TestServers) -> None:
    with serving(servers, {}) as server, open_socket(server.port, somebody(), "/ws/v1/me/") as client:
        heard(client, "welcome")
        server.process.terminate()
        assert close_code(client) in {1001, 1012}
