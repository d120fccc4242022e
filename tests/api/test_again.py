"""Rematches and branches."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from games.rules.registry import listed
from tests.api.client import Player, at_once, finished, played_with_bots, plays_on, table


def events(player: Player, game: Any) -> list[Any]:
    found: list[Any] = player.get(f"games/{game['id']}/events/?limit=200").ok()["results"]
    return found


def at(event: Any) -> datetime:
    return datetime.fromisoformat(event["at"])


def test_whoever_asks_first_makes_the_rematch_and_the_others_join_it() -> None:
    game, players = table(others=2, options={"move_seconds": 9})
    plays_on(game, players)
    where = f"games/{game['id']}/rematch/"

    first = players[1].post(where).ok(201)
    second = players[0].post(where).ok(201)
    again = players[0].post(where).ok(201)

    assert first["id"] == second["id"] == again["id"] != game["id"]
    assert (first["status"], first["options"], first["mode"]) == ("waiting", {"move_seconds": 9}, "casual")
    assert [first["me"], second["me"]] == [{"seat": 1}, {"seat": 0}]
    assert [first["host"], second["host"]] == [1, 0]
    assert second["version"] == again["version"]
    assert Player().post(where).code == "forbidden"


def test_bots_come_along_to_a_rematch() -> None:
    game, (host,) = played_with_bots("tiny", seats=3)

    rematch = host.post(f"games/{game['id']}/rematch/").ok(201)

    assert [seat["bot"] for seat in rematch["seats"]] == [None, "easy", "easy"]
    assert host.starts(rematch)["status"] == "playing"


def test_all_who_ask_at_once_meet_at_one_table() -> None:
    game, players = table(others=3)
    plays_on(game, players)

    asked = [player for player in players for _ in range(5)]
    found = at_once(20, lambda number: asked[number].post(f"games/{game['id']}/rematch/").ok(201)["id"])

    assert len(set(found)) == 1
    assert all(seat["player"] for seat in players[0].sees({"id": found[0]})["seats"])


def test_a_rematch_repeats_byte_for_byte_by_its_key() -> None:
    game, players = table()
    plays_on(game, players)
    where = f"games/{game['id']}/rematch/"

    made = [players[0].post(where, Idempotency_Key="k").content for _ in range(2)]
    joined = [players[1].post(where, Idempotency_Key="k").content for _ in range(2)]

    assert made[0] == made[1]
    assert joined[0] == joined[1] != made[0]


def test_a_rematch_that_came_to_nothing_is_replaced() -> None:
    game, players = table()
    plays_on(game, players)
    where = f"games/{game['id']}/rematch/"
    empty = players[0].post(where).ok(201)
    players[0].delete(f"games/{empty['id']}/seats/mine/").ok(204)

    assert players[1].post(where).ok(201)["id"] != empty["id"]


def test_a_running_game_has_neither_rematch_nor_branch() -> None:
    game, players = table()

    assert players[0].post(f"games/{game['id']}/rematch/").code == "game-state"
    assert players[0].post(f"games/{game['id']}/branch/", {"at": 5, "seat": 0}).code == "game-state"


def test_a_branch_stands_where_the_game_stood() -> None:
    game, players = table()
    plays_on(game, players)
    caller = Player("Dora")
    source = players[1].get(f"games/{game['id']}/replay/").ok()["events"]
    cut = next(event["seq"] for event in source if event["type"] == "card_drawn")

    branch = caller.post(f"games/{game['id']}/branch/", {"at": cut, "seat": 1, "level": "easy"}).ok(201)
    copied = events(caller, branch)

    assert (branch["status"], branch["mode"], branch["me"], branch["version"]) == (
        "playing",
        "casual",
        {"seat": 1},
        cut,
    )
    assert branch["branched_from"] == {"game_id": game["id"], "at": cut}
    assert [seat["bot"] for seat in branch["seats"]] == ["easy", None]
    assert [event["type"] for event in copied[:4]] == ["game_created", "seat_taken", "seat_taken", "game_started"]
    assert copied[0]["data"]["branched_from"] == {"game_id": game["id"], "at": cut}
    assert [event["type"] for event in copied[4:]] == [event["type"] for event in source[4:cut]]
    assert [event["seq"] for event in copied] == list(range(1, cut + 1))
    own = players[1].get(f"games/{game['id']}/state/?at={cut}").ok()["state"]
    assert branch["state"] == own
    fairness = caller.get(f"games/{branch['id']}/fairness/").ok()
    assert fairness["branched_from"] == {"game_id": game["id"], "at": cut}
    assert fairness["commitment"] != game["commitment"]


def test_copied_events_keep_their_distances_up_to_the_branchs_start() -> None:
    game, players = table()
    plays_on(game, players)
    source = players[0].get(f"games/{game['id']}/events/").ok()["results"]

    branch = players[0].post(f"games/{game['id']}/branch/", {"at": 9, "seat": 0}).ok(201)
    copied = events(players[0], branch)

    start = at(copied[3])
    assert [start - at(event) for event in copied[4:]] == [at(source[8]) - at(event) for event in source[4:9]]
    assert branch["deadline"] > copied[3]["at"]


def test_a_branch_plays_on_and_can_be_branched_again() -> None:
    game, players = table()
    plays_on(game, players)
    replay = players[0].get(f"games/{game['id']}/replay/").ok()["events"]
    draw = next(event["seq"] for event in replay if event["type"] == "card_drawn")

    branch = players[0].post(f"games/{game['id']}/branch/", {"at": draw, "seat": 0}).ok(201)
    assert players[0].moves(branch, {"type": "place", "slot": "right"}).status == 201
    players[0].delete(f"games/{branch['id']}/seats/mine/").ok(204)
    assert players[0].sees(branch)["status"] == "aborted"
    again = players[0].post(f"games/{branch['id']}/branch/", {"at": draw - 1, "seat": 0}).ok(201)

    assert again["legal_actions"][0] == {"type": "draw"}
    assert again["branched_from"] == {"game_id": branch["id"], "at": draw - 1}


@pytest.mark.parametrize("place", [0, 1, 4, 12, 13, 99])
def test_a_branch_begins_at_the_last_version_of_a_move(place: int) -> None:
    game, players = table()
    plays_on(game, players)  # 4 is game_started, 12 and 13 end the game with 11

    reply = players[0].post(f"games/{game['id']}/branch/", {"at": place, "seat": 0})

    assert reply.code == "validation"
    assert list(reply.json["errors"]) == ["at"]


def test_a_branch_has_the_seats_of_its_source() -> None:
    game, players = table()
    plays_on(game, players)
    where = f"games/{game['id']}/branch/"

    assert list(players[0].post(where, {"at": 9, "seat": 2}).json["errors"]) == ["seat"]
    assert players[0].post(where, {"at": 9}).code == "validation"
    assert players[0].post(where, {"at": 9, "seat": 0, "level": "cruel"}).code == "validation"


def test_a_branch_repeats_byte_for_byte_by_its_key() -> None:
    game, players = table()
    plays_on(game, players)
    where, body = f"games/{game['id']}/branch/", {"at": 9, "seat": 0}

    answers = at_once(5, lambda _: players[0].post(where, body, Idempotency_Key="b").content)

    assert len(set(answers)) == 1


@pytest.mark.timeout(400)
@pytest.mark.parametrize("key", [rules.key for rules in listed()])
def test_every_ruleset_can_be_branched_in_the_middle_of_a_game(key: str) -> None:
    game, (host, *_) = finished(key)
    replay = host.get(f"games/{game['id']}/replay/").ok()["events"]
    moments = sorted({event["at"] for event in replay})
    middle = max(event["seq"] for event in replay if event["at"] <= moments[len(moments) // 2])
    if replay[middle - 1]["type"] == "seat_controlled":
        middle -= 1

    branch = host.post(f"games/{game['id']}/branch/", {"at": middle, "seat": 0}).ok(201)

    then = host.get(f"games/{game['id']}/state/?at={middle}").ok()["state"]
    for state in (branch["state"], then):
        state.pop("dealt_at", None)  # vingtsept: copied times move with the branch
    assert branch["state"] == then
