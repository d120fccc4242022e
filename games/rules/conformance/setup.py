"""Promises about what surrounds play: options, texts and schemas."""

from __future__ import annotations

from typing import Any

import msgspec

from games.rules.conformance.coverage import option_schemas
from games.rules.conformance.violation import Violation, demand
from games.rules.errors import Invalid
from games.rules.lifecycle import LIFECYCLE, plain
from games.rules.registry import AnyRuleset
from games.rules.stream import Stream

NONSENSE: tuple[Any, ...] = (None, 7, "bid", [], {}, {"type": 3}, {"type": "no-such-action"}, {"type": None})


def check_setup(rules: AnyRuleset, noise: Stream) -> None:
    """Raises Violation unless the ruleset can be listed, described and set up."""
    demand(2 <= rules.min_seats <= rules.max_seats, "a game has at least two seats")
    _check_texts(rules)
    _check_event_types(rules)
    msgspec.json.schema(rules.view_type)
    msgspec.json.schema(rules.action_type)
    for _ in range(20):
        _check_options(rules, noise)


def _check_texts(rules: AnyRuleset) -> None:
    names = set(option_schemas(rules))
    demand(set(rules.texts) == {"en", "fr"}, "texts are in English and French")
    for language, text in rules.texts.items():
        demand(text.title and text.summary and text.rules, "title, summary and rules are there", language=language)
        demand(set(text.options) == names, "every option is explained", language=language, named=set(text.options))


def _check_event_types(rules: AnyRuleset) -> None:
    for name, kind in rules.event_types.items():
        demand(kind.type == name, "events are known by their type", name=name)
        demand(name not in LIFECYCLE, "a ruleset's event is no lifecycle event", name=name)


def _check_options(rules: AnyRuleset, noise: Stream) -> None:
    """Complete options survive storing and being given again; malformed ones and malformed actions are Invalid."""
    seats, given = rules.sample_options(noise)
    demand(rules.min_seats <= seats <= rules.max_seats, "sampled seats are allowed", seats=seats)
    complete = rules.complete_options(given, seats, "casual")
    stored = plain(complete)
    demand(msgspec.convert(stored, rules.options_type) == complete, "options survive their stored form", given=given)
    again = rules.complete_options(stored, seats, "casual")
    demand(again == complete, "complete options are complete", stored=stored)
    _demand_invalid("an unknown option is refused", lambda: rules.complete_options({"nonsense": 1}, seats, "casual"))
    for name in stored:
        mistyped = {**stored, name: {"no": "value"}}
        _demand_invalid("a mistyped option is refused", lambda m=mistyped: rules.complete_options(m, seats, "casual"))
    for nonsense in NONSENSE:
        _demand_invalid("nonsense is no action", lambda n=nonsense: rules.parse_action(n, complete, seats))


def _demand_invalid(promise: str, call: Any) -> None:
    try:
        call()
    except Invalid:
        return
    raise Violation(promise)
