"""`manage.py simulate` and `manage.py arena`, which need no server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.rules.registry import ruleset
from games.rules.stream import commitment


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_simulate_plays_games_and_says_what_was_met(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("simulate", "--ruleset", "gg", "--games", "6")

    out = capsys.readouterr().out
    assert re.search(r"coverage: \d+ of \d+ \(option, phase, refusal\) met", out)
    assert re.search(r"gg: 6 games, .* no violation; [\d.]+ games/s", out)


def test_simulate_writes_replays_that_can_be_repeated(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    wishes = ["--games", "30", "--seed", "5", "--seats", "2-3", "--options", '{"lives": 2, "sudden_death": false}']
    call_command("simulate", "--ruleset", "gg", *wishes, "--out", str(first))
    call_command("simulate", "--ruleset", "gg", *wishes, "--out", str(second), "--processes", "2")

    assert first.read_bytes() == second.read_bytes()
    replays = lines(first)
    assert len(replays) == 30
    assert {replay["game"]["options"]["lives"] for replay in replays} == {2}
    assert {len(replay["game"]["seats"]) for replay in replays} == {2, 3}
    assert len({replay["game"]["id"] for replay in replays}) == 30


def test_a_replay_is_a_finished_game_with_all_its_facts(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    call_command("simulate", "--ruleset", "gg", "--games", "1", "--out", str(out))
    (replay,) = lines(out)

    game, events, fairness = replay["game"], replay["events"], replay["fairness"]

    assert (game["rules"], game["status"], game["to_act"], game["me"]) == ("gg", "finished", [], None)
    assert [event["seq"] for event in events] == list(range(1, game["version"] + 1))
    assert events[0]["type"] == "game_created"
    assert events[-1]["type"] == "game_finished"
    assert commitment(bytes.fromhex(fairness["seed"])) == fairness["commitment"] == events[0]["data"]["commitment"]
    standing = {entry["seat"]: entry["place"] for entry in events[-1]["data"]["standing"]}
    assert {seat["seat"]: seat["place"] for seat in game["seats"]} == standing
    dealt = next(event["data"]["hands"] for event in events if event["type"] == "hands_dealt")
    assert all(isinstance(hand, list) for hand in dealt.values())
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", event["at"]) for event in events)
    assert game["state"]["lives"] == events[-2]["data"]["lives"]


def test_simulate_says_why_there_is_no_such_game() -> None:
    with pytest.raises(CommandError, match="no such game: lives range"):
        call_command("simulate", "--ruleset", "gg", "--games", "1", "--options", '{"lives": 99}')


@pytest.mark.parametrize("wish", [["--seats", "8-2"], ["--seats", "x"], ["--options", "["], ["--options", "[]"]])
def test_simulate_refuses_what_it_cannot_read(wish: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("simulate", "--ruleset", "gg", *wish)


def test_simulate_writes_golden_playthroughs(tmp_path: Path) -> None:
    call_command("simulate", "--ruleset", "gg", "--golden", str(tmp_path))

    assert len(list((tmp_path / "gg").glob("*.txt"))) == 6


def test_arena_prints_the_share_with_its_interval(capsys: pytest.CaptureFixture[str]) -> None:
    call_command(
        "arena", "--ruleset", "gg", "--games", "20", "--seats", "2", "--a", "normal", "--b", "easy", "--seed", "1"
    )

    out = capsys.readouterr().out
    assert re.search(
        r"normal against easy wins [\d.]+% \(95 % interval [\d.]+% to [\d.]+%; equals would win 50.0%\)", out
    )


@pytest.mark.parametrize("wish", [["--seats", "9"], ["--games", "0"]])
def test_arena_refuses_tables_that_the_ruleset_does_not_have(wish: list[str]) -> None:
    assert ruleset("gg").max_seats == 8

    with pytest.raises(CommandError):
        call_command("arena", "--ruleset", "gg", *wish)
