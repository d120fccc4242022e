"""The past of a game: events, states, replay and fairness."""

from __future__ import annotations

import hashlib

from games.rules.proof.links import Receipt
from games.rules.proof.verifying import verify
from games.rules.stream import Stream
from tests.api.client import Player, Visitor, plays_on, table


def test_events_come_in_pages_that_lead_to_each_other() -> None:
    game, (host, guest) = table()
    over = plays_on(game, [host, guest])

    pages = [host.get(f"games/{game['id']}/events/?limit=4").ok()]
    while pages[-1]["next"]:
        pages.append(host.get(pages[-1]["next"]).ok())

    numbers = [event["seq"] for page in pages for event in page["results"]]
    assert numbers == list(range(1, over["version"] + 1))
    assert pages[0]["previous"] is None
    assert host.get(pages[1]["previous"]).ok()["results"] == pages[0]["results"]
    assert pages[-1]["next"] is None
    assert host.get(f"games/{game['id']}/events/?after={over['version'] + 9}").ok()["results"] == []


def test_malformed_places_are_refused() -> None:
    game, (host, _) = table()

    for query in ("after=-1", "after=x", "limit=0", "limit=201", "from=1", "after=1&after=2"):
        assert host.get(f"games/{game['id']}/events/?{query}").code == "validation"
    assert host.get(f"games/{game['id']}/state/?at={game['version'] + 1}").code == "validation"
    assert host.get(f"games/{game['id']}/state/?at=-1").code == "validation"


def test_the_state_at_a_version_is_the_viewers_own_of_that_time() -> None:
    game, (host, guest) = table()
    before = {player: player.sees(game)["state"] for player in (host, guest)}
    plays_on(game, [host, guest])

    for player in (host, guest):
        then = player.get(f"games/{game['id']}/state/?at={game['version']}").ok()
        assert then == {"version": game["version"], "state": before[player]}
    assert host.get(f"games/{game['id']}/state/?at=0").ok() == {"version": 0, "state": {}}
    assert host.get(f"games/{game['id']}/state/").ok()["state"] == host.sees(game)["state"]
    stranger = Player().get(f"games/{game['id']}/state/?at={game['version']}").ok()["state"]
    assert stranger["hand"] == []


def test_events_stay_redacted_after_the_end_and_only_the_replay_is_open() -> None:
    game, (host, guest) = table()
    during = guest.get(f"games/{game['id']}/events/").ok()["results"]
    plays_on(game, [host, guest])

    after = guest.get(f"games/{game['id']}/events/").ok()["results"]
    replay = guest.get(f"games/{game['id']}/replay/").ok()

    assert after[: len(during)] == during
    (dealt,) = [event["data"] for event in after if event["type"] == "hands_dealt"]
    assert (dealt["hands"]["0"], len(dealt["hands"]["1"])) == (3, 3)
    assert "pile" not in dealt
    (shown,) = [event["data"] for event in replay["events"] if event["type"] == "hands_dealt"]
    assert len(shown["hands"]["0"]) == len(shown["hands"]["1"]) == 3
    assert len(shown["pile"]) == 46
    assert [event["seq"] for event in replay["events"]] == [event["seq"] for event in after]


def test_a_replay_waits_for_the_end() -> None:
    game, (host, guest) = table()

    assert host.get(f"games/{game['id']}/replay/").code == "game-state"
    assert Visitor().get(f"games/{game['id']}/replay/").code == "unauthenticated"
    assert Visitor().get(f"games/{game['id']}/fairness/").code == "unauthenticated"
    assert "seed" not in host.get(f"games/{game['id']}/fairness/").ok()
    plays_on(game, [host, guest])
    assert Visitor().get(f"games/{game['id']}/replay/").ok()["game"]["status"] == "finished"
    assert "code" not in Visitor().get(f"games/{game['id']}/replay/").ok()["game"]


def test_a_private_replay_needs_a_token_and_its_code() -> None:
    game, players = table(visibility="private")
    plays_on(game, players)
    where = f"games/{game['id']}/replay/"

    assert Visitor().get(where).code == "unauthenticated"
    assert Visitor().get(f"{where}?code={game['code']}").code == "unauthenticated"
    assert Player().get(where).code == "not-found"
    assert Player().get(f"{where}?code={game['code']}").status == 200
    assert players[1].get(where).status == 200


def test_anyone_can_check_the_deals_once_a_game_is_over() -> None:
    game, players = table()
    plays_on(game, players)

    fairness = Visitor().get(f"games/{game['id']}/fairness/").ok()
    replay = Visitor().get(f"games/{game['id']}/replay/").ok()

    seed = bytes.fromhex(fairness["seed"])
    created, finished = replay["events"][0]["data"], replay["events"][-1]["data"]
    assert hashlib.sha256(seed).hexdigest() == fairness["commitment"] == created["commitment"] == game["commitment"]
    assert finished["seed"] == fairness["seed"]
    assert replay["fairness"] == fairness
    assert Stream(seed, game["id"], fairness["client_seeds"]).word() >= 0


def test_an_aborted_game_shows_its_replay_and_its_seed() -> None:
    game, players = table()
    for player in players:
        player.delete(f"games/{game['id']}/seats/mine/").ok(204)

    assert players[0].sees(game)["status"] == "aborted"
    assert Visitor().get(f"games/{game['id']}/fairness/").ok()["seed"]
    seats = Visitor().get(f"games/{game['id']}/replay/").ok()["game"]["seats"]
    assert [seat["place"] for seat in seats] == [None, None]


def test_a_replay_is_there_as_text_one_line_a_move() -> None:
    game, (host, guest) = table()
    over = plays_on(game, [host, guest])
    where = f"games/{game['id']}/replay/?format=text"

    english = Visitor().get(where)
    french = Visitor("fr").get(where)

    assert english.status == 200
    assert english.headers["Content-Type"] == "text/plain; charset=utf-8"
    lines = [line.split("\t") for line in english.content.decode().splitlines() if not line.startswith("#")]
    assert {len(line) for line in lines} == {4}
    versions = [int(line[0]) for line in lines]
    assert versions == sorted(set(versions))
    assert versions[-1] == over["version"]
    assert "The game is over" in lines[-1][3]
    assert "La partie est finie" in french.content.decode()
    assert host.get(f"games/{game['id']}/replay/?format=xml").code == "validation"


def test_a_replay_shows_the_chain_that_receipts_come_from() -> None:
    game, (host, guest) = table()
    answer = guest.moves(game, guest.sees(game)["legal_actions"][0]).ok(201)
    plays_on(game, [host, guest])

    replay = host.get(f"games/{game['id']}/replay/").ok()

    assert replay["chain"][answer["version"] - 1] == answer["receipt"]
    assert verify(replay, [Receipt(answer["version"], answer["receipt"])]).difference is None
