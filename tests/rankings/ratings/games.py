"""Finished games in the real store, each written in one append, and what the ratings' tables hold."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from games.rules import lifecycle as life
from games.rules import play
from games.rules.lifecycle import Event
from games.rules.registry import ruleset
from games.rules.stream import commitment
from games.rules.table import Table
from games.store.append import Appended, blank, create, prepare
from games.store.connection import execute, read
from rankings.ratings import follow
from tests.store.games import new_id, now

TABLES = ("rankings_rating", "rankings_rating_change", "rankings_rating_count")
EVERYTHING = {table: f"SELECT x::text FROM {table} x ORDER BY 1" for table in TABLES}


def events_of(
    players: Sequence[str | None],
    places: Sequence[int],
    *,
    rules: str = "gg",
    mode: life.Mode = "ranked",
    options: dict[str, Any] | None = None,
    branched_from: life.BranchSource | None = None,
    before_end: Sequence[Event] = (),
    end: Event | None = None,
    seed: bytes = b"s" * 32,
) -> list[Event]:
    """A whole game without a move; a player that is None is a bot from the start."""
    complete = ruleset(rules).complete_options(options or {}, len(players), mode)
    standing = [life.Place(seat=seat, place=place, score=0) for seat, place in enumerate(places)]
    return [
        life.GameCreated(
            rules=rules,
            options=msgspec.to_builtins(complete, str_keys=True),
            seats=len(players),
            visibility="public",
            mode=mode,
            commitment=commitment(seed),
            branched_from=branched_from,
        ),
        *(
            life.SeatTaken(seat=seat, player_id=player) if player else life.SeatTaken(seat=seat, bot="easy")
            for seat, player in enumerate(players)
        ),
        life.GameStarted(client_seeds=[""] * len(players)),
        *before_end,
        end or life.GameFinished(standing=standing, seed=seed.hex()),
    ]


def table_of(*args: Any, **kwargs: Any) -> Table:
    """The table after such a game, in memory alone."""
    return play.record(Table(id=new_id()), events_of(*args, **kwargs), now()).table


def finished(players: Sequence[str | None], places: Sequence[int], *, at: datetime | None = None, **kwargs: Any) -> str:
    """Such a game in the store; its id."""
    seed = secrets.token_bytes(32)
    before = blank(new_id(), seed)
    move = play.record(before.table, events_of(players, places, seed=seed, **kwargs), at or now())
    assert isinstance(create(prepare(before, move, due_at=None), secrets.token_hex(4)), Appended)
    return move.table.id


def bot_takes(seat: int, reason: life.ControlReason = "timeout") -> Event:
    return life.SeatControlled(seat=seat, by="bot", reason=reason)


def player_returns(seat: int) -> Event:
    return life.SeatControlled(seat=seat, by="player", reason="returned")


def random_game(noise: random.Random, players: Sequence[str]) -> str:
    """A ranked game of some of these players, with ties and seats in bots' hands."""
    rules = noise.choice(["gg", "plie", "vingtsept"])
    seats = noise.sample(list(players), noise.randint(2, 4))
    scores = [noise.randint(0, 3) for _ in seats]
    places = [1 + sum(other > own for other in scores) for own in scores]
    gone = [bot_takes(seat) for seat in range(len(seats)) if noise.random() < 0.1]
    return finished(seats, places, rules=rules, before_end=gone)


def caught_up() -> None:
    """Apply all that waits."""
    while follow.follow():
        pass


def from_events_alone() -> None:
    """Take out ratings that other tests wrote without a game."""
    follow.rebuild()


def tables() -> dict[str, list[tuple[Any, ...]]]:
    """Every bit of the projections: PostgreSQL's text form of a float8 is exact."""
    execute("SET extra_float_digits = 1")
    return {table: read(statement) for table, statement in EVERYTHING.items()}
