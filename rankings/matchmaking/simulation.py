"""Players who arrive over an hour, matched by the real core on a virtual clock: how long they wait, and for what table.

Must live here: the arrivals and what is measured. Must not: any decision about who plays together.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from rankings.matchmaking.pairing import Looking, Terms, matches

MEAN, DEVIATION = 1500.0, 300.0  # of the levels of a population
HOUR = 3600.0


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """One player at a table."""

    level: float
    waited: float  # seconds
    spread: float  # rating points, of the table
    seats: int


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    seated: list[Seated]
    left_over: int  # players who still wait at the end
    tables: int

    def top(self, share: float = 0.1) -> list[Seated]:
        """The strongest of those who were seated."""
        ranked = sorted(self.seated, key=lambda each: each.level, reverse=True)
        return ranked[: max(1, round(len(ranked) * share))]


def arrivals(players: int, duration: float, parties: float, chance: random.Random) -> list[Looking]:
    """Tickets at random times; a share of the players come in twos."""
    tickets, left = [], players
    while left > 0:
        size = 2 if left > 1 and chance.random() < parties / 2 else 1
        levels = [chance.gauss(MEAN, DEVIATION) for _ in range(size)]
        names = tuple(f"{left - place}" for place in range(size))
        level = sum(levels) / size
        tickets.append(Looking(id=names[0], players=names, level=level, since=chance.uniform(0, duration)))
        left -= size
    return sorted(tickets, key=lambda ticket: ticket.since)


def simulate(
    terms: Terms,
    *,
    players: int = 10_000,
    duration: float = HOUR,
    tick: float = 1.0,
    parties: float = 0.05,
    seed: int = 1,
) -> Outcome:
    """Let them arrive, and look at the queue every `tick` seconds, as the task does."""
    coming = arrivals(players, duration, parties, random.Random(seed))  # noqa: S311  (a population, no secret)
    waiting: dict[str, Looking] = {}
    seated: list[Seated] = []
    place, now, tables = 0, 0.0, 0
    while now < duration:
        now += tick
        while place < len(coming) and coming[place].since <= now:
            waiting[coming[place].id] = coming[place]
            place += 1
        for match in matches(list(waiting.values()), now, terms):
            tables += 1
            for ticket in (waiting.pop(ticket_id) for ticket_id in match.tickets):
                one = Seated(
                    level=ticket.level,
                    waited=now - ticket.since,
                    spread=match.spread,
                    seats=len(match.players),
                )
                seated += [one] * len(ticket.players)
    left = sum(len(ticket.players) for ticket in (*waiting.values(), *coming[place:]))
    return Outcome(seated=seated, left_over=left, tables=tables)


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which that share of them lies; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0
