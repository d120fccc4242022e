"""Every code of the contract's table, and which of two refusals wins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections

from config.wire import limits
from tests.api.client import Player, Reply, Visitor, at_once, plays_on, table

LEGAL_SHAPE = {"type": "draw"}


class Scene:
    """A running game in its picking phase, one that is over, a private one, and an outsider."""

    def __init__(self) -> None:
        self.game, (self.host, self.guest) = table()
        self.over, self.veterans = table()
        plays_on(self.over, self.veterans)
        self.private, _ = table(visibility="private")
        self.outsider = Player()

    def drawing(self) -> Scene:
        """Both have picked: it is seat 0's turn to draw."""
        for player in (self.host, self.guest):
            player.moves(self.game, player.sees(self.game)["legal_actions"][0]).ok(201)
        return self

    def move(self, player: Visitor, game: Any, action: Any = None, **more: Any) -> Reply:
        return player.post(f"games/{game['id']}/moves/", {"action": action or LEGAL_SHAPE, **more})


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene().drawing()


Asked = Callable[[Scene], Reply]

WINS: list[tuple[str, str, Asked]] = [
    ("unauthenticated", "validation", lambda s: s.move(Visitor(), s.game, 7)),
    ("unauthenticated", "not-found", lambda s: Visitor().get(f"games/{uuid4()}/")),
    ("validation", "not-found", lambda s: s.move(s.outsider, s.private, 7)),
    ("not-found", "forbidden", lambda s: s.move(s.outsider, s.private)),
    ("not-found", "stale-version", lambda s: s.move(s.outsider, s.private, expected_version=1)),
    ("validation", "forbidden", lambda s: s.move(s.outsider, s.game, {"type": "jump"})),
    ("validation", "game-state", lambda s: s.move(s.veterans[0], s.over, {"type": "jump"})),
    ("validation", "stale-version", lambda s: s.move(s.host, s.game, {"type": "draw", "to": 1}, expected_version=1)),
    ("validation", "not-your-turn", lambda s: s.move(s.guest, s.game, {"type": "pick", "card": "1X"})),
    ("forbidden", "game-state", lambda s: s.move(s.outsider, s.over)),
    ("forbidden", "stale-version", lambda s: s.move(s.outsider, s.game, expected_version=1)),
    ("game-state", "stale-version", lambda s: s.move(s.veterans[0], s.over, expected_version=1)),
    ("stale-version", "not-your-turn", lambda s: s.move(s.guest, s.game, expected_version=1)),
    ("stale-version", "illegal-move", lambda s: s.move(s.host, s.game, {"type": "give", "to": 9}, expected_version=1)),
    ("not-your-turn", "illegal-move", lambda s: s.move(s.guest, s.game, {"type": "pick", "card": "2C"})),
    ("validation", "forbidden", lambda s: s.outsider.patch(f"games/{s.game['id']}/", {"options": {"x": 1}})),
    ("forbidden", "game-state", lambda s: s.outsider.patch(f"games/{s.game['id']}/", {"options": {}})),
    ("validation", "forbidden", lambda s: s.outsider.put(f"games/{s.game['id']}/seats/mine/", {"client_seed": "!"})),
    ("forbidden", "game-state", lambda s: s.outsider.put(f"games/{s.game['id']}/seats/mine/", {"client_seed": "s"})),
    ("validation", "game-state", lambda s: s.outsider.post(f"games/{s.game['id']}/seats/", {"seat": 7})),
    ("forbidden", "game-state", lambda s: s.guest.post(f"games/{s.game['id']}/start/")),
    ("forbidden", "game-state", lambda s: s.guest.put(f"games/{s.game['id']}/seats/1/bot/", {"level": "easy"})),
    ("forbidden", "game-state", lambda s: s.outsider.post(f"games/{s.game['id']}/rematch/")),
    ("validation", "game-state", lambda s: s.host.post(f"games/{s.game['id']}/branch/", {"at": -1, "seat": 0})),
]


@pytest.mark.parametrize("winner, loser, asked", WINS, ids=[f"{i}-{w}-over-{o}" for i, (w, o, _) in enumerate(WINS)])
def test_which_refusal_wins(scene: Scene, winner: str, loser: str, asked: Asked) -> None:
    assert asked(scene).code == winner, f"not {loser}"


