"""The rulesets, as players are told of them."""

from __future__ import annotations

import jsonschema
import pytest

from games.rules.registry import listed
from tests.api.client import Visitor


def test_every_ruleset_is_listed_without_a_token() -> None:
    rulesets = Visitor().get("rulesets/").ok()

    assert [one["key"] for one in rulesets] == [rules.key for rules in listed()]
    for one, rules in zip(rulesets, listed(), strict=True):
        assert one["seats"] == {"min": rules.min_seats, "max": rules.max_seats}
        assert one["title"]
        assert one["summary"]
        assert "rules" not in one


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_option_is_explained_in_the_asked_language(language: str) -> None:
    for one, rules in zip(Visitor(language).get("rulesets/").ok(), listed(), strict=True):
        explained = rules.texts[language].options  # type: ignore[index]
        jsonschema.Draft202012Validator.check_schema(one["options"])
        for name, member in one["options"]["properties"].items():
            assert member["description"] == explained[name]


def test_options_are_a_schema_that_accepts_the_defaults_and_refuses_unknown_ones() -> None:
    schema = Visitor().get("rulesets/gg/").ok()["options"]

    jsonschema.validate({}, schema)
    jsonschema.validate({name: member["default"] for name, member in schema["properties"].items()}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"lifes": 3}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"lives": 99}, schema)


def test_a_ruleset_has_its_rules_as_text_in_the_asked_language() -> None:
    english, french = (Visitor(language).get("rulesets/gg/") for language in ("en", "fr"))

    assert english.headers["Content-Language"] == "en"
    assert french.headers["Content-Language"] == "fr"
    assert english.ok()["rules"].startswith("#")
    assert english.ok()["rules"] != french.ok()["rules"]
    assert french.ok()["summary"] != english.ok()["summary"]


def test_only_rulesets_that_have_teams_or_atouts_say_so() -> None:
    rulesets = {one["key"]: one for one in Visitor().get("rulesets/").ok()}

    assert [key for key, one in rulesets.items() if one["teams"]] == ["vingtsept"]
    assert [key for key, one in rulesets.items() if "atouts" in one] == ["vingtsept"]
    assert len(rulesets["vingtsept"]["atouts"]) == 17
    assert {"key": "gel", "title": "Freeze"}.items() <= rulesets["vingtsept"]["atouts"][9].items()


def test_an_unknown_ruleset_is_not_found() -> None:
    assert Visitor().get("rulesets/poker/").code == "not-found"
    assert Visitor().get("rulesets/?page=2").code == "validation"
