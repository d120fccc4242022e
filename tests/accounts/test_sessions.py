"""Guests, registration, login, logout, and what a token is worth."""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import Player, Token
from tests.accounts.conftest import PASSWORD, Caller, guest, signed_up, unique

PLAYER_MEMBERS = {"id", "username", "display_name", "is_guest", "language"}


def test_a_guest_plays_at_once_without_a_body() -> None:
    response = Caller()("POST", "guest/")

    assert response.status_code == 201
    session = response.json()
    assert set(session) == {"token", "expires_at", "player"}
    assert set(session["player"]) == PLAYER_MEMBERS
    assert session["player"]["is_guest"] is True
    assert session["player"]["username"] is None
    assert UUID(session["player"]["id"]).version == 7
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", session["expires_at"])


def test_a_guest_may_choose_a_name_and_a_language() -> None:
    player = Caller()("POST", "guest/", {"display_name": " Zoë  K. ", "language": "fr"}).json()["player"]

    assert player["display_name"] == "Zoë K."
    assert player["language"] == "fr"


def test_a_guests_language_is_the_one_asked_for() -> None:
    assert Caller(language="fr-CA,en;q=0.5")("POST", "guest/").json()["player"]["language"] == "fr"


def test_registering_answers_a_session_that_works() -> None:
    caller, session = signed_up(email="a@example.com")

    assert session["player"]["is_guest"] is False
    assert session["player"]["display_name"] == session["player"]["username"]
    assert caller("GET", "me/").json() == session["player"]


@pytest.mark.parametrize(
    "member,value",
    [
        ("username", "ab"),
        ("username", "a" * 31),
        ("username", "has space"),
        ("username", "-first"),
        ("username", "раypal"),  # Cyrillic and Latin
        ("username", "zero\u200bwidth"),
        ("username", "right\u202eleft"),
        ("username", 17),
        ("username", None),
        ("password", "short"),
        ("password", "password123"),
        ("password", "9182736455"),
        ("password", ["x"]),
        ("email", "nobody"),
        ("email", "a@b.example\nBcc: c@d.example"),
        ("display_name", ""),
        ("display_name", "   "),
        ("display_name", "x" * 33),
        ("display_name", "line\nbreak"),
        ("display_name", "\u202egnp.exe"),
        ("display_name", "\u200d\u200d"),
        ("display_name", "Z" + "\u0301\u0302\u0303\u0304\u0305"),
        ("display_name", "\ue000"),
        ("language", "de"),
        ("surprise", True),
    ],
)
def test_registration_refuses(member: str, value: object) -> None:
    given = {"username": unique(), "password": PASSWORD, member: value}

    response = Caller()("POST", "register/", given)

    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert problem["code"] == "validation"
    assert list(problem["errors"]) == [member]
    assert all(isinstance(text, str) and text for text in problem["errors"][member])


def test_all_faults_of_a_request_are_told_at_once() -> None:
    problem = Caller()("POST", "register/", {"username": "é", "password": "1", "email": "x"}).json()

    assert set(problem["errors"]) == {"username", "password", "email"}


def test_faults_and_titles_speak_french() -> None:
    problem = Caller(language="fr")("POST", "register/", {"username": "x", "password": "abc"}).json()

    assert problem["code"] == "validation"
    assert problem["title"] == "La requête n'est pas valide"
    assert problem["errors"]["username"] == ["Il faut de 3 à 30 caractères"]
    assert any("trop court" in text for text in problem["errors"]["password"])


@pytest.mark.parametrize("stem", ["Ælfred", "łukasz", "Иван", "田中さん", "a.b-c_9"])
def test_names_of_many_alphabets_are_welcome(stem: str) -> None:
    name = f"{stem}.{secrets.randbelow(10**9)}"

    assert Caller()("POST", "register/", {"username": name, "password": PASSWORD}).status_code == 201


@pytest.mark.parametrize(
    "first,second", [("{}x", "{}X"), ("fi{}", "ﬁ{}"), ("w{}", "Ｗ{}"), ("É{}", "e\u0301{}"), ("straße{}", "STRASSE{}")]
)
def test_a_name_that_differs_by_capitals_or_form_only_is_taken(first: str, second: str) -> None:
    stem = unique("n")
    signed_up(username=first.format(stem))

    response = Caller()("POST", "register/", {"username": second.format(stem), "password": PASSWORD})

    assert response.status_code == 400
    assert response.json()["errors"] == {"username": ["This name is taken"]}


