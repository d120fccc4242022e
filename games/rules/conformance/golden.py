"""Golden playthroughs: whole games as text that a person can check, one per ruleset and option value.

They are compared by the tests; a change that alters them on purpose writes them anew with
`manage.py simulate --golden tests/golden` and shows in the review what it has altered.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from games.rules.conformance.coverage import option_schemas
from games.rules.conformance.playthrough import Case, Playthrough, played
from games.rules.errors import Invalid
from games.rules.lifecycle import Event, plain
from games.rules.registry import AnyRuleset

CANDIDATES = 8  # games looked at for the one that shows most in least space


def golden_cases(rules: AnyRuleset) -> dict[str, Case]:
    """By file name: one game with the defaults, one per further value of each option that is a choice.

    Of an option that is a list each value has a game of its own; of one with members, some others than the usual.
    """
    cases = {"default": _plain_case(rules, {})}
    defaults = plain(_completed(rules, cases["default"]))
    for name, schema in option_schemas(rules).items():
        if "properties" in schema:
            cases[name] = _sampled_case(rules, name, "unusual", partial(operator.ne, defaults[name]))
        for value in _choices(schema):
            if "items" in schema or defaults[name] != value:
                cases[f"{name}-{str(value).lower()}"] = _case_with(rules, name, value, is_list="items" in schema)
    return {name: _most_telling(case) for name, case in cases.items()}


def _choices(schema: dict[str, Any]) -> list[Any]:
    """The values of an option that is a choice: a flag, one of some words or numbers, a list of such."""
    if "items" in schema:
        return _choices(schema["items"])
    if schema.get("type") == "boolean":
        return [False, True]
    values = list(schema.get("enum", []))
    return values + [value for kind in schema.get("anyOf", []) for value in _choices(kind)]


def _completed(rules: AnyRuleset, case: Case) -> Any:
    assert case.seats is not None
    return rules.complete_options(case.options, case.seats[0], "casual")


def _plain_case(rules: AnyRuleset, options: dict[str, Any]) -> Case:
    """These options and no others, with three seats or the number nearest to it that is allowed."""
    refused = Invalid("seats", "range")
    for seats in sorted(range(rules.min_seats, rules.max_seats + 1), key=lambda seats: abs(seats - 3)):
        case = Case(rules, seats=range(seats, seats + 1), options=options, sampled=False, takeovers=False)
        try:
            _completed(rules, case)
        except Invalid as refusal:
            refused = refusal
        else:
            return case
    raise refused


def _case_with(rules: AnyRuleset, name: str, value: Any, *, is_list: bool) -> Case:
    """A game with this value; where it needs others beside it, the first sample that has it.

    A ruleset may say, by option, with which others its effect shows: `shown_with`.
    """
    beside = getattr(rules, "shown_with", {}).get(name, {})
    try:
        case = _plain_case(rules, {**beside, name: [value] if is_list else value})
    except Invalid:
        return _sampled_case(rules, name, value, lambda given: value in given if is_list else bool(given == value))
    return case


def _sampled_case(rules: AnyRuleset, name: str, value: Any, wanted: Callable[[Any], bool]) -> Case:
    noise = Case(rules).noise(f"golden {name} {value}")
    while True:
        seats, given = rules.sample_options(noise)
        if wanted(plain(rules.complete_options(given, seats, "casual"))[name]):
            return Case(rules, seats=range(seats, seats + 1), options=given, sampled=False, takeovers=False)


def _most_telling(case: Case) -> Case:
    """The number whose game shows the most kinds of facts, the shortest among equals."""

    def merit(number: int) -> tuple[int, int]:
        game = played(case._replace(number=number))
        kinds = {kind for record in game.records for kind in _kinds(record.event)}
        return -len(kinds), len(game.records)

    return case._replace(number=min(range(CANDIDATES), key=merit))


def _kinds(event: Event) -> Iterator[tuple[str, str, bool]]:
    for name, value in plain(event).items():
        yield event.type, name, value is None


def golden_text(case: Case) -> str:
    """The whole game, one line per event: version, time since the beginning, what happened."""
    game = played(case)
    return "\n".join([*_heading(game), "", *_lines(game), ""])


def _heading(game: Playthrough) -> Iterator[str]:
    options = plain(game.table.options)
    yield f"rules    {game.rules.key}"
    yield f"options  {_words(options)}"
    yield f"seats    {game.table.seats}"
    yield f"game     {game.table.id}"
    yield f"seed     {game.seed.hex()}"


def _lines(game: Playthrough) -> Iterator[str]:
    begin = game.records[0].at
    for record in game.records:
        seconds = (record.at - begin).total_seconds()
        told = "  ".join(f"{name} {_words(value)}" for name, value in plain(record.event).items())
        yield f"{record.version:>4} {seconds:>9.3f}  {record.event.type.replace('_', ' ')}: {told}"


def _words(value: Any) -> str:
    """A value for people: cards side by side, seats with what belongs to them."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case dict():
            return " | ".join(f"{key}: {_member(member)}" for key, member in value.items()) or "none"
        case list() if any(isinstance(element, dict) for element in value):
            return " ".join(f"({_words(element)})" for element in value)
        case list() if any(isinstance(element, list) for element in value):
            return ", ".join(_words(element) for element in value)
        case list():
            return " ".join(_words(element) for element in value) or "none"
        case _:
            return str(value) or '""'


def _member(value: Any) -> str:
    return f"({_words(value)})" if isinstance(value, dict) else _words(value)
