"""What people are told of the rulesets: titles, seats, options with their explanations, rules pages.

Everything comes from the rulesets themselves; a new one appears here without a change.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from games.rules.errors import Invalid
from games.rules.registry import AnyRuleset, listed, ruleset
from games.rules.ruleset import Language
from games.services.documents import Document


class SeatRange(Document, frozen=True, kw_only=True):
    min: int
    max: int


class RulesetDocument(Document, frozen=True, kw_only=True):
    """A ruleset in one language. `options` is a JSON Schema; `teams`: it can be played in teams."""

    key: str
    title: str
    summary: str
    seats: SeatRange
    teams: bool
    options: dict[str, Any]
    atouts: list[dict[str, Any]] | UnsetType = UNSET


class RulesetDetail(RulesetDocument, frozen=True, kw_only=True):
    """The same with the rules as Markdown."""

    rules: str


def every(language: Language) -> list[RulesetDocument]:
    """All rulesets that players are shown, in the registry's order."""
    return [RulesetDocument(**_members(rules.key, language)) for rules in listed()]


def one(key: str, language: Language) -> RulesetDetail:
    """A ruleset with its rules page. Raises KeyError."""
    for rules in listed():
        if rules.key == key:
            return RulesetDetail(**_members(rules.key, language), rules=rules.texts[language].rules)
    raise KeyError(key)


@cache
def _members(key: str, language: Language) -> dict[str, Any]:
    rules = ruleset(key)
    text = rules.texts[language]
    atouts = getattr(rules, "atouts", None)  # only rulesets with special cards have them
    return {
        "key": rules.key,
        "title": text.title,
        "summary": text.summary,
        "seats": SeatRange(min=rules.min_seats, max=rules.max_seats),
        "teams": _has_teams(rules),
        "options": options_schema(rules, language),
        "atouts": list(msgspec.to_builtins(atouts[language])) if atouts else UNSET,
    }


def options_schema(rules: AnyRuleset, language: Language) -> dict[str, Any]:
    """The options as a JSON Schema of its own, each explained in that language."""
    schema: dict[str, Any] = msgspec.json.schema(rules.options_type)
    definitions = schema["$defs"]
    own = definitions.pop(schema["$ref"].rsplit("/", 1)[1])
    explained = rules.texts[language].options
    properties = {
        name: {**member, "description": explained[name]} if name in explained else member
        for name, member in own["properties"].items()
    }
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **own,
        "title": rules.texts[language].title,
        "properties": properties,
    }
    described.pop("description", None)  # written for us, in English
    return {**described, "$defs": definitions} if definitions else described


def _has_teams(rules: AnyRuleset) -> bool:
    """Whether some table of it can be played in teams."""
    for seats in range(rules.min_seats, rules.max_seats + 1):
        for given in ({}, {"teams": True}):
            try:
                options = rules.complete_options(given, seats, "casual")
            except Invalid:
                continue
            if rules.team_of(options, 0) is not None:
                return True
    return False