def test_of_many_who_want_one_name_at_once_one_gets_it() -> None:
    name = unique("race")
    names = [name, name.upper(), name.title(), name.swapcase()] * 2
    answers: list[int] = []

    def ask(wanted: str) -> None:
        answers.append(Caller()("POST", "register/", {"username": wanted, "password": PASSWORD}).status_code)
        connection.close()

    threads = [threading.Thread(target=ask, args=(wanted,)) for wanted in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(answers) == [201] + [400] * 7


def test_login_answers_a_session_whatever_the_capitals() -> None:
    _, session = signed_up()
    name = session["player"]["username"]

    response = Caller()("POST", "login/", {"username": name.upper(), "password": PASSWORD})

    assert response.status_code == 200
    assert response.json()["player"] == session["player"]
    assert response.json()["token"] != session["token"]


def test_a_stale_token_does_not_stand_in_the_way_of_a_login() -> None:
    _, session = signed_up()
    given = {"username": session["player"]["username"], "password": PASSWORD}

    assert Caller("stale")("POST", "login/", given).status_code == 200


def test_login_answers_alike_for_a_wrong_password_and_an_unknown_name() -> None:
    _, session = signed_up()

    wrong = Caller()("POST", "login/", {"username": session["player"]["username"], "password": "wrong"})
    unknown = Caller()("POST", "login/", {"username": unique("nobody"), "password": "wrong"})

    assert wrong.status_code == unknown.status_code == 401
    assert wrong["WWW-Authenticate"] == "Bearer"
    assert _without_id(wrong.json()) == _without_id(unknown.json())
    assert wrong.json()["detail"] == "Username or password is wrong"


def test_passwords_are_kept_by_argon2_and_tokens_by_their_digest() -> None:
    _, session = signed_up()

    player = Player.objects.get(id=session["player"]["id"])
    token = player.tokens.get()
    assert player.password.startswith("argon2")
    assert bytes(token.digest) == hashlib.sha256(session["token"].encode()).digest()
    with connection.cursor() as cursor:
        cursor.execute("SELECT t::text FROM accounts_token t WHERE id = %s", [token.id])
        assert session["token"].removeprefix("repli_") not in cursor.fetchone()[0]


def test_logout_revokes_this_token_only_and_once_is_enough() -> None:
    caller, session = signed_up()
    other = Caller(
        Caller()("POST", "login/", {"username": session["player"]["username"], "password": PASSWORD}).json()["token"]
    )

    assert caller("POST", "logout/").status_code == 204
    assert caller("POST", "logout/").status_code == 401
    assert caller("GET", "me/").json()["code"] == "unauthenticated"
    assert other("GET", "me/").status_code == 200


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer nonsense", "Basic YTpi", "Bearer " + "x" * 5000, "Bearer é", "token"]
)
def test_no_or_a_wrong_token_is_unauthenticated(header: str) -> None:
    response = Caller()("GET", "me/", Authorization=header)

    assert response.status_code == 401
    assert response.json()["code"] == "unauthenticated"
    assert response["WWW-Authenticate"] == "Bearer"


def test_an_expired_token_is_unauthenticated() -> None:
    caller, session = guest()
    Token.objects.filter(player_id=session["player"]["id"]).update(expires_at=timezone.now() - timedelta(seconds=1))

    assert caller("GET", "me/").status_code == 401


def test_a_token_lives_ninety_days_from_its_last_use() -> None:
    caller, session = guest()
    yesterday = timezone.now() - timedelta(days=1)
    mine = Token.objects.filter(player_id=session["player"]["id"])
    mine.update(last_used_at=yesterday, expires_at=yesterday + timedelta(days=90))

    assert caller("GET", "me/").status_code == 200

    token = mine.get()
    assert timezone.now() - token.last_used_at < timedelta(minutes=1)
    assert token.expires_at - token.last_used_at == timedelta(days=90)


def test_a_use_within_the_hour_writes_nothing() -> None:
    caller, session = guest()
    mine = Token.objects.filter(player_id=session["player"]["id"])
    before = mine.get()

    caller("GET", "me/")

    assert mine.get().last_used_at == before.last_used_at


def _without_id(problem: dict[str, object]) -> dict[str, object]:
    return {member: value for member, value in problem.items() if member != "request_id"}
