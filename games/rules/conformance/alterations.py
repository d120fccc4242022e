"""Replays with one meaningful value altered at random: what a proof must find, each time, at its place.

Left alone is only what follows from nothing in a game: names that players show, presence, the server's clock, for
whom the document was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from games.rules.cards import JOKER, pack
from games.rules.moments import rfc3339
from games.rules.stream import Stream

FREE = {"server_time", "display_name", "connected", "code", "me"}
PARTS = ("events", "events", "events", "fairness", "game", "chain")  # events most often
_CARDS = (*pack(), JOKER)
_HEX = re.compile(r"[0-9a-f-]{12,}")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")

Path = tuple[str | int, ...]


class Alteration(NamedTuple):
    """An altered replay. `seq`: the version of the event that was touched first, None beside the events."""

    replay: dict[str, Any]
    what: str
    seq: int | None


def altered(replay: dict[str, Any], noise: Stream) -> Alteration:
    """The replay with one value changed, or two neighbouring events exchanged, or one left out."""
    copy = deepcopy(replay)
    kind = noise.below(10)
    if kind == 0:
        return _exchanged(copy, noise)
    if kind == 1:
        return _left_out(copy, noise)
    part = PARTS[noise.below(len(PARTS))]
    path = _one(list(_leaves(replay[part], (part,))), noise)
    owner: Any = copy
    for step in path[:-1]:
        owner = owner[step]
    before = owner[path[-1]]
    owner[path[-1]] = _another(before, noise)
    seq = int(path[1]) + 1 if part in {"events", "chain"} else None
    return Alteration(copy, f"{'.'.join(map(str, path))}: {before!r} → {owner[path[-1]]!r}", seq)


def _one(paths: list[Path], noise: Stream) -> Path:
    return paths[noise.below(len(paths))]


def _leaves(value: Any, path: Path) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, member in value.items():
            if key not in FREE:
                yield from _leaves(member, (*path, key))
    elif isinstance(value, list):
        for place, member in enumerate(value):
            yield from _leaves(member, (*path, place))
    else:
        yield path


def _another(value: Any, noise: Stream) -> Any:
    """Another value of the same kind."""
    match value:
        case None:
            return noise.below(4)
        case bool():
            return not value
        case int():
            return value + (1 + noise.below(3)) * (1 if noise.below(2) else -1)
        case str() if value in _CARDS:
            return _CARDS[(_CARDS.index(value) + 1 + noise.below(len(_CARDS) - 1)) % len(_CARDS)]
        case str() if _INSTANT.fullmatch(value):
            shift = timedelta(milliseconds=1 + noise.below(5000))
            return rfc3339(datetime.fromisoformat(value) + (shift if noise.below(2) else -shift))
        case str() if _HEX.fullmatch(value):
            return _other_digit(value, noise)
        case _:
            return f"{value}x"


def _other_digit(value: str, noise: Stream) -> str:
    places = [place for place, digit in enumerate(value) if digit != "-"]
    place = places[noise.below(len(places))]
    digit = f"{(int(value[place], 16) + 1 + noise.below(15)) % 16:x}"
    return value[:place] + digit + value[place + 1 :]


def _exchanged(replay: dict[str, Any], noise: Stream) -> Alteration:
    """Two neighbouring events in the other order, numbered as if nothing had happened."""
    events = replay["events"]
    place = noise.below(len(events) - 1)
    events[place], events[place + 1] = events[place + 1] | {"seq": place + 1}, events[place] | {"seq": place + 2}
    return Alteration(replay, f"events {place + 1} and {place + 2} exchanged", place + 1)


def _left_out(replay: dict[str, Any], noise: Stream) -> Alteration:
    """One event less, the later ones numbered without a hole."""
    place = noise.below(len(replay["events"]))
    kept = [event for event in replay["events"] if event["seq"] != place + 1]
    replay["events"] = [event | {"seq": seq} for seq, event in enumerate(kept, start=1)]
    return Alteration(replay, f"event {place + 1} left out", place + 1)
