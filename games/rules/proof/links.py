"""The chain over a replay's events, recomputed from the seed, and what was kept of it: links and receipts.

details.md, Chain. It shows what no rule can see, such as another time or another legal bid: a link that somebody kept
proves the whole stream up to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.rules import chain
from games.rules.proof.difference import Difference, event_path
from games.rules.proof.reading import Told


class Receipt(NamedTuple):
    """The link at a version in hex, as an `ack` or a move's answer gave it."""

    version: int
    link: str


def links(events: Sequence[Told], seed: bytes) -> list[str]:
    """Each event's link, in hex; ends before the first event that could not have been stored."""
    found: list[str] = []
    head = chain.ZERO
    for event in events:
        try:
            data = chain.canonical(event.data)
            head = chain.link(head, seed, event.seq, chain.stored(event.seq, event.type, event.at, data))
        except ValueError:
            break
        found.append(head.hex())
    return found


def broken(made: Sequence[str], shown: object) -> Difference | None:
    """The first event whose link is not the one that the replay shows."""
    if not isinstance(shown, list):
        return Difference(problem="unreadable", path="chain", found=shown)
    for place, link in enumerate(made):
        there = shown[place] if place < len(shown) else None
        if there != link:
            return Difference(problem="chain", path=event_path(place + 1), seq=place + 1, expected=there, found=link)
    if len(shown) > len(made):
        return Difference(
            problem="missing", path=event_path(len(made) + 1), seq=len(made) + 1, expected=shown[len(made)]
        )
    return None


def mismatch(made: Sequence[str], receipts: Sequence[Receipt]) -> Difference | None:
    """The first receipt that does not fit, with the stretch since the last one that does."""
    since = 1
    for receipt in sorted(receipts):
        link = made[receipt.version - 1] if 1 <= receipt.version <= len(made) else None
        if link != receipt.link.lower():
            return Difference(
                problem="receipt",
                path=event_path(receipt.version),
                seq=receipt.version,
                since=since,
                expected=receipt.link,
                found=link,
            )
        since = receipt.version + 1
    return None
