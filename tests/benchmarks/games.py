"""Games for benchmarks: played at random in memory, then written through the store as they were played."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

from games.rules import play
from games.rules.conformance.playthrough import Case, Playthrough, random_action, started
from games.rules.registry import ruleset
from games.rules.table import Recorded, advance, appends

if TYPE_CHECKING:
    from games.store.cache import Loaded  # only once Django is set up

PACE = timedelta(seconds=2)


@cache
def long_game(key: str, events: int) -> tuple[bytes, tuple[tuple[Recorded, ...], ...]]:
    """The seed and the appends of a game at default options, cut at the first append that gives so many events."""
    rules = ruleset(key)
    for number in range(1000):
        seats = (4, rules.max_seats)[number % 2]  # at four seats, a game of GG is too short
        game: Playthrough = started(Case(rules, seed=2, number=number, seats=range(seats, seats + 1), sampled=False))
        while game.table.status == "playing" and game.table.version < events:
            game.now += PACE
            seat = game.table.to_act[0]
            action = random_action(rules, rules.view(game.table.state, seat), game.noise)
            game.take(play.act(game.table, seat, action, game.seed, game.now))
        if game.table.version >= events:
            return game.seed, tuple(appends(game.records))
    raise AssertionError(f"no game of {key} has {events} events")


def stored(seed: bytes, moves: Sequence[tuple[Recorded, ...]]) -> Loaded:
    """A game written through the store, append by append, under a new id."""
    from uuid_utils import uuid7

    from games.store.append import append, blank, create, prepare

    game = blank(str(uuid7()), seed)
    for records in moves:
        move = play.Move(records=records, table=advance(game.table, records))
        prepared = prepare(game, move, due_at=None)
        if game.version == 0:
            create(prepared, secrets.token_hex(4))
        else:
            assert append([prepared])
        game = prepared.after
    return game
