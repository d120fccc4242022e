"""The account itself: profile, upgrade, devices, export and erasure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest

from accounts import erasure
from accounts.models import Player, Token
from config.wire import limits
from tests.accounts.conftest import PASSWORD, Caller, guest, signed_up, unique


def test_a_profile_is_changed_member_by_member() -> None:
    caller, session = guest()

    changed = caller("PATCH", "me/", {"display_name": "Famille 👨‍👩‍👧"}).json()
    assert changed == session["player"] | {"display_name": "Famille 👨‍👩‍👧"}
    assert caller("PATCH", "me/", {"language": "fr"}).json() == changed | {"language": "fr"}
    assert caller("PATCH", "me/", {}).json() == changed | {"language": "fr"}
    assert caller("GET", "me/").json() == changed | {"language": "fr"}


@pytest.mark.parametrize(
    "given",
    [
        {"display_name": None},
        {"display_name": "a\tb"},
        {"language": "xx"},
        {"username": "other"},
        {"is_guest": False},
        {"id": str(uuid4())},
        {"email": "x@example.com"},
    ],
)
def test_a_profile_refuses(given: dict[str, object]) -> None:
    caller, _ = guest()

    response = caller("PATCH", "me/", given)

    assert response.status_code == 400
    assert list(response.json()["errors"]) == list(given)


def test_a_new_address_needs_the_password() -> None:
    caller, session = signed_up(email="old@example.com")
    stored = Player.objects.filter(id=session["player"]["id"])

    assert "current_password" in caller("PATCH", "me/", {"email": "new@example.com"}).json()["errors"]
    wrong = {"email": "new@example.com", "current_password": "wrong"}
    assert "current_password" in caller("PATCH", "me/", wrong).json()["errors"]
    assert stored.get().email == "old@example.com"
    right = {"email": "new@Example.com", "current_password": PASSWORD}
    assert caller("PATCH", "me/", right).status_code == 200
    assert stored.get().email == "new@example.com"
    assert caller("PATCH", "me/", {"email": None, "current_password": PASSWORD}).status_code == 200
    assert stored.get().email is None


def test_an_upgraded_guest_keeps_its_id_name_and_token() -> None:
    caller, session = guest()
    name = unique()

    response = caller("POST", "upgrade/", {"username": name, "password": PASSWORD})

    assert response.status_code == 200
    assert response.json()["token"] == session["token"]
    expected = session["player"] | {"username": name, "is_guest": False}
    assert response.json()["player"] == expected
    assert caller("GET", "me/").json() == expected
    assert Caller()("POST", "login/", {"username": name, "password": PASSWORD}).json()["player"] == expected


def test_a_full_account_is_not_upgraded() -> None:
    caller, _ = signed_up()

    response = caller("POST", "upgrade/", {"username": unique(), "password": PASSWORD})

    assert response.status_code == 403
    assert response.json()["code"] == "forbidden"


def test_an_upgrade_refuses_what_a_registration_refuses() -> None:
    caller, _ = guest()
    _, taken = signed_up()

    given = {"username": taken["player"]["username"].upper(), "password": "1", "nickname": "x"}
    assert list(caller("POST", "upgrade/", given).json()["errors"]) == ["nickname"]
    del given["nickname"]
    assert set(caller("POST", "upgrade/", given).json()["errors"]) == {"username", "password"}


def test_devices_are_listed_page_by_page_and_revoked_one_by_one() -> None:
    caller, session = signed_up()
    given = {"username": session["player"]["username"], "password": PASSWORD}
    phone = Caller(Caller()("POST", "login/", given, **{"User-Agent": "Phone/2 " + "x" * 200}).json()["token"])

    first = caller("GET", "tokens/?limit=1").json()
    assert set(first) == {"results", "next", "previous"}
    assert first["results"][0]["device"] == ("Phone/2 " + "x" * 200)[:100]
    assert first["results"][0]["current"] is False
    second = caller("GET", first["next"].removeprefix("http://testserver")).json()
    assert second["next"] is None
    assert second["results"][0]["current"] is True
    assert "token" not in second["results"][0]
    assert caller("GET", second["previous"].removeprefix("http://testserver")).json()["results"] == first["results"]

    assert caller("DELETE", f"tokens/{first['results'][0]['id']}/").status_code == 204
    assert phone("GET", "me/").status_code == 401
    assert len(caller("GET", "tokens/").json()["results"]) == 1


def test_a_foreign_or_unknown_device_is_not_found() -> None:
    caller, _ = guest()
    stranger, other = guest()
    foreign = Token.objects.get(player_id=other["player"]["id"]).id

    for token_id in (foreign, uuid4(), "nonsense"):
        response = caller("DELETE", f"tokens/{token_id}/")
        assert response.status_code == 404
        assert response.json()["code"] == "not-found"
    assert stranger("GET", "me/").status_code == 200


@pytest.mark.parametrize(
    "wanted",
    [
        "limit=0",
        "limit=201",
        "limit=x",
        "limit=1&limit=2",
        "page=2",
        "cursor=zzz",
        "cursor=cD1hYmM=",
        "cursor=cD0lMDA=",
    ],
)
def test_a_list_refuses_bad_parameters(wanted: str) -> None:
    caller, _ = guest()

    response = caller("GET", f"tokens/?{wanted}")

    assert response.status_code == 400
    assert list(response.json()["errors"]) == [wanted.partition("=")[0]]


@pytest.fixture
def part() -> Iterator[dict[str, list[UUID]]]:
    """Another app's part of the export and the erasure."""
    calls: dict[str, list[UUID]] = {"export": [], "erase": []}

    def export(player_id: UUID) -> list[str]:
        calls["export"].append(player_id)
        return ["one"]

    erasure.register("notes", export=export, erase=calls["erase"].append)
    yield calls
    erasure.unregister("notes")


