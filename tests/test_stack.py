"""The whole stack under its supervisor: two web processes, worker and beat, each killed and back again."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import RunningStack, TestServers, running_stack


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """Everything, on two web ports."""
    with running_stack(tmp_path_factory.mktemp("stack") / "a data folder", web_processes=2) as running:
        yield running


def test_every_web_process_answers_and_the_log_says_how_to_play(stack: RunningStack) -> None:
    assert all(_health(url) == 200 for url in stack.urls)
    assert set(stack.pids()) == {"postgres", "valkey", "web", "web-2", "worker", "beat"}
    assert f"Repli is ready: {stack.url}/" in stack.said()
    assert f"Documentation: {stack.url}/api/v1/docs/" in stack.said()


def test_the_owners_address_stays_with_the_migrations(stack: RunningStack) -> None:
    for name in ("web", "web-2", "worker", "beat"):
        environment = Path(f"/proc/{stack.pid(name)}/environ").read_bytes()
        assert b"repli_app" in environment
        assert b"repli_owner" not in environment


def test_what_is_killed_comes_back(stack: RunningStack) -> None:
    killed = {name: stack.kill(name) for name in ("web-2", "worker", "beat")}

    for name, pid in killed.items():
        assert stack.pid(name, other_than=pid) != pid
    stack.until_healthy()
    for name in killed:
        assert f"{name} was ended by SIGKILL; starting it again" in stack.said()


def test_worker_and_beat_start_anew_when_their_broker_came_back(stack: RunningStack) -> None:
    before = {name: stack.pid(name) for name in ("worker", "beat")}

    stack.kill("valkey")

    for name, pid in before.items():
        assert stack.pid(name, other_than=pid) != pid


def test_a_stop_ends_all_of_them_web_first(stack: RunningStack) -> None:
    assert stack.stop() == 0

    said = re.findall(r"^(\w+).*(?:Finished server|system is shut down|stopped$|bye bye)", stack.said(), re.MULTILINE)
    assert said[0] == "web"
    assert said[-1] == "repli"
    assert {"postgres", "valkey"} <= set(said)


def test_servers_that_the_environment_names_are_used_and_none_is_started(servers: TestServers, tmp_path: Path) -> None:
    outside = {name: url for name, url in servers.variables.items() if name != "REPLI_DATA_DIR"}

    with running_stack(tmp_path / "outside", settings=outside) as stack:
        assert set(stack.pids()) == {"web", "worker", "beat"}
        assert _health(stack.url) == 200
        assert not (tmp_path / "outside" / "servers.json").exists()


def _health(url: str) -> int:
    with urllib.request.urlopen(f"{url}/healthz", timeout=5) as answer:
        return int(answer.status)
