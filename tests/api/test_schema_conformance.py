"""Generated requests: whatever is sent, nothing breaks, and every answer is as the OpenAPI document describes it."""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from games.api.documents import openapi
from tests.api.client import SHORT, Player, plays_on, table

EXAMPLES = 15  # per operation and mode

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
SCHEMA = schemathesis.openapi.from_dict(openapi()).include(path_regex=r"^/api/v1/(games|rulesets)/")
SCHEMA.app = get_wsgi_application()
OPERATIONS = {found.ok().label: found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok)}

bounded = settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)


@cache
def scene() -> tuple[Player, list[str]]:
    """A player, and games in every state that may be asked about."""
    running, players = table(rules="gg")
    over, veterans = table(rules="gg", options=SHORT["gg"])
    plays_on(over, veterans)
    waiting, private = players[0].opens("gg"), Player().opens("gg", visibility="private")
    return players[0], [game["id"] for game in (running, over, waiting, private)]


def modes() -> list[tuple[str, schemathesis.GenerationMode]]:
    """Every operation with requests as described, and with others where there is a way to be otherwise."""
    positive, negative = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
    return [
        (label, mode)
        for label in OPERATIONS
        for mode in (positive, negative)
        if "rulesets" not in label or (mode is positive)
    ]


@pytest.mark.parametrize("label, mode", modes())
def test_every_answer_is_as_described(label: str, mode: schemathesis.GenerationMode) -> None:
    player, games = scene()
    numbers = count()

    @bounded
    @given(case=OPERATIONS[label].as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case[Any]) -> None:
        number = next(numbers)
        if "game_id" in (case.path_parameters or {}) and number % 5 < 4:  # mostly games that there are
            case.path_parameters["game_id"] = games[number % 5]
        if label == "GET /api/v1/games/":  # rulesets that are not listed are not described
            case.query = {**(case.query or {}), "rules": "gg"}
        case.call_and_validate(headers=player.headers, checks=CHECKS)

    ask()
    assert next(numbers) > 1
