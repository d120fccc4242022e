"""vingtsept.md, Actions: what is an action at all, whoever may send it and when."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.rules.errors import Invalid
from games.rules.vingtsept.atouts import ATOUTS
from games.rules.vingtsept.options import Options
from tests.rules.vingtsept.tables import RULES


def parse(wire: Any) -> Any:
    return RULES.parse_action(wire, Options(), 2)


def refused(wire: Any) -> tuple[str, str]:
    with pytest.raises(Invalid) as caught:
        parse(wire)
    return caught.value.field, caught.value.code


@pytest.mark.parametrize(
    "wire",
    [
        {"type": "pick", "atout": "gel"},
        {"type": "draw"},
        {"type": "place", "slot": 0},
        {"type": "place", "slot": "hidden"},
        {"type": "place", "slot": 1, "card": "9H"},
        {"type": "atout", "atout": "echange", "slot": 0, "target": 2, "target_slot": 1},
        {"type": "atout", "atout": "ajustement", "delta": -2},
        {"type": "atout", "atout": "instable"},
        {"type": "pass"},
        {"type": "give", "atout": "gel", "to": 2},
    ],
)
def test_an_action_reads_as_it_is_sent(wire: dict[str, Any]) -> None:
    assert msgspec.to_builtins(parse(wire)) == wire


def test_numbers_out_of_range_are_read_and_left_to_the_rules() -> None:
    assert parse({"type": "place", "slot": 7}).slot == 7
    assert parse({"type": "atout", "atout": "gel", "target": -1}).target == -1
    assert parse({"type": "atout", "atout": "ajustement", "delta": 100}).delta == 100


@pytest.mark.parametrize(
    "wire, field, code",
    [
        ({"type": "atout", "atout": "boomerang"}, "atout", "choice"),
        ({"type": "pick", "atout": "boomerang"}, "atout", "choice"),
        ({"type": "give", "atout": "boomerang", "to": 1}, "atout", "choice"),
        ({"type": "give", "atout": "gel"}, "to", "required"),
        ({"type": "place", "slot": "visible"}, "slot", "choice"),
        ({"type": "place", "slot": 0.5}, "slot", "type"),
        ({"type": "place", "slot": True}, "slot", "type"),
        ({"type": "place", "slot": 0, "card": None}, "card", "type"),
        ({"type": "place", "slot": 0, "card": "1C"}, "card", "choice"),
        ({"type": "place", "slot": 0, "card": "JK"}, "card", "choice"),
        ({"type": "place"}, "slot", "required"),
        ({"type": "draw", "count": 2}, "count", "unexpected"),
        ({"type": "fold"}, "type", "choice"),
        ({}, "type", "required"),
        ("draw", "", "type"),
    ],
)
def test_what_is_malformed_is_named(wire: Any, field: str, code: str) -> None:
    assert refused(wire) == (field, code)


SAMPLE: dict[str, int] = {"slot": 0, "target": 1, "target_slot": 1, "delta": 2}


@pytest.mark.parametrize("key", ATOUTS)
def test_an_atout_takes_its_own_parameters_and_no_others(key: str) -> None:
    own: dict[str, int] = {name: SAMPLE[name] for name in ATOUTS[key].parameters}
    wire: dict[str, Any] = {"type": "atout", "atout": key, **own}

    assert msgspec.to_builtins(parse(wire)) == wire
    for missing in own:
        less = {name: value for name, value in wire.items() if name != missing}
        assert refused(less) == (missing, "required")
    for other, value in SAMPLE.items():
        if other not in own:
            assert refused({**wire, other: value}) == (other, "unexpected")
