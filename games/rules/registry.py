"""The rulesets that this service knows: one line each, in the order in which they are listed to players."""

from __future__ import annotations

from typing import Any

from games.rules.barbu import Barbu
from games.rules.gg import GG
from games.rules.plie import Plie
from games.rules.ruleset import Ruleset
from games.rules.vingtsept import Vingtsept

AnyRuleset = Ruleset[Any, Any, Any, Any]

RULESETS: tuple[AnyRuleset, ...] = (GG(), Plie(), Barbu(), Vingtsept())

_listed: dict[str, AnyRuleset] = {rules.key: rules for rules in RULESETS}
_extra: dict[str, AnyRuleset] = {}


def ruleset(key: str) -> AnyRuleset:
    """The ruleset of that key. Raises KeyError."""
    return _listed.get(key) or _extra[key]


def register(extra: AnyRuleset) -> None:
    """Make a ruleset playable without listing it to players: for tests and trials of a new one."""
    _extra[extra.key] = extra


def listed() -> tuple[AnyRuleset, ...]:
    """Those that players are shown."""
    return RULESETS
