"""Bots against bots: which level wins how often.

Pure like all rules: games, seats and choices follow from the seed and the game's number alone.
"""

from __future__ import annotations

import hashlib
import math
from datetime import UTC, datetime
from typing import NamedTuple

from games.rules import lifecycle as life
from games.rules import play
from games.rules.lifecycle import Level
from games.rules.registry import AnyRuleset
from games.rules.seats import Seat
from games.rules.stream import Stream, commitment
from games.rules.table import Table

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
Z_95 = 1.959963984540054  # the normal distribution's 97.5 % quantile


class Match(NamedTuple):
    """Level `a` on every other seat, `b` between them; from game to game they change places.

    With `alone` one seat only has level `a`, each in its turn.
    """

    rules: AnyRuleset
    seats: int
    a: Level
    b: Level
    seed: int
    alone: bool = False

    def level_of(self, seat: Seat, number: int) -> Level:
        if self.alone:
            return self.a if seat == number % self.seats else self.b
        return self.a if (seat + number) % 2 == 0 else self.b


class Interval(NamedTuple):
    low: float
    high: float


def share_of_wins(match: Match, number: int) -> float:
    """What of the win in this game goes to level `a`; a shared first place is split."""
    table = _played(match, number)
    first = [place.seat for place in table.standing or () if place.place == 1]
    return sum(match.level_of(seat, number) == match.a for seat in first) / len(first)


def wilson(wins: float, games: int) -> Interval:
    """The 95 % interval for the chance behind so many wins (Wilson's score)."""
    share, spread = wins / games, Z_95**2 / games
    centre = (share + spread / 2) / (1 + spread)
    half = math.sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def _played(match: Match, number: int) -> Table:
    seed = hashlib.sha256(f"arena|{match.rules.key}|{match.seed}|{number}".encode()).digest()
    noises = [Stream(seed, f"bot {seat}", ()) for seat in range(match.seats)]
    table = _begun(match, number, seed)
    while table.status == "playing":
        alarm = match.rules.alarm(table.state)
        seat = table.to_act[0]
        if alarm is not None and alarm <= NOON:
            table = play.ring(table, seed, NOON).table
            continue
        action = match.rules.bot(match.rules.view(table.state, seat), match.level_of(seat, number), noises[seat])
        table = play.act(table, seat, action, seed, NOON).table
    return table


def _begun(match: Match, number: int, seed: bytes) -> Table:
    options = match.rules.complete_options({}, match.seats, "casual")
    created = life.GameCreated(
        rules=match.rules.key,
        options=life.plain(options),
        seats=match.seats,
        visibility="public",
        mode="casual",
        commitment=commitment(seed),
    )
    taken = [life.SeatTaken(seat=seat, bot=match.level_of(seat, number)) for seat in range(match.seats)]
    table = play.record(Table(id=f"arena-{number}"), [created, *taken], NOON).table
    return play.start(table, seed, NOON).table
