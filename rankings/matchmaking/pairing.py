"""Which of those who wait play together: a pure function of the tickets and the time. No clock, no database.

Invariants: nobody meets somebody outside either's window, a blocked player, or oneself; parties stay together (in
teams on one side); a ranked table never holds one party alone. The longest wait chooses first, so the windows' growth
leaves nobody behind for ever.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

CANDIDATES = 40  # nearest tickets that one anchor looks at
NODES = 2000  # combinations that one anchor tries
AGAIN = 60.0  # rating points that a recent meeting counts like
SPARE = 0.5  # rating points that a second of a candidate's waiting counts like, the other way

Pair = frozenset[str]


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """How tables of one queue are made. `seats` is the usual size, `pairs` that of two sides of two (0: no teams)."""

    seats: int
    least: int
    pairs: int = 0
    ranked: bool = True
    window: float = 100.0
    growth: float = 10.0  # points per second
    smaller_after: float = 30.0  # seconds per seat less
    bots_after: float = 15.0  # casual only

    def window_after(self, waited: float) -> float:
        """Half the width of a ticket's window, in rating points."""
        return self.window + self.growth * max(0.0, waited)


class Looking(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket as the matcher sees it. `level` is the mean of its players' levels; `since` in seconds of any clock."""

    id: str
    players: tuple[str, ...]
    level: float
    since: float
    seats: int | None = None  # asked for


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A table to be opened: `players` by seat, None for a bot."""

    tickets: tuple[str, ...]
    players: tuple[str | None, ...]
    teams: bool
    spread: float  # between the highest and the lowest level


class Acquaintance(msgspec.Struct, frozen=True, kw_only=True):
    """Who may not meet whom, and how often players met lately."""

    blocked: Collection[Pair] = frozenset()
    met: Mapping[Pair, int] = {}


STRANGERS = Acquaintance()


def matches(
    tickets: Sequence[Looking], now: float, terms: Terms, known: Acquaintance = STRANGERS, limit: int | None = None
) -> Iterator[Match]:
    """Tables that can be opened now, each ticket in at most one, as long as there are any."""
    pool = _Pool(tickets, now, terms, known)
    made = 0
    for anchor in sorted(tickets, key=lambda ticket: (ticket.since, ticket.id)):
        if made == limit:
            return
        if anchor.id in pool.waiting and (match := pool.table_for(anchor)):
            made += 1
            yield match


class _Pool:
    """Those that still wait, by level."""

    def __init__(self, tickets: Sequence[Looking], now: float, terms: Terms, known: Acquaintance) -> None:
        self.now, self.terms, self.known = now, terms, known
        self.waiting = {ticket.id for ticket in tickets}
        self.by_level = sorted(tickets, key=lambda ticket: (ticket.level, ticket.id))
        self.levels = [ticket.level for ticket in self.by_level]

    def table_for(self, anchor: Looking) -> Match | None:
        """The best table for this ticket, the largest size first."""
        for seats, teams in self._sizes(anchor):
            others = [ticket for ticket in self._near(anchor) if (seats, teams) in self._sizes(ticket)]
            if teams:  # a side that belongs together first: without one there are no teams
                others.sort(key=lambda ticket: -len(ticket.players))
            if chosen := self._fill([anchor], others, seats, teams):
                return self._opened(chosen, seats, teams)
        if not self.terms.ranked and self._waited(anchor) >= self.terms.bots_after:
            return self._with_bots(anchor)
        return None

    # --- which sizes ---------------------------------------------------------------------------------------------

    def _sizes(self, ticket: Looking) -> list[tuple[int, bool]]:
        """Sizes of tables that the ticket would sit down at, the best first, and whether in teams."""
        pairs, party = self.terms.pairs, len(ticket.players)
        if pairs and party > 1:
            return [(pairs, True)]
        seats = ticket.seats or self.terms.seats
        least = max(self.terms.least, party + self.terms.ranked)
        fewer = int(self._waited(ticket) / self.terms.smaller_after)
        alone = [(size, False) for size in range(seats, max(least, seats - fewer) - 1, -1)]
        return [*alone, (pairs, True)] if pairs and ticket.seats in {None, pairs} else alone

    # --- with whom -----------------------------------------------------------------------------------------------

    def _near(self, anchor: Looking) -> list[Looking]:
        """The nearest tickets that the anchor may meet, the most attractive first."""
        near = [ticket for ticket in self._outward(anchor.level) if self._may_meet(anchor, ticket)]
        return sorted(near[:CANDIDATES], key=lambda ticket: (self._distance(anchor, ticket), ticket.id))

    def _outward(self, level: float) -> Iterator[Looking]:
        """Waiting tickets by their distance from a level, not far beyond what one anchor looks at."""
        right = bisect_left(self.levels, level)
        left, seen = right - 1, 0
        while seen < 2 * CANDIDATES and (left >= 0 or right < len(self.levels)):
            if left < 0 or (right < len(self.levels) and self.levels[right] - level < level - self.levels[left]):
                ticket, right = self.by_level[right], right + 1
            else:
                ticket, left = self.by_level[left], left - 1
            if ticket.id in self.waiting:
                seen += 1
                yield ticket

    def _may_meet(self, one: Looking, other: Looking) -> bool:
        if one.id == other.id or set(one.players) & set(other.players):
            return False
        if abs(one.level - other.level) > min(self._window(one), self._window(other)):
            return False
        blocked = self.known.blocked
        return not blocked or not any(frozenset((a, b)) in blocked for a in one.players for b in other.players)

    def _distance(self, one: Looking, other: Looking) -> float:
        met = self.known.met
        again = sum(met.get(frozenset((a, b)), 0) for a in one.players for b in other.players) if met else 0
        return abs(one.level - other.level) + AGAIN * again - SPARE * self._waited(other)

    def _fill(self, chosen: list[Looking], others: Sequence[Looking], seats: int, teams: bool) -> list[Looking] | None:
        """The first set that fills the table, tried in the order of attraction; None if there is none."""
        tries = iter(range(NODES))
        players = [len(ticket.players) for ticket in (*chosen, *others)]
        if sum(players) < seats or (teams and max(players) < 2):
            return None

        def search(chosen: list[Looking], start: int, free: int) -> list[Looking] | None:
            if free == 0:
                return chosen if self._complete(chosen, teams) else None
            for place in range(start, len(others)):
                ticket = others[place]
                if next(tries, None) is None:
                    return None
                if len(ticket.players) > free or not all(self._may_meet(ticket, each) for each in chosen[1:]):
                    continue
                if found := search([*chosen, ticket], place + 1, free - len(ticket.players)):
                    return found
            return None

        return search(chosen, 0, seats - sum(len(ticket.players) for ticket in chosen))

    def _complete(self, chosen: Sequence[Looking], teams: bool) -> bool:
        if self.terms.ranked and len(chosen) < 2:
            return False
        return not teams or any(len(ticket.players) > 1 for ticket in chosen)

    # --- sitting down ----------------------------------------------------------------------------------------------

    def _with_bots(self, anchor: Looking) -> Match | None:
        """Whoever is near enough, and bots on the other seats."""
        seats, teams = self._sizes(anchor)[0]
        chosen = [anchor]
        for ticket in self._near(anchor):
            fits = sum(len(each.players) for each in (*chosen, ticket)) <= seats
            if fits and (seats, teams) in self._sizes(ticket) and all(self._may_meet(ticket, c) for c in chosen[1:]):
                chosen.append(ticket)
        return self._opened(chosen, seats, teams)

    def _opened(self, chosen: Sequence[Looking], seats: int, teams: bool) -> Match:
        self.waiting -= {ticket.id for ticket in chosen}
        levels = [ticket.level for ticket in chosen]
        return Match(
            tickets=tuple(ticket.id for ticket in chosen),
            players=_seated(chosen, seats, teams),
            teams=teams,
            spread=max(levels) - min(levels),
        )

    def _waited(self, ticket: Looking) -> float:
        return max(0.0, self.now - ticket.since)

    def _window(self, ticket: Looking) -> float:
        return self.terms.window_after(self._waited(ticket))


def _seated(chosen: Sequence[Looking], seats: int, teams: bool) -> tuple[str | None, ...]:
    """Players by seat. In teams the first party sits on seats 0 and 2, who plays against it on 1 and 3."""
    ordered = sorted(chosen, key=lambda ticket: -len(ticket.players)) if teams else chosen
    players: list[str | None] = [player for ticket in ordered for player in ticket.players]
    players += [None] * (seats - len(players))
    if not teams:
        return tuple(players)
    side, against = players[: seats // 2], players[seats // 2 :]
    return tuple(player for both in zip(side, against, strict=True) for player in both)
