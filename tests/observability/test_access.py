"""Who may read the figures, and that the API's document does not know of them."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from config.embedded import ports
from config.environment import ROOT, Environment
from config.observability import exposition
from config.observability.access import may_read

TOKEN = "a-token-of-the-operator"
BEARER = {"authorization": f"Bearer {TOKEN}"}
BY_PROXY = {"x-forwarded-for": "203.0.113.9"}


def allowing(**fields: Any) -> Environment:
    return settings.REPLI.model_copy(update=fields)


@pytest.mark.parametrize(
    "peer,headers,verdict",
    [
        ("127.0.0.1", {}, "yes"),
        ("::1", {}, "yes"),
        ("10.1.2.3", {}, "yes"),
        ("::ffff:192.168.0.7", {}, "yes"),
        ("fd00::7", {}, "yes"),
        ("203.0.113.9", {}, "yes"),  # documentation addresses are nobody's: private, as Python sees it
        ("8.8.8.8", {}, "no"),
        ("::ffff:8.8.8.8", {}, "no"),
        ("2001:4860:4860::8888", {}, "no"),
        ("0.0.0.0", {}, "no"),
        ("", {}, "no"),
        (None, {}, "no"),
        ("not an address", {}, "no"),
        ("127.0.0.1", BY_PROXY, "no"),
        ("10.0.0.1", {"forwarded": "for=8.8.8.8"}, "no"),
        ("10.0.0.1", {"x-real-ip": "10.0.0.2"}, "no"),
        ("127.0.0.1", BEARER, "yes"),
        ("8.8.8.8", BEARER, "no"),  # no token is set
    ],
)
def test_by_default_only_who_is_near_and_not_behind_a_proxy(
    peer: str | None, headers: dict[str, str], verdict: str
) -> None:
    assert may_read(allowing(metrics="local", metrics_token=None), peer, headers) == verdict


@pytest.mark.parametrize(
    "headers,verdict",
    [
        (BEARER, "yes"),
        (BEARER | BY_PROXY, "yes"),
        ({"authorization": f"bearer  {TOKEN} "}, "yes"),
        ({"authorization": TOKEN}, "no"),
        ({"authorization": f"Basic {TOKEN}"}, "no"),
        ({"authorization": f"Bearer {TOKEN}x"}, "no"),
        ({"authorization": "Bearer "}, "no"),
        ({"authorization": "Bearer é"}, "no"),
        ({}, "no"),
    ],
)
def test_a_token_opens_them_from_anywhere(headers: dict[str, str], verdict: str) -> None:
    assert may_read(allowing(metrics="local", metrics_token=TOKEN), "8.8.8.8", headers) == verdict


def test_open_is_for_everybody_and_off_for_nobody() -> None:
    assert may_read(allowing(metrics="open"), "8.8.8.8", BY_PROXY) == "yes"
    assert may_read(allowing(metrics="off", metrics_token=TOKEN), "127.0.0.1", BEARER) == "off"


def test_over_http_it_is_text_for_those_and_a_problem_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()

    near, far = client.get("/metrics", HTTP_HOST="another.name"), client.get("/metrics", REMOTE_ADDR="8.8.8.8")
    posted = client.post("/metrics")
    monkeypatch.setattr(settings, "REPLI", allowing(metrics="off"))
    off = client.get("/metrics")

    assert near.status_code == 200
    assert near.headers["Content-Type"].startswith("text/plain; version=")
    assert near.headers["Cache-Control"] == "no-store"
    assert b"repli_source_up" in near.content
    assert [(answer.status_code, json.loads(answer.content)["code"]) for answer in (far, posted, off)] == [
        (403, "forbidden"),
        (405, "method-not-allowed"),
        (404, "not-found"),
    ]


def test_the_workers_own_server_asks_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    port = ports.free()
    server = exposition.serve("127.0.0.1", port)
    assert server is not None

    def status(path: str, **headers: str) -> int:
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                assert b"repli_tasks_total" in answer.read()
                return int(answer.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    try:
        assert exposition.serve("127.0.0.1", port) is None  # a second one says so in the log and goes without
        found = [status("/metrics"), status("/metrics", **{"X-Forwarded-For": "8.8.8.8"}), status("/other")]
        monkeypatch.setattr(settings, "REPLI", allowing(metrics="off"))
        found.append(status("/metrics"))
    finally:
        server.shutdown()
        server.server_close()
    assert found == [200, 403, 404, 404]


def test_figures_are_no_part_of_the_api() -> None:
    document = json.loads((ROOT / "config" / "schemas" / "openapi.json").read_text("utf-8"))

    assert [path for path in document["paths"] if "metrics" in path] == []
