"""Events as one viewer saw them, still as events: what it did not see is a question mark, so that words can be made.

Must not: decide what a viewer sees. That is each ruleset's `redact` alone; whatever it leaves out is masked here.
"""

from __future__ import annotations

from typing import Any

import msgspec

from games.rules.lifecycle import Event
from games.rules.play import seen
from games.rules.retelling import Made
from games.rules.seats import Seat
from games.rules.table import advance

UNKNOWN = "?"
_ABSENT = object()


def events(made: Made, seat: Seat | None) -> list[Event]:
    """The events of one append as `seat`, or a spectator, saw them."""
    table, shown = made.before, []
    for record in made.records:
        shown.append(_masked(record.event, seen(table, record.event, seat)))
        table = advance(table, [record])
    return shown


def _masked(value: Any, told: Any) -> Any:
    """`value` with all that is not in `told`, its JSON form as it was sent, masked; counts become as many masks."""
    if isinstance(value, msgspec.Struct):
        members = told if isinstance(told, dict) else {}
        fields = msgspec.structs.fields(value)
        return type(value)(
            **{each.name: _masked(getattr(value, each.name), members.get(each.encode_name, _ABSENT)) for each in fields}
        )
    if isinstance(value, dict):
        members = told if isinstance(told, dict) else {}
        return {key: _masked(member, members.get(str(key), _ABSENT)) for key, member in value.items()}
    if isinstance(value, tuple | list):
        items = told if isinstance(told, list) else [_ABSENT] * len(value)
        return type(value)(_masked(member, item) for member, item in zip(value, items, strict=True))
    if told is _ABSENT:
        return UNKNOWN if isinstance(value, str) else None
    return value
