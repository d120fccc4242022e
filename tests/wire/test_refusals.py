"""Whatever goes wrong is a problem document, in the asked language, and says nothing that it should not."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest
from django.test import AsyncClient

from config.wire.problems import DETAILS, STATUS, TITLES
from tests.wire.routes import SECRET


@pytest.mark.parametrize(
    "key,status,code",
    [
        ("internal", 500, "internal"),
        ("pool", 503, "unavailable"),
        ("psycopg", 503, "unavailable"),
        ("http404", 404, "not-found"),
        ("denied", 403, "forbidden"),
        ("anonymous", 401, "unauthenticated"),
        ("parse", 400, "validation"),
        ("throttled", 429, "throttled"),
        ("stale", 409, "stale-version"),
        ("illegal", 422, "illegal-move"),
    ],
)
def test_every_exception_is_a_problem(
    client: Any, caplog: pytest.LogCaptureFixture, key: str, status: int, code: str
) -> None:
    with caplog.at_level(logging.DEBUG):
        response = client.get(f"/fail/{key}/", headers={"Accept-Language": "fr"})

    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert problem["code"] == code
    assert problem["title"] == TITLES[code]["fr"]
    assert problem["request_id"] == response["X-Request-Id"]
    assert {"type", "detail"} <= set(problem)
    assert SECRET not in response.content.decode()
    assert SECRET not in caplog.text


def test_the_headers_that_clients_act_on_are_set(client: Any) -> None:
    assert client.get("/fail/anonymous/")["WWW-Authenticate"] == "Bearer"
    assert client.get("/fail/throttled/")["Retry-After"] == "3"
    assert int(client.get("/fail/pool/")["Retry-After"]) > 0
    assert client.get("/fail/stale/").json()["version"] == 17
    assert client.get("/fail/illegal/").json()["reason"] == "must-follow-suit"


def test_an_unforeseen_error_leaves_its_place_in_the_log(client: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        client.get("/fail/internal/")

    assert "routes.py" in caplog.text
    assert "RuntimeError" in caplog.text


def test_the_same_holds_outside_of_rest_views(client: Any, caplog: pytest.LogCaptureFixture) -> None:
    missing = client.get("/nowhere/", headers={"Accept-Language": "fr"})
    broken = client.get("/plain/")
    method = client.get("/echo/")

    assert (missing.status_code, missing.json()["title"]) == (404, "Introuvable")
    assert (broken.status_code, broken.json()["code"]) == (500, "internal")
    assert SECRET not in broken.content.decode()
    assert SECRET not in caplog.text
    assert (method.status_code, method.json()["code"]) == (405, "method-not-allowed")
    assert "POST" in method["Allow"]
    for response in (missing, broken, method):
        assert response["Content-Type"] == "application/problem+json"


def test_an_unknown_host_name_is_refused_as_a_problem(client: Any) -> None:
    response = client.get("/ask/", headers={"Host": "elsewhere.example"})

    assert response.status_code == 400
    assert response.json()["code"] == "validation"


@pytest.mark.parametrize("accepted", ["text/html", "application/xml", "*/*", "nonsense", "application/problem+json"])
def test_json_is_answered_whatever_is_accepted(client: Any, accepted: str) -> None:
    response = client.get("/ask/", headers={"Accept": accepted})

    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"


def test_a_request_keeps_the_id_that_it_came_with(client: Any) -> None:
    assert client.get("/ask/", headers={"X-Request-Id": "abc-1.2_3"})["X-Request-Id"] == "abc-1.2_3"


@pytest.mark.parametrize("bad", ["", "x" * 65, "a b", "a;b", "é"])
def test_a_bad_request_id_is_replaced(client: Any, bad: str) -> None:
    given = client.get("/ask/", headers={"X-Request-Id": bad})["X-Request-Id"]

    assert re.fullmatch(r"[0-9a-f-]{36}", given)


@pytest.mark.parametrize(
    "header,language",
    [("fr", "fr"), ("fr-CA", "fr"), ("de, fr;q=0.8, en;q=0.1", "fr"), ("de", "en"), ("", "en"), ("en, fr", "en")],
)
def test_the_language_is_the_best_that_is_asked_for(client: Any, header: str, language: str) -> None:
    response = client.get("/fail/http404/", headers={"Accept-Language": header})

    assert response["Content-Language"] == language
    assert response.json()["title"] == TITLES["not-found"][language]  # type: ignore[index]


def test_every_code_and_detail_has_its_words_in_both_languages() -> None:
    assert set(TITLES) == set(STATUS)
    for words in [*TITLES.values(), *DETAILS.values()]:
        assert set(words) == {"en", "fr"}
        assert all(words.values())


async def test_a_request_has_its_id_on_the_asynchronous_way_too(settings: Any, servers: Any) -> None:
    settings.ROOT_URLCONF = "tests.wire.routes"
    client = AsyncClient(raise_request_exception=False)

    missing = await client.get("/nowhere/", headers={"X-Request-Id": "abc"})
    broken = await client.get("/plain/")

    assert (missing["X-Request-Id"], missing.json()["request_id"]) == ("abc", "abc")
    assert broken.json()["request_id"] == broken["X-Request-Id"]
    assert SECRET not in broken.content.decode()
