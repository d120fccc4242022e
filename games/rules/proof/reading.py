"""A replay's events as they are told, and their reading as typed events. Nothing of their content is believed here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from games.rules import lifecycle as life
from games.rules.lifecycle import Event
from games.rules.moments import rfc3339
from games.rules.proof.difference import Difference, Differs, differs, first_spot
from games.rules.table import Recorded, event_types

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
MEMBERS = {"seq", "type", "at", "data"}


class Told(NamedTuple):
    """An event as a replay tells it; `data` holds JSON values."""

    seq: int
    type: str
    at: datetime
    data: dict[str, Any]


def told(events: object) -> list[Told]:
    """A replay's list of events: versions from 1 without holes. Raises Differs at the first that is malformed."""
    if not isinstance(events, list):
        raise Differs(Difference(problem="unreadable", path="events"))
    return [_told(place, event) for place, event in enumerate(events, start=1)]


def _told(place: int, event: object) -> Told:
    if not isinstance(event, dict) or not event.keys() >= MEMBERS:
        raise differs("unreadable", place, expected=sorted(MEMBERS), found=event)
    if type(event["seq"]) is not int or event["seq"] != place:
        raise differs("order", place, expected=place, found=event["seq"], member="seq")
    if not isinstance(event["type"], str):
        raise differs("unreadable", place, found=event["type"], member="type")
    if not isinstance(event["data"], dict):
        raise differs("unreadable", place, found=event["data"], member="data")
    return Told(place, event["type"], _instant(place, event["at"]), event["data"])


def _instant(place: int, text: object) -> datetime:
    if isinstance(text, str) and _INSTANT.fullmatch(text):
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            pass
    raise differs("unreadable", place, found=text, member="at")


def retold(records: Iterable[Recorded]) -> list[Told]:
    """Stored events as a replay tells them."""
    return [Told(record.version, record.event.type, record.at, life.plain(record.event)) for record in records]


def typed(rules: str, event: Told) -> Event:
    """The event in its type. Raises Differs where it has another shape."""
    types = event_types(rules) if rules else life.LIFECYCLE
    if event.type not in types:
        raise differs("unreadable", event.seq, expected=sorted(types), found=event.type, member="type")
    try:
        read: Event = _decoder(types[event.type]).decode(msgspec.json.encode(event.data))
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise differs("unreadable", event.seq, expected=str(error), found=event.data, member="data") from None
    same(life.plain(read), event)
    return read


@lru_cache(maxsize=256)
def _decoder(kind: type[Event]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def same(expected: dict[str, Any], event: Told) -> None:
    """Raises Differs unless the event's data is exactly this."""
    if expected == event.data and msgspec.json.encode(expected, order="sorted") == _bytes(event):
        return
    spot = first_spot(expected, event.data, "data")
    member, wanted, there = spot or ("data", expected, event.data)
    raise differs("differs", event.seq, wanted, there, member)


def _bytes(event: Told) -> bytes | None:
    try:
        return msgspec.json.encode(event.data, order="sorted")
    except UnicodeEncodeError:
        return None


def told_at(event: Told) -> str:
    return rfc3339(event.at)
