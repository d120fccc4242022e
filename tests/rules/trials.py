"""Whole games in memory, and the verifiable random stream told a second time.

Random numbers in tests come from these few lines, written from api.md alone, never from the code under test.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Iterator, Sequence
from typing import Any

from games.rules import lifecycle as life
from games.rules import play
from games.rules.registry import ruleset
from games.rules.stream import commitment
from games.rules.table import Recorded, Table
from tests.builders import NOON, SEED


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
        options=life.plain(options),
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
