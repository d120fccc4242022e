"""A player deletes the account or asks what is held: games in every state (api.md, Accounts: DELETE anonymises)."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from games.rules.lifecycle import GameAborted, SeatControlled, SeatLeft
from games.services import farewell, tables
from games.store.load import history, load
from games.store.receipts import find
from tests.api.client import Player, plays_on, table
from tests.games import moved, opened, somebody, started, state_of


def controls(game_id: str) -> list[tuple[int, str, str]]:
    events = (record.event for record in history(game_id))
    return [(event.seat, event.by, event.reason) for event in events if isinstance(event, SeatControlled)]


def status(game_id: str) -> str:
    loaded = load(game_id)
    assert loaded is not None
    return loaded.table.status


def test_who_deletes_the_account_leaves_waiting_tables_and_a_bot_plays_the_running_ones() -> None:
    goes, stays = Player("Goes"), Player("Stays")
    waiting, running = goes.opens(), goes.opens()
    for game in (waiting, running):
        stays.joins(game)
    goes.starts(running)

    goes.delete("accounts/me/").ok(204)

    assert stays.sees(waiting)["seats"][0]["player"] is None
    assert stays.sees(waiting)["host"] == 1
    seat = stays.sees(running)["seats"][0]
    assert seat["controller"] == "bot"
    assert seat["player"] == {"id": goes.id, "display_name": "Deleted player"}
    assert controls(running["id"]) == [(0, "bot", "left")]
    assert goes.get(f"games/{running['id']}/").code == "unauthenticated"


def test_a_table_that_only_the_deleted_player_sat_at_is_closed() -> None:
    alone = Player()
    waiting, running = alone.opens(), alone.starts(alone.opens(bots=[{"seat": 1, "level": "easy"}]))

    alone.delete("accounts/me/").ok(204)

    for game in (waiting, running):
        assert status(game["id"]) == "aborted"
        assert isinstance(history(game["id"])[-1].event, GameAborted)


def test_a_finished_game_stays_as_it_was_without_the_name() -> None:
    game, (goes, stays) = table()
    plays_on(game, [goes, stays])
    before = stays.get(f"games/{game['id']}/replay/").ok()

    goes.delete("accounts/me/").ok(204)

    after = stays.get(f"games/{game['id']}/replay/").ok()
    assert after["events"] == before["events"]
    assert [seat["player"]["display_name"] for seat in after["game"]["seats"]] == ["Deleted player", "Player 1"]
    assert goes.name not in json.dumps(after)


def test_a_farewell_is_harmless_when_repeated_and_for_who_never_played() -> None:
    goes, stays = somebody(), somebody()
    running, left = started([goes, stays]), started([goes, stays])
    tables.leave(goes.caller, left)

    for player in (goes.id, goes.id, somebody().id):
        farewell.erase(UUID(player))

    assert controls(running) == controls(left) == [(0, "bot", "left")]


def test_answers_kept_for_repeats_are_forgotten_also_of_games_that_were_left_or_branched_off() -> None:
    goes, stays = Player(), Player()
    left = stays.opens()
    goes.post(f"games/{left['id']}/seats/", {}, Idempotency_Key="k").ok(201)
    goes.delete(f"games/{left['id']}/seats/mine/").ok(204)
    over, veterans = table()
    plays_on(over, veterans)
    end = max(e["seq"] for e in stays.get(f"games/{over['id']}/events/?limit=200").ok()["results"][:-3])
    branches = [
        goes.post(f"games/{over['id']}/branch/", {"at": at, "seat": 0}, Idempotency_Key="k") for at in range(5, end + 1)
    ]
    assert any(reply.status == 201 for reply in branches)
    assert find(goes.id, "join", left["id"], "k") is not None
    assert find(goes.id, "branch", over["id"], "k") is not None

    goes.delete("accounts/me/").ok(204)

    assert find(goes.id, "join", left["id"], "k") is None
    assert find(goes.id, "branch", over["id"], "k") is None


def test_an_export_holds_every_game_that_the_player_sat_at_and_what_they_did_there() -> None:
    ada, bob = somebody("Ada"), somebody("Bob")
    left = opened([bob, ada], seats=3)
    tables.give_client_seed(ada.caller, left, "mine-once")
    tables.leave(ada.caller, left)
    running = opened([ada, bob], visibility="private")
    tables.give_client_seed(ada.caller, running, "abc")
    tables.give_client_seed(bob.caller, running, "not-ada-s")
    tables.start(ada.caller, running, None)
    hands = state_of(running).hands
    pick = {"type": "pick", "card": hands[0][0]}
    version = moved(ada, running, pick)["version"]
    moved(bob, running, {"type": "pick", "card": hands[1][0]})

    export = exported(ada.token)

    assert [game["game_id"] for game in export] == [running, left]
    assert export[0] | {"created_at": "", "last_event_at": ""} == {
        "game_id": running,
        "rules": "tiny",
        "options": {"move_seconds": 30},
        "mode": "casual",
        "visibility": "private",
        "status": "playing",
        "created_at": "",
        "last_event_at": "",
        "seats": 2,
        "seat": 0,
        "controller": "player",
        "left": False,
        "place": None,
        "score": None,
        "client_seeds": ["abc"],
        "actions": [{"version": version, "at": export[0]["actions"][0]["at"], "action": pick}],
    }
    assert (export[1]["seat"], export[1]["client_seeds"], export[1]["actions"]) == (None, ["mine-once"], [])
    assert export[0]["created_at"] <= export[0]["actions"][0]["at"] <= export[0]["last_event_at"]


@pytest.mark.parametrize("others", ["hand", "action", "seed"])
def test_an_export_tells_nothing_of_other_seats(others: str) -> None:
    ada, bob = somebody(), somebody()
    game_id = opened([ada, bob])
    tables.give_client_seed(bob.caller, game_id, "bob-s-seed")
    tables.start(ada.caller, game_id, None)
    hand = state_of(game_id).hands[1]
    moved(bob, game_id, {"type": "pick", "card": hand[0]})

    text = json.dumps(exported(ada.token))

    told = {"hand": hand[1:], "action": hand[:1], "seed": ["bob-s-seed"]}[others]
    assert not any(f'"{word}"' in text for word in told)


def test_a_seat_that_was_left_is_given_up_by_its_own_event() -> None:
    goes, stays = somebody(), somebody()
    game_id = opened([goes, stays], seats=3)

    farewell.erase(UUID(goes.id))

    assert SeatLeft(seat=0, player_id=goes.id) in [record.event for record in history(game_id)]


def exported(token: str) -> Any:
    player = Player()
    player.headers["Authorization"] = f"Bearer {token}"
    return player.get("accounts/me/export/").ok()["games"]
