"""Each ruleset's options, actions and views as JSON Schema, for the OpenAPI and AsyncAPI documents.

Invariant: everything is read off the rulesets' own types, so a new ruleset is described without a change here.
Names are `{Ruleset}{Type}`, and the unions `Options`, `Action` and `State` stand for what any ruleset may have.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from games.rules.registry import AnyRuleset, listed

REF = "#/components/schemas/"
UNIONS = {"Options": "options_type", "Action": "action_type", "State": "view_type"}
BEFORE_THE_START = {"type": "object", "maxProperties": 0, "description": "before the start there is no state"}

# Where documents hold what belongs to a ruleset: component, member, union, and whether it is a list of them.
PLACES = (
    ("GameDocument", "options", "Options", False),
    ("GameDocument", "state", "State", False),
    ("GameDocument", "legal_actions", "Action", True),
    ("StateDocument", "state", "State", False),
    ("NewGame", "options", "Options", False),
    ("ChangeOptions", "options", "Options", False),
    ("MakeMove", "action", "Action", False),
    ("Move", "action", "Action", False),
    ("Events", "legal_actions", "Action", True),
)


def of_rulesets() -> dict[str, dict[str, Any]]:
    """All components that come from rulesets, the unions included."""
    found: dict[str, dict[str, Any]] = {}
    unions: dict[str, list[dict[str, Any]]] = {name: [] for name in UNIONS}
    for rules in listed():
        components, own = _of(rules)
        found |= components
        for name, references in own.items():
            unions[name] += references
    unions["State"].append(BEFORE_THE_START)
    return found | {name: {"anyOf": members} for name, members in unions.items()}


def of_structs(*kinds: type[msgspec.Struct]) -> dict[str, Any]:
    """The components of these structs and of all that they name."""
    return msgspec.json.schema_components(kinds, ref_template=f"{REF}{{name}}")[1]


def _of(rules: AnyRuleset) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """One ruleset's components, and by union its own members there."""
    prefix = rules.key.capitalize()
    roots = {
        "Options": [rules.options_type],
        "Action": list(get_args(rules.action_type)) or [rules.action_type],
        "State": [rules.view_type],
    }
    kinds = [kind for members in roots.values() for kind in members]
    references, components = msgspec.json.schema_components(kinds, ref_template=f"{REF}{prefix}{{name}}")
    named = {f"{prefix}{name}": _titled(schema, rules) for name, schema in components.items()}
    left = iter(references)
    return named, {name: [next(left) for _ in members] for name, members in roots.items()}


def _titled(schema: dict[str, Any], rules: AnyRuleset) -> dict[str, Any]:
    return {**schema, "title": f"{rules.texts['en'].title}: {schema['title']}"} if "title" in schema else schema


def place_unions(schemas: dict[str, Any]) -> None:
    """Let the documents' open members point to the unions. Replaces components, since others may share them."""
    for component, member, union, many in PLACES:
        schema = schemas.get(component, {})
        properties = schema.get("properties", {})
        if member in properties:
            pointing = _pointing(properties[member], union, many=many)
            schemas[component] = {**schema, "properties": {**properties, member: pointing}}


def _pointing(member: dict[str, Any], union: str, *, many: bool) -> dict[str, Any]:
    reference = {"$ref": f"{REF}{union}"}
    kept: dict[str, Any] = {name: member[name] for name in ("description", "default") if name in member}
    if not many:
        return {**kept, **reference}
    items = {"type": "array", "items": reference}
    nullable = {"type": "null"} in member.get("anyOf", ())
    return {**kept, "anyOf": [items, {"type": "null"}]} if nullable else {**kept, **items}
