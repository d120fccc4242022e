"""What tests of trick rulesets start from: hands from short text, and whole games in memory.

Scores and random numbers in tests come from few lines of their own here and there, never from the code under test.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from games.rules import lifecycle as life
from games.rules import play
from games.rules.registry import ruleset
from games.rules.stream import Stream, commitment
from games.rules.table import Recorded, Table

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SEED = bytes(range(32))


class _NoDraw(Stream):
    def word(self) -> int:
        raise AssertionError("nothing is to be drawn here")


NO_DRAW = _NoDraw(SEED, "no-game", ())


def some_draw() -> Stream:
    return Stream(SEED, "some-game", ())


def hands(text: str) -> dict[int, tuple[str, ...]]:
    """`"QH 2C | AS TD"` as the hands of seats 0, 1, …"""
    return {seat: tuple(part.split()) for seat, part in enumerate(text.split("|"))}


def words(seed: bytes, game_id: str, client_seeds: Sequence[str]) -> Iterator[int]:
    """The random stream once more, from api.md, Fairness, alone."""
    block = 0
    while True:
        message = f"repli.v1|{game_id}|{','.join(client_seeds)}|{block}".encode()
        digest = hmac.new(seed, message, hashlib.sha256).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def number(source: Iterator[int], below: int) -> int:
    if below == 1:
        return 0
    return next(word % below for word in source if word < 2**32 // below * below)


def shuffle(source: Iterator[int], pack: Sequence[str]) -> list[str]:
    cards = list(pack)
    for last in range(len(cards) - 1, 0, -1):
        other = number(source, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def started(rules: str, seats: int, seed: bytes = SEED, **given: Any) -> tuple[Table, list[Recorded]]:
    """A game of bots that has just begun, with all its events."""
    options = ruleset(rules).complete_options(given, seats, "casual")
    created = life.GameCreated(
        rules=rules,
        options=msgspec.to_builtins(options, str_keys=True),
        seats=seats,
        visibility="public",
        mode="casual",
        commitment=commitment(seed),
    )
    taken = [life.SeatTaken(seat=seat, bot="easy") for seat in range(seats)]
    opened = play.record(Table(id="some-game"), [created, *taken], NOON)
    begun = play.start(opened.table, seed, NOON)
    return begun.table, [*opened.records, *begun.records]


def at_random(
    table: Table, records: list[Recorded], chance: random.Random, seed: bytes = SEED
) -> Iterator[tuple[Table, Any, Table]]:
    """Play to the end at random; every step as the table before, the action, the table after. Adds to `records`."""
    rules = table.ruleset
    while table.status == "playing":
        seat = table.to_act[0]
        action = chance.choice(rules.legal_actions(rules.view(table.state, seat)))
        move = play.act(table, seat, action, seed, NOON)
        records += move.records
        yield table, action, move.table
        table = move.table