def test_an_export_holds_all_parts(part: dict[str, list[UUID]]) -> None:
    caller, session = signed_up(email="me@example.com")

    export = caller("GET", "me/export/").json()

    assert export["player"]["email"] == "me@example.com"
    assert export["player"]["id"] == session["player"]["id"]
    assert [token["device"] for token in export["tokens"]] == ["tests/1"]
    assert export["notes"] == ["one"]
    assert session["token"] not in str(export)


def test_a_deleted_player_leaves_an_id_and_nothing_else(part: dict[str, list[UUID]]) -> None:
    caller, session = signed_up(email="gone@example.com", display_name="Somebody")
    name = session["player"]["username"]

    assert caller("DELETE", "me/").status_code == 204

    assert caller("GET", "me/").status_code == 401
    assert Caller()("POST", "login/", {"username": name, "password": PASSWORD}).status_code == 401
    player = Player.objects.get(id=session["player"]["id"])
    assert (player.username, player.username_key, player.email) == (None, None, None)
    assert player.display_name == "Deleted player"
    assert not player.has_usable_password()
    assert not player.tokens.exists()
    assert part["erase"] == [player.id]
    witness, _ = guest()
    assert witness("GET", f"/api/v1/players/{player.id}/").json()["display_name"] == "Deleted player"
    signed_up(username=name)  # the name is free again


def test_a_deletion_that_an_app_cannot_follow_does_not_happen() -> None:
    caller, session = signed_up()

    def refuse(_player_id: UUID) -> None:
        raise RuntimeError("a secret reason")

    erasure.register("broken", export=lambda _player_id: None, erase=refuse)
    try:
        response = caller("DELETE", "me/")
    finally:
        erasure.unregister("broken")

    assert response.status_code == 500
    assert response.json()["code"] == "internal"
    assert b"secret" not in response.content
    assert caller("GET", "me/").json() == session["player"]


def test_anybody_with_a_token_sees_a_public_profile() -> None:
    _, session = signed_up(email="private@example.com")
    witness, _ = guest()

    profile = witness("GET", f"/api/v1/players/{session['player']['id']}/").json()

    assert set(profile) == {"id", "display_name", "is_guest", "created_at", "conduct"}
    assert witness("GET", f"/api/v1/players/{uuid4()}/").json()["code"] == "not-found"
    assert Caller()("GET", f"/api/v1/players/{session['player']['id']}/").status_code == 401


def test_passwords_cannot_be_guessed_by_changing_the_address(settings: Any) -> None:
    caller, _ = signed_up()
    settings.REPLI = settings.REPLI.model_copy(update={"throttle": True, "throttle_auth": "2/minute"})
    limits.limit_of.cache_clear()
    try:
        guesses = [
            caller("PATCH", "me/", {"email": f"{unique()}@example.com", "current_password": f"guess-{guess}-guess"})
            for guess in range(3)
        ]
        other = caller("PATCH", "me/", {"language": "fr"})
    finally:
        limits.limit_of.cache_clear()

    assert [guess.status_code for guess in guesses] == [400, 400, 429]
    assert guesses[-1].json()["code"] == "throttled"
    assert other.status_code == 200
