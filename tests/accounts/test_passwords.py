"""Changing a password, and resetting a forgotten one by mail."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
from typing import Any

import pytest
from django.db import connection

from tests.accounts.conftest import PASSWORD, Caller, guest, signed_up, unique
from tests.servers import CHECKOUT

NEW = "another-good-0ne"


def _login(name: str, password: str) -> int:
    return int(Caller()("POST", "login/", {"username": name, "password": password}).status_code)


def _code(mail: Any) -> str:
    found = re.search(r"^[0-9a-f]{32}\.\S+$", mail.body, re.MULTILINE)
    assert found
    return found[0]


def test_a_changed_password_logs_out_all_other_devices() -> None:
    caller, session = signed_up()
    name = session["player"]["username"]
    other = Caller(Caller()("POST", "login/", {"username": name, "password": PASSWORD}).json()["token"])

    response = caller("POST", "password/", {"current_password": PASSWORD, "new_password": NEW})

    assert response.status_code == 204
    assert caller("GET", "me/").status_code == 200
    assert other("GET", "me/").status_code == 401
    assert (_login(name, PASSWORD), _login(name, NEW)) == (401, 200)


def test_a_change_needs_the_current_password_and_a_good_new_one() -> None:
    caller, session = signed_up()

    wrong = caller("POST", "password/", {"current_password": "wrong", "new_password": NEW})
    weak = caller("POST", "password/", {"current_password": PASSWORD, "new_password": "12345"})
    similar = caller("POST", "password/", {"current_password": PASSWORD, "new_password": session["player"]["username"]})

    assert list(wrong.json()["errors"]) == ["current_password"]
    assert list(weak.json()["errors"]) == ["new_password"]
    assert list(similar.json()["errors"]) == ["new_password"]
    assert _login(session["player"]["username"], PASSWORD) == 200


def test_a_guest_has_no_password_to_change() -> None:
    caller, _ = guest()

    response = caller("POST", "password/", {"current_password": "", "new_password": NEW})

    assert response.status_code == 403


def test_a_reset_answers_alike_whether_or_not_somebody_has_the_address(mails: list[Any]) -> None:
    address = f"{unique()}@example.com"
    signed_up(email=address)

    known = Caller()("POST", "password/reset/", {"email": address})
    unknown = Caller()("POST", "password/reset/", {"email": f"{unique()}@example.com"})

    assert known.status_code == unknown.status_code == 204
    assert known.content == unknown.content == b""
    assert len(mails) == 1


def test_a_mailed_code_sets_a_new_password_once_and_logs_out_everywhere(mails: list[Any]) -> None:
    address = f"{unique()}@example.com"
    caller, session = signed_up(email=address)
    name = session["player"]["username"]
    Caller()("POST", "password/reset/", {"email": address.upper()})
    [mail] = mails
    assert mail.to == [address]
    assert name in mail.body
    given = {"token": _code(mail), "new_password": NEW}

    assert Caller()("POST", "password/reset/confirm/", given).status_code == 204
    assert caller("GET", "me/").status_code == 401
    assert _login(name, NEW) == 200
    again = Caller()("POST", "password/reset/confirm/", given | {"new_password": "yet-another-0ne"})
    assert again.status_code == 400
    assert list(again.json()["errors"]) == ["token"]


def test_a_code_used_twice_at_once_works_once(mails: list[Any]) -> None:
    address = f"{unique()}@example.com"
    signed_up(email=address)
    Caller()("POST", "password/reset/", {"email": address})
    code = _code(mails[0])
    answers: list[int] = []

    def use(number: int) -> None:
        given = {"token": code, "new_password": f"{NEW}-{number}"}
        answers.append(Caller()("POST", "password/reset/confirm/", given).status_code)
        connection.close()

    threads = [threading.Thread(target=use, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(answers) == [204, 400, 400, 400]


def test_the_mail_is_in_the_players_language(mails: list[Any]) -> None:
    address = f"{unique()}@example.com"
    signed_up(email=address, language="fr")

    Caller()("POST", "password/reset/", {"email": address})

    assert "nouveau mot de passe" in mails[0].subject


def test_everybody_who_shares_an_address_gets_a_code(mails: list[Any]) -> None:
    address = f"{unique()}@example.com"
    names = {signed_up(email=address)[1]["player"]["username"] for _ in range(2)}

    Caller()("POST", "password/reset/", {"email": address})

    assert {name for name in names for mail in mails if name in mail.body} == names


def test_a_deleted_account_gets_no_code(mails: list[Any]) -> None:
    address = f"{unique()}@example.com"
    caller, _ = signed_up(email=address)
    caller("DELETE", "me/")

    Caller()("POST", "password/reset/", {"email": address})

    assert mails == []


@pytest.mark.parametrize("token", ["", "x", "." * 10, "0" * 32 + ".x", "é.é", "0" * 32])
def test_a_made_up_code_is_refused(token: str) -> None:
    response = Caller()("POST", "password/reset/confirm/", {"token": token, "new_password": NEW})

    assert response.status_code == 400
    assert response.json()["errors"] == {"token": ["This code is wrong, used or too old; ask for a new one"]}


def test_a_code_grows_too_old(mails: list[Any], settings: Any) -> None:
    address = f"{unique()}@example.com"
    signed_up(email=address)
    Caller()("POST", "password/reset/", {"email": address})
    settings.PASSWORD_RESET_TIMEOUT = -1

    given = {"token": _code(mails[0]), "new_password": NEW}
    assert Caller()("POST", "password/reset/confirm/", given).status_code == 400


def test_a_lost_broker_does_not_hold_a_request_up_for_ever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"redis://127.0.0.1:{closed.getsockname()[1]}/0"
    environment = os.environ | {"REDIS_URL": url, "REPLI_PROCESS": "web"}

    asked = subprocess.run([sys.executable, "-c", _ASK], cwd=CHECKOUT, env=environment, timeout=60, check=False)

    assert asked.returncode == 0


_ASK = """
import signal
import django
django.setup()
from accounts.passwords import ask_reset
signal.alarm(30)  # kills a process that waits for ever
ask_reset("nobody@example.com")
"""
