"""Tables before the start: opening, listing, joining, seeds, bots, options, leaving."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest

from config.wire import limits
from tests.api.client import Player, Visitor, plays_on, table

SHAPE = {
    "id", "code", "rules", "options", "mode", "visibility", "status", "version", "host", "server_time", "seats", "me",
    "to_act", "deadline", "deadlines", "state", "legal_actions",
}  # fmt: skip


def test_the_creator_takes_seat_0_and_is_host() -> None:
    player = Player("Ada")

    game = player.opens(seats=3, bots=[{"seat": 2, "level": "hard"}])

    assert game.keys() >= SHAPE
    assert (game["status"], game["version"], game["host"], game["me"]) == ("waiting", 3, 0, {"seat": 0})
    assert game["seats"][0]["player"] == {"id": player.id, "display_name": "Ada"}
    assert [seat["bot"] for seat in game["seats"]] == [None, None, "hard"]
    assert [seat["controller"] for seat in game["seats"]] == ["player", "player", "bot"]
    assert game["options"] == {"move_seconds": 30}
    assert game["state"] == {}
    assert re.fullmatch(r"[0-9A-Z]{6}", game["code"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", game["server_time"])


@pytest.mark.parametrize(
    "change, member",
    [
        ({"rules": "poker"}, "rules"),
        ({"seats": 9}, "seats"),
        ({"seats": "2"}, "seats"),
        ({"visibility": "secret"}, "visibility"),
        ({"options": {"lives": 3}}, "options"),
        ({"options": {"move_seconds": 0}}, "options"),
        ({"options": None}, "options"),
        ({"bots": [{"seat": 0, "level": "easy"}]}, "bots"),
        ({"bots": [{"seat": 1, "level": "easy"}, {"seat": 1, "level": "easy"}]}, "bots"),
        ({"bots": [{"seat": 1, "level": "cruel"}]}, "bots"),
        ({"host": 1}, "host"),
        ({"rules": "ti\u0000ny"}, "rules"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_member_at_fault(change: dict[str, object], member: str) -> None:
    wanted = {"rules": "tiny", "seats": 2, "visibility": "public", **change}

    reply = Player().post("games/", wanted)

    assert reply.code == "validation"
    assert list(reply.json["errors"]) == [member]


def test_an_etag_is_the_version() -> None:
    player = Player()
    game = player.opens()

    assert player.get(f"games/{game['id']}/").headers["ETag"] == f'"{game["version"]}"'


# --- lists ------------------------------------------------------------------------------------------------------


def test_a_list_holds_public_games_and_ones_own_newest_first() -> None:
    host, stranger = Player(), Player()
    public, private = host.opens(), host.opens(visibility="private")

    own = host.get("games/?mine=true").ok()["results"]
    known = [game["id"] for game in stranger.get("games/?limit=200").ok()["results"]]

    assert [game["id"] for game in own] == [private["id"], public["id"]]
    assert public["id"] in known
    assert private["id"] not in known
    shown = next(g for g in stranger.get("games/?limit=200").ok()["results"] if g["id"] == public["id"])
    assert "code" not in shown
    assert shown.keys() == stranger.sees(public).keys()


def test_lists_are_filtered() -> None:
    host = Player()
    waiting, finished = host.opens(), host.opens(bots=[{"seat": 1, "level": "easy"}])
    other = host.opens(rules="gg")
    host.starts(finished)

    def listed(query: str) -> list[str]:
        return [game["id"] for game in host.get(f"games/?mine=true&{query}").ok()["results"]]

    assert listed("status=waiting") == [other["id"], waiting["id"]]
    assert listed("status=playing") == [finished["id"]]
    assert listed("rules=gg") == [other["id"]]
    assert listed("mode=ranked") == []
    assert listed("mode=casual&rules=tiny&status=waiting") == [waiting["id"]]


@pytest.mark.parametrize(
    "query",
    ["status=open", "limit=0", "limit=201", "limit=x", "mode=1", "cursor=bz14", "cursor=cD1nYXJiYWdl", "sort=id"],
)
def test_a_malformed_filter_is_refused(query: str) -> None:
    reply = Player().get(f"games/?{query}")

    assert reply.code == "validation"
    assert list(reply.json["errors"]) == [query.partition("=")[0]]


def test_pages_lead_to_each_other_without_gaps_or_repeats() -> None:
    host = Player()
    made = [host.opens()["id"] for _ in range(5)]

    first = host.get("games/?mine=true&limit=2").ok()
    second = host.get(first["next"]).ok()
    third = host.get(second["next"]).ok()

    assert [game["id"] for page in (first, second, third) for game in page["results"]] == made[::-1]
    assert third["next"] is None
    assert first["previous"] is None
    assert host.get(second["previous"]).ok()["results"][0]["id"] == made[-1]


# --- private games ------------------------------------------------------------------------------------------------


def test_a_private_game_is_not_found_unless_seated_or_with_its_code() -> None:
    host, stranger = Player(), Player()
    game = host.opens(visibility="private")
    where = f"games/{game['id']}/"

    for path in ("", "events/", "state/", "fairness/", "replay/"):
        assert stranger.get(f"{where}{path}").code == "not-found"
    for method, path, body in (
        ("POST", "seats/", {}),
        ("POST", "moves/", {"action": {"type": "draw"}}),
        ("POST", "start/", None),
        ("POST", "resume/", None),
        ("POST", "rematch/", None),
        ("POST", "branch/", {"at": 3, "seat": 0}),
        ("PUT", "seats/mine/", {"client_seed": "x"}),
        ("DELETE", "seats/mine/", None),
        ("PATCH", "", {"options": {}}),
        ("PUT", "seats/1/bot/", {"level": "easy"}),
        ("DELETE", "seats/1/bot/", None),
        ("DELETE", "seats/0/", None),
    ):
        assert stranger.ask(method, f"{where}{path}", body).code == "not-found", (method, path)
    assert stranger.get(f"{where}?code={game['code'].lower()}").ok()["me"] is None
    assert "code" not in stranger.get(f"{where}?code={game['code']}").ok()
    assert stranger.get(f"{where}?code=AAAAAA").code == "not-found"
    assert stranger.joins(game, code=game["code"])["me"] == {"seat": 1}
    assert stranger.sees(game)["code"] == game["code"]


def test_a_code_alone_leads_to_the_lowest_free_seat() -> None:
    host, guest = Player(), Player()
    game = host.opens(seats=3, visibility="private")

    joined = guest.post("games/join/", {"code": game["code"].lower()}).ok(201)

    assert joined["id"] == game["id"]
    assert joined["me"] == {"seat": 1}
    assert guest.post("games/join/", {"code": game["code"]}).code == "game-state"
    assert Player().post("games/join/", {"code": "AAAAAA"}).code == "not-found"
    assert Player().post("games/join/", {}).code == "validation"


def test_codes_cannot_be_tried_out_without_end_and_right_ones_do_not_count(settings: Any) -> None:
    settings.REPLI = settings.REPLI.model_copy(update={"throttle_guess": "2/minute", "throttle": True})
    game, guest, address = Player().opens(seats=4, visibility="private"), Player(), f"10.78.{uuid4().int % 250}.9"
    others = [Player(), Player()]
    for one in (guest, *others):
        one.http.defaults["REMOTE_ADDR"] = address
    limits.limit_of.cache_clear()
    try:
        right = [one.post("games/join/", {"code": game["code"]}).status for one in others]
        wrong = [guest.post("games/join/", {"code": "AAAAAA"}).code for _ in range(3)]
        late = guest.post("games/join/", {"code": game["code"]}).code
    finally:
        limits.limit_of.cache_clear()

    assert right == [201, 201]
    assert wrong == ["not-found", "not-found", "throttled"]
    assert late == "throttled"


# --- seats --------------------------------------------------------------------------------------------------------


def test_a_seat_is_taken_once() -> None:
    host, first, second, third = (Player() for _ in range(4))
    game = host.opens(seats=3)

    assert first.joins(game, seat=2)["me"] == {"seat": 2}
    assert second.post(f"games/{game['id']}/seats/", {"seat": 2}).code == "game-state"
    assert first.post(f"games/{game['id']}/seats/", {}).code == "game-state"
    assert second.joins(game)["me"] == {"seat": 1}
    assert third.post(f"games/{game['id']}/seats/", {}).code == "game-state"
    assert third.post(f"games/{game['id']}/seats/", {"seat": 3}).code == "validation"
    assert third.post(f"games/{game['id']}/seats/", {"seat": -1}).code == "validation"


def test_a_client_seed_is_added_after_the_commitment_and_before_the_start() -> None:
    game, (host, guest) = table()
    waiting = host.opens()
    guest.joins(waiting)
    where = f"games/{waiting['id']}/seats/mine/"

    seeded = guest.put(where, {"client_seed": "my_seed-1"}).ok()

    assert seeded["version"] == 4
    for wrong in ("a b", "é", "x" * 65, "line\n", 7, None):
        assert guest.put(where, {"client_seed": wrong}).code == "validation"
    assert Player().put(where, {"client_seed": "x"}).code == "forbidden"
    host.starts(waiting)
    assert host.get(f"games/{waiting['id']}/fairness/").ok()["client_seeds"] == ["", "my_seed-1"]
    assert guest.put(where, {"client_seed": "x"}).code == "game-state"
    assert host.put(f"games/{game['id']}/seats/mine/", {"client_seed": "x"}).code == "game-state"


def test_the_host_seats_bots_and_removes_them() -> None:
    host, guest = Player(), Player()
    game = host.opens(seats=3)
    guest.joins(game)
    where = f"games/{game['id']}/seats"

    assert host.put(f"{where}/2/bot/", {"level": "easy"}).ok()["seats"][2]["bot"] == "easy"
    assert host.put(f"{where}/2/bot/", {"level": "hard"}).ok()["seats"][2]["bot"] == "hard"
    assert host.put(f"{where}/1/bot/", {"level": "hard"}).code == "game-state"
    assert host.put(f"{where}/3/bot/", {"level": "hard"}).code == "not-found"
    assert host.put(f"{where}/2/bot/", {"level": "cruel"}).code == "validation"
    assert guest.put(f"{where}/2/bot/", {"level": "easy"}).code == "forbidden"
    assert guest.delete(f"{where}/2/bot/").code == "forbidden"
    assert host.delete(f"{where}/2/bot/").ok(204) is None
    assert host.delete(f"{where}/2/bot/").code == "game-state"
    assert host.sees(game)["seats"][2]["bot"] is None


def test_the_host_removes_a_player() -> None:
    host, guest = Player(), Player()
    game = host.opens()
    guest.joins(game)

    assert guest.delete(f"games/{game['id']}/seats/0/").code == "forbidden"
    assert host.delete(f"games/{game['id']}/seats/0/").code == "game-state"
    assert host.delete(f"games/{game['id']}/seats/1/").ok(204) is None
    assert host.delete(f"games/{game['id']}/seats/1/").code == "game-state"
    assert host.sees(game)["seats"][1]["player"] is None


def test_the_host_changes_options_before_the_start() -> None:
    host, guest = Player(), Player()
    game = host.opens()
    guest.joins(game)
    where = f"games/{game['id']}/"

    assert host.patch(where, {"options": {"move_seconds": 9}}).ok()["options"] == {"move_seconds": 9}
    assert host.get(f"{where}events/?after=3").ok()["results"][0]["type"] == "options_changed"
    assert guest.patch(where, {"options": {"move_seconds": 9}}).code == "forbidden"
    assert guest.patch(where, {"options": {"speed": 9}}).code == "validation"
    assert host.patch(where, {"visibility": "private"}).code == "validation"
    host.starts(game)
    assert host.patch(where, {"options": {}}).code == "game-state"


def test_leaving_before_the_start_frees_the_seat_and_the_next_player_is_host() -> None:
    host, guest = Player(), Player()
    game = host.opens()
    guest.joins(game)

    assert host.delete(f"games/{game['id']}/seats/mine/").ok(204) is None

    assert guest.sees(game)["host"] == 1
    assert host.delete(f"games/{game['id']}/seats/mine/").code == "forbidden"
    assert guest.delete(f"games/{game['id']}/seats/mine/").ok(204) is None
    assert guest.sees(game)["status"] == "aborted"


def test_leaving_a_running_game_lets_a_bot_play_until_one_resumes() -> None:
    game, (host, guest) = table()
    where = f"games/{game['id']}/"

    assert guest.delete(f"{where}seats/mine/").ok(204) is None

    assert guest.sees(game)["seats"][1]["controller"] == "bot"
    assert guest.sees(game)["legal_actions"] == []
    assert guest.delete(f"{where}seats/mine/").code == "game-state"
    assert guest.moves(game, {"type": "draw"}).code == "game-state"
    assert guest.post(f"{where}resume/").ok()["seats"][1]["controller"] == "player"
    assert Player().post(f"{where}resume/").code == "forbidden"
    assert host.get(f"{where}events/?after=5").ok()["results"][0]["data"] == {
        "seat": 1,
        "by": "bot",
        "reason": "left",
    }


def test_a_start_needs_the_host_and_all_seats() -> None:
    host, guest = Player(), Player()
    game = host.opens()

    assert host.post(f"games/{game['id']}/start/").code == "game-state"
    guest.joins(game)
    assert guest.post(f"games/{game['id']}/start/").code == "forbidden"
    assert host.starts(game)["status"] == "playing"
    assert host.post(f"games/{game['id']}/start/").code == "game-state"


def test_a_game_needs_a_token_to_be_watched() -> None:
    game, players = table()

    assert Visitor().get(f"games/{game['id']}/").code == "unauthenticated"
    assert Visitor().get("games/").code == "unauthenticated"
    watching = Player().sees(game)
    assert watching["me"] is None
    assert watching["legal_actions"] == []
    assert watching["to_act"] == [0, 1]
    assert plays_on(game, players)["seats"][0]["place"] in {1, 2}
