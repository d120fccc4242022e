"""Moves and their repeats."""

from __future__ import annotations

from collections import Counter

import msgspec

from games.services import command, play, presence
from games.services.command import Caller
from games.services.wake import client
from tests.api.client import Player, at_once, table


def test_a_move_answers_with_its_events_as_the_player_may_see_them() -> None:
    game, (host, guest) = table()
    action = game["legal_actions"][0]

    moved = host.moves(game, action, expected_version=game["version"]).ok(201)

    assert moved["version"] == game["version"] + 1
    (event,) = moved["events"]
    assert event["seq"] == moved["version"]
    assert (event["type"], event["data"]) == ("card_picked", {"seat": 0, "card": action["card"]})
    seen = guest.get(f"games/{game['id']}/events/?after={game['version']}").ok()["results"]
    assert seen == [{**event, "data": {"seat": 0}}]


def test_if_match_stands_for_the_expected_version() -> None:
    game, (host, _) = table()
    where, move = f"games/{game['id']}/moves/", {"action": game["legal_actions"][0]}

    stale = host.post(where, move, If_Match='"1"')
    malformed = host.post(where, move, If_Match="one")
    torn = host.post(where, {**move, "expected_version": 1}, If_Match='"2"')
    moved = host.post(where, move, If_Match=f'W/"{game["version"]}"')

    assert stale.code == "stale-version"
    assert stale.json["version"] == game["version"]
    assert malformed.code == "validation"
    assert torn.code == "validation"
    assert moved.ok(201)["version"] == game["version"] + 1
    assert moved.headers["ETag"] == f'"{game["version"] + 1}"'


def test_of_fifty_moves_at_one_version_exactly_one_stands() -> None:
    game, (host, _) = table()
    version, actions = game["version"], game["legal_actions"]

    def move(number: int) -> int:
        return host.moves(game, actions[number % 3], expected_version=version).status

    assert Counter(at_once(50, move)) == {201: 1, 409: 49}
    assert host.sees(game)["version"] == version + 1


def test_a_repeat_with_the_same_key_is_answered_byte_for_byte_and_changes_nothing() -> None:
    game, (host, guest) = table()
    where, body = f"games/{game['id']}/moves/", {"action": game["legal_actions"][0], "expected_version": 5}

    first = host.post(where, body, Idempotency_Key="once")
    guest.moves(game, guest.sees(game)["legal_actions"][0]).ok(201)
    again = host.post(where, body, Idempotency_Key="once")
    reordered = host.post(where, dict(reversed(body.items())), Idempotency_Key="once")

    assert first.status == again.status == reordered.status == 201
    assert first.content == again.content == reordered.content
    assert first.headers["ETag"] == again.headers["ETag"]
    assert host.sees(game)["version"] == 7


def test_a_key_used_with_another_body_is_refused_before_anything_else() -> None:
    game, (host, _) = table()
    where = f"games/{game['id']}/moves/"
    host.post(where, {"action": game["legal_actions"][0]}, Idempotency_Key="k").ok(201)

    for other in ({"action": game["legal_actions"][1]}, {"action": 7}, {}, b"{not json"):
        assert host.post(where, other, Idempotency_Key="k").code == "idempotency-mismatch"


def test_a_key_belongs_to_its_player_its_operation_and_its_game() -> None:
    game, (host, guest) = table()
    other, _ = table()

    host.moves(game, game["legal_actions"][0]).ok(201)
    assert host.post("games/", {"rules": "tiny", "seats": 2, "visibility": "public"}, Idempotency_Key="k").status == 201
    move = {"action": guest.sees(game)["legal_actions"][0]}
    assert guest.post(f"games/{game['id']}/moves/", move, Idempotency_Key="k").status == 201
    assert host.post(f"games/{game['id']}/resume/", Idempotency_Key="k").status == 200
    assert host.post(f"games/{other['id']}/resume/", Idempotency_Key="k").code == "forbidden"


def test_a_refusal_keeps_no_key() -> None:
    game, (_, guest) = table(others=1)
    where = f"games/{game['id']}/moves/"
    assert guest.post(where, {"action": {"type": "draw"}}, Idempotency_Key="k").code == "illegal-move"

    assert guest.post(where, {"action": guest.sees(game)["legal_actions"][0]}, Idempotency_Key="k").status == 201


def test_a_keys_text_is_the_same_in_a_header_as_on_a_socket() -> None:
    game, (host, _) = table()
    move = {"action": game["legal_actions"][0]}
    key = play.move_key("à 💥", move["action"], None)
    as_sent = "à 💥".encode().decode("latin-1")  # how a server hands a header over

    first = host.post(f"games/{game['id']}/moves/", move, Idempotency_Key=as_sent).ok(201)

    kept = command.repeated(Caller(player_id=host.id), game["id"], key)
    assert kept is not None
    assert msgspec.json.decode(kept.body) == first


def test_a_key_has_1_to_64_characters() -> None:
    game, (host, _) = table()

    for key in ("", "x" * 65):
        reply = host.post(f"games/{game['id']}/resume/", Idempotency_Key=key)
        assert reply.code == "validation"
    assert host.post(f"games/{game['id']}/resume/", Idempotency_Key="x" * 64).status == 200


def test_twenty_repeats_at_once_are_one_command() -> None:
    game, (host, guest) = table()
    where, move = f"games/{game['id']}/", {"action": game["legal_actions"][0]}
    wanted = {"rules": "tiny", "seats": 2, "visibility": "private"}
    newcomer, waiting = Player(), guest.opens()

    moves = at_once(20, lambda _: host.post(f"{where}moves/", move, Idempotency_Key="m").content)
    creations = at_once(20, lambda _: host.post("games/", wanted, Idempotency_Key="c").content)
    joins = at_once(20, lambda _: newcomer.post(f"games/{waiting['id']}/seats/", {}, Idempotency_Key="j").content)
    starts = at_once(20, lambda _: guest.post(f"games/{waiting['id']}/start/", Idempotency_Key="s").content)

    assert [len(set(answers)) for answers in (moves, creations, joins, starts)] == [1, 1, 1, 1]
    assert host.sees(game)["version"] == game["version"] + 1
    assert len(host.get("games/?mine=true").ok()["results"]) == 2
    assert guest.sees(waiting)["status"] == "playing"


def test_any_request_at_a_game_is_a_sign_of_life_of_whoever_had_a_socket_there() -> None:
    game, (host, guest) = table()
    presence.opened(game["id"], host.id, "socket")
    presence.closed(game["id"], host.id, "socket")
    lease = f"{game['id']}|{host.id}"
    before = client().zscore(presence.LEASES, lease)

    host.get(f"games/{game['id']}/events/")
    guest.sees(game)

    after = client().zscore(presence.LEASES, lease)
    assert isinstance(before, float)
    assert isinstance(after, float)
    assert after > before
    assert client().zscore(presence.LEASES, f"{game['id']}|{guest.id}") is None
