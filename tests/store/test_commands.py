import json
import logging
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.store import verify
from tests.servers import TestServers
from tests.store.games import new_id, running, say, superuser, waiting


def _run(*arguments: object) -> tuple[int, str]:
    """Exit code and output of a command."""
    out = StringIO()
    try:
        call_command(*map(str, arguments), stdout=out)
    except SystemExit as stopped:
        return int(str(stopped.code)), out.getvalue()
    return 0, out.getvalue()


def _dumped(*arguments: object) -> list[dict[str, Any]]:
    code, said = _run("dump_game", *arguments)
    assert code == 0
    return [json.loads(line) for line in said.splitlines()]


def test_verify_events_says_that_all_is_well() -> None:
    game = say(running(), "one")

    assert _run("verify_events", "--game", game.table.id) == (0, "1 games, 7 events: all is well\n")
    assert _run("verify_events")[1].endswith("events: all is well\n")


def test_heads_are_exported_and_compared(servers: TestServers, tmp_path: Path) -> None:
    game, heads = say(running(), "one"), tmp_path / "heads.jsonl"
    code, said = _run("verify_events", "--json", "--export-heads", heads)
    assert code == 0
    assert json.loads(said)["games"] == len(heads.read_text().splitlines()) == verify.count()

    say(game, "later moves do not matter")
    lost = json.dumps({"game_id": (unknown := new_id()), "version": 3, "head": "00"})
    heads.write_text(heads.read_text() + lost + "\n")
    code, said = _run("verify_events", "--json", "--compare-heads", heads)

    assert code == 1
    assert json.loads(said)["findings"] == [{"game_id": unknown, "version": 1, "problem": "lost game"}]
    code, said = _run("verify_events", "--game", game.table.id, "--compare-heads", heads)
    assert (code, said) == (0, "1 games, 9 events, 1 kept heads compared: all is well\n")


def test_the_first_bad_version_is_named(servers: TestServers) -> None:
    game = say(running(), "one")
    with superuser(servers) as database:
        database.execute("SET session_replication_role = replica")
        flip = "UPDATE games_event SET type = %s WHERE game_id = %s AND version = 6"
        database.execute(flip, ["sad", game.table.id])
        try:
            code, said = _run("verify_events", "--game", game.table.id)
        finally:
            database.execute(flip, ["said", game.table.id])

    assert code == 1
    assert said == f"game {game.table.id} version 6: altered event\n1 games, 6 events: 1 findings\n"


def test_a_file_that_holds_no_heads_is_refused(tmp_path: Path) -> None:
    (tmp_path / "heads").write_text("what?\n")

    with pytest.raises(CommandError, match="line 1"):
        _run("verify_events", "--game", new_id(), "--compare-heads", tmp_path / "heads")


def test_a_running_games_secrets_stay_hidden() -> None:
    game = say(running(), "secret words")

    first, *events = _dumped(game.table.id)

    assert "seed" not in first
    assert "code" not in first
    assert [event["seq"] for event in events] == [1, 2, 3, 4, 5, 6, 7]
    assert [event["type"] for event in events if "data" in event] == ["game_created"] + ["seat_taken"] * 2 + [
        "game_started"
    ]
    assert "secret" not in json.dumps([first, events])
    assert game.seed.hex() not in json.dumps([first, events])


def test_breaking_the_glass_shows_all_and_is_logged_loudly(caplog: pytest.LogCaptureFixture) -> None:
    game = say(running(), "secret words")

    first, *events = _dumped(game.table.id, "--break-glass")

    assert first["seed"] == game.seed.hex()
    assert events[5]["data"] == {"seat": 0, "words": ["secret", "words"]}
    assert events[5]["meta"]["cause"] == {"action": {"type": "say", "words": "secret words"}, "by": "player", "seat": 0}
    (line,) = caplog.records
    assert line.levelno == logging.CRITICAL
    assert game.table.id in line.getMessage()
    assert "secret" not in line.getMessage()


def test_a_game_that_is_over_is_open(caplog: pytest.LogCaptureFixture) -> None:
    game = say(running(until=1), "the end")

    first, *events = _dumped(game.table.id, "--break-glass")

    assert first["seed"] == game.seed.hex()
    assert events[-1]["data"]["seed"] == game.seed.hex()
    assert all("data" in event for event in events)
    assert events[-1]["hash"] == first["head"] == game.head.hex()
    assert not caplog.records


def test_a_waiting_game_keeps_its_seed() -> None:
    assert "seed" not in _dumped(waiting().table.id)[0]


def test_an_unknown_game_is_said_to_be_unknown() -> None:
    with pytest.raises(CommandError, match="no game"):
        _dumped(new_id())
