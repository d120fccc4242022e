"""Generated requests: whatever is sent, nothing breaks, and every answer is as the OpenAPI document describes it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CHECKS

from tests.api.client import Player, plays_on, table

EXAMPLES = 12  # per operation

schema = schemathesis.pytest.from_fixture("described")
checks = CHECKS.get_by_names(
    ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
)


@pytest.fixture(scope="module")
def described() -> Any:
    document = schemathesis.openapi.from_wsgi("/api/v1/schema/", get_wsgi_application())
    return document.include(path_regex=r"^/api/v1/(games|rulesets)/")


@cache
def scene() -> tuple[Player, list[str]]:
    """A player, and games in every state that may be asked about."""
    running, players = table(rules="gg")
    over, veterans = table()
    plays_on(over, veterans)
    waiting, private = players[0].opens("gg"), Player().opens("gg", visibility="private")
    return players[0], [game["id"] for game in (running, over, waiting, private)]


@pytest.fixture(scope="module")
def numbers() -> Iterator[Any]:
    return iter(range(10**9))


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)
def test_every_answer_is_as_described(case: schemathesis.Case, numbers: Iterator[int]) -> None:
    player, games = scene()
    if "game_id" in (case.path_parameters or {}):
        number = next(numbers)
        if number % 5 < 4:  # mostly games that there are
            case.path_parameters["game_id"] = games[number % 5]
    case.call_and_validate(headers=player.headers, checks=checks)
