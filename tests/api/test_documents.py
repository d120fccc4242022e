"""The documents that describe the API, and the page to read them."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import openapi_spec_validator
import pytest
import yaml
from django.core.management import call_command
from django.test import Client

from config.wire.problems import STATUS
from games.rules.registry import listed
from tests.api.client import SHORT, Player, Visitor, played_with_bots, plays_on, table


@pytest.fixture(scope="module")
def openapi() -> Any:
    return Visitor().get("schema/").ok()


@pytest.fixture(scope="module")
def asyncapi() -> Any:
    return Visitor().get("asyncapi/").ok()


def references(document: Any) -> list[str]:
    """Every $ref in a document."""
    if isinstance(document, dict):
        own = [document["$ref"]] if isinstance(document.get("$ref"), str) else []
        return [*own, *(found for value in document.values() for found in references(value))]
    return [found for value in document for found in references(value)] if isinstance(document, list) else []


def resolves(document: Any, reference: str) -> bool:
    """Whether a local reference leads somewhere."""
    place = document
    for step in reference.removeprefix("#/").split("/"):
        place = place.get(step.replace("~1", "/")) if isinstance(place, dict) else None
    return place is not None


def test_the_openapi_document_is_valid(openapi: Any) -> None:
    assert openapi["openapi"].startswith("3.1")
    openapi_spec_validator.validate(openapi)
    assert all(resolves(openapi, reference) for reference in references(openapi))


def test_it_comes_as_yaml_for_those_who_prefer_that(openapi: Any) -> None:
    for wanted in ("application/yaml", "application/vnd.oai.openapi"):
        reply = Visitor().get("schema/", Accept=wanted)
        assert reply.headers["Content-Type"].startswith(wanted)
        assert yaml.safe_load(reply.content) == openapi


def test_the_generator_has_nothing_to_complain_about(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", "/dev/null")

    assert "Warning" not in capsys.readouterr().err


def test_the_committed_documents_fit_the_code() -> None:
    call_command("schema", "--check")


def test_every_path_of_the_contract_is_described(openapi: Any) -> None:
    wanted = {
        "rulesets/": {"get"}, "rulesets/{key}/": {"get"}, "games/": {"get", "post"}, "games/join/": {"post"},
        "games/{game_id}/": {"get", "patch"}, "games/{game_id}/seats/": {"post"},
        "games/{game_id}/seats/mine/": {"put", "delete"}, "games/{game_id}/seats/{seat}/": {"delete"},
        "games/{game_id}/seats/{seat}/bot/": {"put", "delete"}, "games/{game_id}/start/": {"post"},
        "games/{game_id}/moves/": {"post"}, "games/{game_id}/resume/": {"post"}, "games/{game_id}/events/": {"get"},
        "games/{game_id}/state/": {"get"}, "games/{game_id}/replay/": {"get"}, "games/{game_id}/fairness/": {"get"},
        "games/{game_id}/branch/": {"post"}, "games/{game_id}/rematch/": {"post"},
    }  # fmt: skip

    for path, methods in wanted.items():
        assert openapi["paths"][f"/api/v1/{path}"].keys() >= methods


def test_every_operation_describes_its_refusals_as_problems(openapi: Any) -> None:
    operations = [one for path in openapi["paths"].values() for one in path.values()]

    assert len({one["operationId"] for one in operations}) == len(operations)
    for operation in operations:
        assert "default" in operation["responses"]
        for status, response in operation["responses"].items():
            if status.startswith(("4", "5")):
                assert list(response["content"]) == ["application/problem+json"]
    move = openapi["paths"]["/api/v1/games/{game_id}/moves/"]["post"]["responses"]
    for code in ("validation", "unauthenticated", "forbidden", "not-found", "game-state", "stale-version"):
        assert f"`{code}`" in move[str(STATUS[code])]["description"]
    assert set(openapi["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]) == set(STATUS)


@pytest.mark.parametrize("key", [rules.key for rules in listed()])
def test_what_a_game_shows_fits_the_document(openapi: Any, key: str) -> None:
    validator = validator_of(openapi, "GameDocument")
    game, players = table(rules=key, options=SHORT.get(key, {}), others=ruleset_seats(key) - 1)
    schemas = openapi["components"]["schemas"]

    for viewer in (*players, Player()):
        validator.validate(viewer.sees(game))
    own = validator_of(openapi, f"{key.capitalize()}{schemas[view_of(openapi, key)]['title'].rpartition(': ')[2]}")
    own.validate(players[0].sees(game)["state"])
    options = validator_of(openapi, f"{key.capitalize()}Options")
    options.validate(game["options"])
    actions = {"$ref": "#/components/schemas/Action", "components": openapi["components"]}
    for action in players[0].sees(game)["legal_actions"]:
        jsonschema.Draft202012Validator(actions).validate(action)


def ruleset_seats(key: str) -> int:
    return next(rules.min_seats for rules in listed() if rules.key == key)


def view_of(openapi: Any, key: str) -> str:
    """The component's name of the ruleset's view, one of those that `State` lists."""
    names: list[str] = [
        member["$ref"].rpartition("/")[2] for member in openapi["components"]["schemas"]["State"]["anyOf"][:-1]
    ]
    return next(name for name in names if name.startswith(key.capitalize()))


def validator_of(openapi: Any, component: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(
        {"$ref": f"#/components/schemas/{component}", "components": openapi["components"]}
    )


def test_a_finished_game_and_its_replay_fit_the_document(openapi: Any) -> None:
    game, (host,) = played_with_bots("gg")
    where = f"games/{game['id']}"

    validator_of(openapi, "GameDocument").validate(game)
    validator_of(openapi, "ReplayDocument").validate(host.get(f"{where}/replay/").ok())
    validator_of(openapi, "FairnessDocument").validate(host.get(f"{where}/fairness/").ok())
    validator_of(openapi, "StateDocument").validate(host.get(f"{where}/state/?at=9").ok())
    validator_of(openapi, "EventDocumentPage").validate(host.get(f"{where}/events/").ok())


def test_a_problem_fits_the_document(openapi: Any) -> None:
    game, (host, _) = table()
    validator = validator_of(openapi, "Problem")

    for reply in (
        host.moves(game, {"type": "draw"}),
        host.moves(game, 7),
        host.moves(game, {"type": "draw"}, expected_version=1),
        Visitor().get("games/"),
        host.get("games/nonsense/"),
    ):
        assert reply.code
        validator.validate(reply.json)


# --- AsyncAPI -----------------------------------------------------------------------------------------------------


def test_the_asyncapi_document_describes_every_message_of_the_contract(asyncapi: Any) -> None:
    assert asyncapi["asyncapi"].startswith("3.")
    assert all(resolves(asyncapi, reference) for reference in references(asyncapi))
    channels = asyncapi["channels"]
    assert {channel["address"] for channel in channels.values()} == {
        "/ws/v1/games/{game_id}/",
        "/ws/v1/me/",
        "/ws/v1/lobby/",
    }
    names = {
        name: {asyncapi["components"]["messages"][message]["name"] for message in channel["messages"]}
        for name, channel in channels.items()
    }
    assert names["game"] == {
        "move", "resume", "ping", "sync", "welcome", "events", "ack", "error", "presence", "pong",
    }  # fmt: skip
    assert names["me"] >= {"notice", "ping", "pong"}
    assert names["lobby"] >= {"table", "ping", "pong"}
    for code in (4400, 4401, 4403, 4404, 4409, 4429, 1001):
        assert f"| {code} |" in asyncapi["info"]["description"]


def test_every_operation_of_a_socket_uses_its_own_channels_messages(asyncapi: Any) -> None:
    assert {one["action"] for one in asyncapi["operations"].values()} == {"send", "receive"}
    for operation in asyncapi["operations"].values():
        for message in operation["messages"]:
            assert message["$ref"].startswith(f"{operation['channel']['$ref']}/messages/")


def test_messages_are_typed_down_to_the_rulesets(asyncapi: Any) -> None:
    schemas = asyncapi["components"]["schemas"]

    assert schemas["Move"]["properties"]["action"]["$ref"].endswith("/Action")
    assert schemas["GameDocument"]["properties"]["state"]["$ref"].endswith("/State")
    jsonschema.Draft202012Validator.check_schema(schemas["Welcome"])
    move = jsonschema.Draft202012Validator({"$ref": "#/components/schemas/Move", "components": asyncapi["components"]})
    move.validate({"type": "move", "command_id": "c1", "action": {"type": "bid", "tricks": 1}})
    with pytest.raises(jsonschema.ValidationError):
        move.validate({"type": "move", "command_id": "c1", "action": {"type": "fly"}})


# --- the page -------------------------------------------------------------------------------------------------------


def test_the_docs_page_works_offline_and_under_our_policy() -> None:
    page = Client().get("/api/v1/docs/")
    text = page.content.decode()
    policy = page.headers["Content-Security-Policy"]

    assert page.status_code == 200
    assert "'unsafe-inline'" not in policy
    assert "'unsafe-eval'" not in policy
    assert "<style" not in text
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    parts = re.findall(r'(?:src|href)="([^"]+)"', text)
    assert len(parts) >= 4
    for part in parts:
        assert part.startswith("/"), part
        found = Client().get(part.replace("&amp;", "&"))
        assert found.status_code == 200, part
        found.close()
    (script,) = [part for part in parts if "script" in part and part.startswith("/api/")]
    answer = Client().get(script)
    assert answer.headers["Content-Type"].startswith("application/javascript")
    assert "/api/v1/schema/" in answer.content.decode()


def test_a_played_game_can_be_read_without_knowing_its_ruleset() -> None:
    game, players = table(rules="gg", options=SHORT["gg"])

    assert plays_on(game, players)["status"] == "finished"
