"""Clients of the accounts: DRF's test client, over the whole middleware, on the real database."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from rest_framework.test import APIClient

BASE = "/api/v1/accounts/"
PASSWORD = "corr3ct-horse-battery"

_hosts = itertools.count(1)


class Caller:
    """One client with its own address, so that limits of one test do not meet another's."""

    def __init__(self, token: str | None = None, language: str = "en") -> None:
        self.client = APIClient(REMOTE_ADDR=_address())
        self.headers = {"Accept-Language": language, "User-Agent": "tests/1"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def __call__(self, method: str, path: str, given: Any = None, **headers: str) -> Any:
        path = path if path.startswith("/") else BASE + path
        body = {} if given is None else {"data": _json(given), "content_type": "application/json"}
        return getattr(self.client, method.lower())(path, headers=self.headers | headers, **body)


def _json(given: Any) -> bytes:
    return given if isinstance(given, bytes) else orjson.dumps(given)


def _address() -> str:
    number = next(_hosts)
    return f"10.{secrets.randbelow(250)}.{number // 250}.{number % 250}"


def unique(prefix: str = "player") -> str:
    return f"{prefix}_{secrets.token_hex(5)}"


def signed_up(**members: Any) -> tuple[Caller, dict[str, Any]]:
    """A caller with a new full account, and the session that it got."""
    response = Caller()("POST", "register/", {"username": unique(), "password": PASSWORD} | members)
    assert response.status_code == 201, response.content
    session = response.json()
    return Caller(session["token"]), session


def guest() -> tuple[Caller, dict[str, Any]]:
    session = Caller()("POST", "guest/").json()
    return Caller(session["token"]), session


@pytest.fixture
def mails(settings: Any) -> Iterator[list[Any]]:
    """What the service mailed; tasks run where they are queued."""
    from django.core import mail

    from config.celery import app

    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    mail.outbox = []
    before = app.conf.task_always_eager
    app.conf.task_always_eager = True
    yield mail.outbox
    app.conf.task_always_eager = before
