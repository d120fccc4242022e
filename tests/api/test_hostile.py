"""Values that no client of ours sends: each is refused with a code, none breaks anything or changes a game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.rules.registry import listed, ruleset
from tests.api.client import Player, table

VALUES: list[Any] = [
    None, True, -1, 2**31, 2**63, 2**64, 10**40, -(2**63) - 1, 1.5, 1e308, "", "x" * 5000, "é\u202e", "\ud800", "\0",
    [], [[]], {}, {"a": {"b": []}}, "1", "JK", "0H", "2c", ["2C"], "__class__", "%s", "{0}", "'; --",
]  # fmt: skip

REFUSED = {"validation", "illegal-move", "not-your-turn", "stale-version", "too-large"}


@pytest.mark.parametrize("key", [rules.key for rules in listed()])
def test_moves_of_impossible_values_are_refused(key: str) -> None:
    game, players = table(rules=key, others=ruleset(key).min_seats - 1)
    player = players[game["to_act"][0]]
    seen = player.sees(game)
    for action in {one["type"]: one for one in seen["legal_actions"]}.values():
        for member in action:
            for value in VALUES:
                if value == action[member]:
                    continue
                reply = player.moves(game, {**action, member: value}, expected_version=seen["version"])
                if reply.status == 201:  # another legal value, such as true for a number: never accepted
                    pytest.fail(f"{action} accepted with {member}={value!r}")
                assert reply.code in REFUSED, (member, value, reply.content)
        assert player.moves(game, {**action, "more": 1}).code == "validation"
    assert player.sees(game)["version"] == seen["version"]


@pytest.mark.parametrize("member", ["rules", "seats", "visibility", "options", "bots"])
def test_tables_of_impossible_values_are_refused(member: str) -> None:
    player = Player()
    for value in VALUES:
        if (member, json.dumps(value)) in {("options", "{}"), ("bots", "[]")}:
            continue
        wanted = {"rules": "gg", "seats": 2, "visibility": "public", "options": {}, "bots": [], member: value}
        assert player.post("games/", wanted).code == "validation", value


def test_options_of_impossible_values_are_refused() -> None:
    player = Player()
    for rules in listed():
        for name in json.loads(json.dumps(player.opens(rules.key, rules.min_seats)["options"])):
            for value in (*VALUES[2:13], "x"):
                wanted = {
                    "rules": rules.key, "seats": rules.min_seats, "visibility": "public", "options": {name: value},
                }  # fmt: skip
                assert player.post("games/", wanted).code == "validation", (rules.key, name, value)


@pytest.mark.parametrize("path", ["seats/", "seats/mine/", "branch/", "seats/1/bot/"])
def test_bodies_of_impossible_values_are_refused(path: str) -> None:
    game, (host, _) = table()
    method = "POST" if path in {"seats/", "branch/"} else "PUT"
    for member in ("seat", "code", "client_seed", "at", "level"):
        for value in VALUES:
            reply = host.ask(method, f"games/{game['id']}/{path}", {member: value})
            assert reply.code in {"validation", "game-state"}, (member, value, reply.content)


@pytest.mark.parametrize("query", ["after={}", "at={}", "limit={}", "code={}", "mine={}", "status={}", "rules={}"])
def test_queries_of_impossible_values_are_refused_or_find_nothing(query: str) -> None:
    game, (host, _) = table()
    for value in ("-1", "1e3", "99999999999999999999", "%00", "%ff", "%ed%a0%80", "'", "null", "True", "é", ""):
        for path in ("games/", f"games/{game['id']}/events/", f"games/{game['id']}/state/"):
            reply = host.get(f"{path}?{query.format(value)}")
            assert reply.status in {200, 400}, (path, value, reply.content)


@pytest.mark.parametrize("body", [b"[" * 8000 + b"]" * 8000, b'{"action":' * 2000 + b"1" + b"}" * 2000])
@pytest.mark.parametrize("key", [{}, {"Idempotency_Key": "deep"}])
def test_bodies_nested_beyond_measure_are_refused_with_a_key_too(body: bytes, key: dict[str, str]) -> None:
    game, (host, _) = table()
    for path in ("games/", "games/join/", *(f"games/{game['id']}/{each}/" for each in ("seats", "moves", "resume"))):
        assert host.post(path, body, **key).code == "validation", path