def test_a_refusal_has_the_form_of_problem_details_in_the_asked_language(scene: Scene) -> None:
    reply = scene.move(scene.host, scene.game, {"type": "give", "to": 9})
    french = scene.host.post(
        f"games/{scene.game['id']}/moves/", {"action": {"type": "give", "to": 9}}, Accept_Language="fr"
    )

    assert reply.status == 422
    assert reply.json.keys() >= {"type", "title", "status", "detail", "code", "reason"}
    assert (reply.json["code"], reply.json["reason"]) == ("illegal-move", "target")
    assert reply.json["title"] != french.json["title"]
    assert reply.json["detail"] != french.json["detail"]
    assert {k: french.json[k] for k in ("code", "reason", "status")} == {
        k: reply.json[k] for k in ("code", "reason", "status")
    }


def test_a_stale_version_tells_the_current_one(scene: Scene) -> None:
    reply = scene.move(scene.host, scene.game, expected_version=1)

    assert reply.json["version"] == scene.host.sees(scene.game)["version"]


def test_an_action_of_another_phase_is_illegal_for_that_reason(scene: Scene) -> None:
    reply = scene.move(scene.host, scene.game, {"type": "place", "slot": "left"})

    assert (reply.code, reply.json["reason"]) == ("illegal-move", "wrong-phase")


@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b'"x"', b'{"action": {}}', b'{"action": {"type": "draw"}, "more": 1}', b'{"action": "draw"}', b"\xff",
     b'{"action": {"type": "draw"}, "expected_version": "1"}', b'{"action": {"type": "draw", "x": "\\ud800"}}'],
)  # fmt: skip
def test_a_malformed_body_is_refused(scene: Scene, body: bytes) -> None:
    reply = scene.host.post(f"games/{scene.game['id']}/moves/", body)

    assert reply.code == "validation"
    assert reply.json["errors"]


def test_wrong_tokens_are_unauthenticated() -> None:
    for header in ("Bearer nonsense", "Bearer ", "Basic YTpi", "nonsense"):
        reply = Visitor().get("games/", Authorization=header)
        assert reply.code == "unauthenticated"
        assert reply.headers["WWW-Authenticate"] == "Bearer"
    assert Visitor().get("rulesets/", Authorization="Bearer nonsense").code == "unauthenticated"


@pytest.mark.parametrize("path", ["games/nonsense/", f"games/{uuid4()}/", "nothing/", f"games/{uuid4()}/seats/x/"])
def test_unknown_things_are_not_found(path: str) -> None:
    assert Player().get(path).code == "not-found"
    assert Player().get("/api/").code == "not-found"


def test_other_methods_and_media_types_are_refused() -> None:
    player = Player()

    assert player.put("games/").code == "method-not-allowed"
    assert player.delete("rulesets/").code == "method-not-allowed"
    assert player.post("games/", b"rules=gg", Content_Type="application/x-www-form-urlencoded").code == (
        "unsupported-media-type"
    )


def test_a_body_over_64_kib_is_too_large() -> None:
    reply = Player().post("games/", {"rules": "x" * 70_000})

    assert (reply.code, reply.status) == ("too-large", 413)


def test_too_many_requests_are_throttled_with_the_time_to_wait(settings: Any) -> None:
    settings.REPLI = settings.REPLI.model_copy(update={"throttle_read": "3/minute", "throttle": True})
    visitor = Visitor()
    visitor.http.defaults["REMOTE_ADDR"] = f"10.77.{uuid4().int % 250}.{uuid4().int % 250}"
    limits.limit_of.cache_clear()
    try:
        *_, reply = [visitor.get("rulesets/") for _ in range(4)]
    finally:
        limits.limit_of.cache_clear()

    assert (reply.code, reply.status) == ("throttled", 429)
    assert int(reply.headers["Retry-After"]) >= 1


def test_without_a_database_the_service_is_unavailable_for_a_while() -> None:
    def ask(_: int) -> list[Reply]:
        connection = connections["default"]  # this thread's own
        connection.close()
        connection.settings_dict = {**connection.settings_dict, "HOST": "127.0.0.1", "PORT": 1, "OPTIONS": {}}
        visitor = Visitor()
        return [visitor.get("games/", Authorization="Bearer unknown"), visitor.get("/readyz")]

    for reply in at_once(1, ask)[0]:
        assert (reply.code, reply.status) == ("unavailable", 503)
        assert int(reply.headers["Retry-After"]) >= 1


def test_a_database_without_the_migrations_is_not_ready() -> None:
    def ask(_: int) -> Reply:
        connection = connections["default"]
        connection.close()
        connection.settings_dict = {**connection.settings_dict, "NAME": "postgres"}
        return Visitor().get("/readyz")

    (reply,) = at_once(1, ask)

    assert (reply.code, reply.status) == ("unavailable", 503)


def test_the_service_says_that_it_is_ready() -> None:
    assert Visitor().get("/readyz").ok() == {"status": "ready"}
    assert Visitor().get("/healthz").status == 200
