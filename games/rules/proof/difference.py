"""The first thing in a replay that is not as it must be: where it stands, what was expected, what is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec

Problem = Literal[
    "unreadable",  # not of the shape that it must have
    "order",  # the place in the stream is not the one that it says
    "time",  # earlier than what came before, or not at the time of its move
    "seed",  # not the seed that was committed to
    "differs",  # the rules, the seed and what came before give something else
    "missing",  # something should follow, and nothing does
    "surplus",  # something follows although the game is over
    "illegal",  # against the rules; `expected` is the code of the refusal
    "chain",  # the link of the chain is another one
    "receipt",  # a receipt that was kept does not fit
    "source",  # the game that this one was branched from is wanting
]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """`seq` is the event's version, None beside the events; `path` leads to the value (`events[3].data.hands.0[2]`).

    `since`: where only a stretch can be named, its first version; the last is `seq`.
    """

    problem: Problem
    path: str
    seq: int | None = None
    since: int | None = None
    expected: Any = None
    found: Any = None


class Differs(Exception):
    """Ends a proof."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.path)
        self.difference = difference


ABSENT = "nothing"


class Spot(NamedTuple):
    path: str
    expected: Any
    found: Any


def event_path(seq: int) -> str:
    """Where the event of that version stands in a replay: `events[0]` has version 1."""
    return f"events[{seq - 1}]"


def differs(problem: Problem, seq: int, expected: Any = None, found: Any = None, member: str = "") -> Differs:
    """A difference at an event, or at a member of it."""
    path = f"{event_path(seq)}.{member}" if member else event_path(seq)
    return Differs(Difference(problem=problem, path=path, seq=seq, expected=expected, found=found))


def first_spot(expected: Any, found: Any, path: str) -> Spot | None:
    """The first place at which two JSON values are not the same, types included; None if they are equal."""
    return next(_spots(expected, found, path), None)


def _spots(expected: Any, found: Any, path: str) -> Iterator[Spot]:
    if type(expected) is not type(found):
        yield Spot(path, expected, found)
    elif isinstance(expected, dict):
        for key in [*expected, *(key for key in found if key not in expected)]:
            yield from _spots(expected.get(key, ABSENT), found.get(key, ABSENT), f"{path}.{key}")
    elif isinstance(expected, list):
        for place in range(max(len(expected), len(found))):
            yield from _spots(_at(expected, place), _at(found, place), f"{path}[{place}]")
    elif expected != found:
        yield Spot(path, expected, found)


def _at(values: list[Any], place: int) -> Any:
    return values[place] if place < len(values) else ABSENT
