"""What a viewer was sent, channel by channel, and the comparison of two worlds.

Invariant: nothing is left out of the comparison but the receipt where the contract puts it (an acknowledgement and a
move's own answer), and only its value: that it is there, its place and its length are compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tests.api.client import Reply

COURSE = "the course of the game"
_RECEIPT = re.compile(rb'"receipt":"[0-9a-f]{64}"')
_VEILED = b'"receipt":"' + b"." * 64 + b'"'


class Sent(NamedTuple):
    channel: str
    content: bytes


class Leak(AssertionError):
    """The two worlds differ for a viewer."""

    def __init__(self, viewer: str, channel: str, one: object, other: object) -> None:
        super().__init__(f"{viewer} is told hidden things by {channel}:\n  {one!r}\n  {other!r}")
        self.viewer = viewer
        self.channel = channel


def of_reply(channel: str, reply: Reply) -> Sent:
    """A whole response: status, body, headers (last, for a difference in the body says more than one in its length)."""
    headers = "\n".join(f"{name}: {value}" for name, value in reply.headers.items())
    body = veiled(reply.content) if channel.startswith("move") and reply.status == 201 else reply.content
    return Sent(f"REST {channel}", f"{reply.status}\n".encode() + body + f"\n{headers}".encode())


def of_frames(name: str, frames: Iterable[bytes]) -> Iterator[Sent]:
    """Frames by their type, each type's in order: an `ack` may come before or after the `events` it causes."""
    for frame in frames:
        kind = json.loads(frame)["type"]
        yield Sent(f"{name} {kind}", veiled(frame) if kind == "ack" else frame)


def veiled(content: bytes) -> bytes:
    """The same without the receipt's value, which stands there once."""
    hidden, times = _RECEIPT.subn(_VEILED, content)
    assert times == 1, "an acknowledged move has its receipt, once"
    return hidden


def compare(viewer: str, one: Iterable[Sent], other: Iterable[Sent]) -> None:
    """Raises Leak at the first difference, channel by channel."""
    first, second = _by_channel(one), _by_channel(other)
    for channel in dict.fromkeys((*first, *second)):
        mine, theirs = first.get(channel, []), second.get(channel, [])
        for a, b in zip(mine, theirs, strict=False):
            if a != b:
                raise Leak(viewer, channel, *_around_difference(a, b))
        if len(mine) != len(theirs):
            raise Leak(viewer, channel, f"{len(mine)} times", f"{len(theirs)} times")


def _by_channel(sent: Iterable[Sent]) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    for each in sent:
        found.setdefault(each.channel, []).append(each.content)
    return found


def _around_difference(a: bytes, b: bytes) -> tuple[bytes, bytes]:
    place = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return a[max(0, place - 150) : place + 150], b[max(0, place - 150) : place + 150]
