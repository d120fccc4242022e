"""Old stored shapes become today's when they are read; stored bytes never change, and the chain is verified over them.

When an event's shape changes: raise its class's `schema`, and register here what turns the former shape's data into
the next. `rules` is the ruleset's key, or "" for lifecycle events. Steps run one after the other, so that each is
written once and never touched again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Data = dict[str, Any]
Upcaster = Callable[[Data], Data]

_steps: dict[tuple[str, str, int], Upcaster] = {}


def upcaster(rules: str, kind: str, schema: int) -> Callable[[Upcaster], Upcaster]:
    """Register the step from `schema` to `schema + 1` of an event."""

    def registered(step: Upcaster) -> Upcaster:
        assert (rules, kind, schema) not in _steps, "an old shape has one reading"
        _steps[rules, kind, schema] = step
        return step

    return registered


def upcast(rules: str, kind: str, schema: int, wanted: int, data: Data) -> Data:
    """Stored data in today's shape. Raises LookupError where a step is missing or the code is older than the row."""
    if schema > wanted:
        raise LookupError(f"{kind} was written with schema {schema} by a newer version of this service")
    for step in range(schema, wanted):
        found = _steps.get((rules, kind, step))
        if found is None:
            raise LookupError(f"nothing reads schema {step} of {rules or 'lifecycle'} {kind}")
        data = found(data)
    return data
