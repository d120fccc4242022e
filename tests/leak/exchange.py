"""The other world: what a viewer has not seen, dealt otherwise, so that all that the viewer has seen still happens.

The game is dealt again in memory from the last deal on with cards exchanged, every seat doing what it did (with the
exchanged cards). Only an exchange that the rules allow is taken: whoever did not follow suit still could not, whoever
passed still had to. The judgement looks at the events alone, never at what `view` or `redact` make of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from games.rules import play
from games.rules.conformance.secrecy import disguised
from games.rules.errors import Refusal
from games.rules.lifecycle import LIFECYCLE
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.table import Recorded, Table, advance, appends
from tests.leak.sources import Exchange, Sources

WHOLE = 3  # attempts with all cards exchanged at random, and as many within suits
PAIRS = 40  # attempts to exchange one more pair

Doings = Mapping[int, tuple[Seat, dict[str, Any]]]  # by the version that an append began on: who did what


class Story(NamedTuple):
    """A game of the first world up to some version."""

    game_id: str
    records: tuple[Recorded, ...]
    doings: Doings

    @property
    def table(self) -> Table:
        return advance(Table(id=self.game_id), self.records)


class Swap(NamedTuple):
    """How the second world differs: shuffles by their place in the stream, and what seats do there."""

    exchanges: dict[int, Exchange]
    doings: dict[int, tuple[Seat, dict[str, Any]]]


def swap_for(story: Story, seat: Seat | None, sources: Sources, noise: Stream) -> Swap | None:
    """A swap that this viewer cannot have noticed; None where nothing hidden can be otherwise."""
    end = story.table
    if end.state is None:
        return None
    secrets = end.ruleset.secrets(end.state, seat)
    for begin in _deals(story):
        span = _Span(story, begin, sources)
        for position in span.shuffles(secrets):
            exchange = _allowed(span, position, sorted(secrets), noise)
            if exchange is not None:
                return Swap({position: exchange}, span.doings(exchange))
    return None


def _deals(story: Story) -> Iterator[int]:
    """The last two events that dealt afresh, the last one first: a pack may be shuffled well before it is dealt."""
    rules = story.table.ruleset
    found = [
        index
        for index, record in enumerate(story.records)
        if record.event.type not in LIFECYCLE and rules.deals_afresh(record.event)
    ]
    yield from reversed(found[-2:])


class _Span:
    """The game from the append on that holds a deal, to be dealt again."""

    def __init__(self, story: Story, begin: int, sources: Sources) -> None:
        self.story, self.begin, self.sources = story, begin, sources
        self.base = story.records[begin].base
        self.before = advance(Table(id=story.game_id), story.records[: self.base])
        self.groups = appends(story.records[self.base :])

    def shuffles(self, secrets: frozenset[str]) -> list[int]:
        """Where in the stream a pack with those cards was shuffled during the deal's append, the last one first."""
        until = self.groups[0][-1].words
        found = {
            shuffle.position
            for shuffle in self.sources.shuffles
            if self.before.words <= shuffle.position < until and secrets <= set(shuffle.items)
        }
        return sorted(found, reverse=True)

    def doings(self, exchange: Exchange) -> dict[int, tuple[Seat, dict[str, Any]]]:
        """What the seats did, from after the deal's append on with the cards of the second world."""
        return {
            base: (seat, _named(action, exchange) if base > self.base else action)
            for base, (seat, action) in self.story.doings.items()
        }

    def happens(self, position: int, exchange: Exchange) -> bool:
        """Whether the exchanged story is what the rules make of the exchanged pack, and another one than the true."""
        told = self.story.records[self.begin :]
        wanted = disguised(self.before.ruleset, told, exchange)
        if wanted == list(told):
            return False
        kept, self.sources.exchanges = self.sources.exchanges, {position: exchange}
        try:
            return self._again(self.doings(exchange)) == [*self.story.records[self.base : self.begin], *wanted]
        except Refusal:
            return False
        finally:
            self.sources.exchanges = kept

    def _again(self, doings: Doings) -> list[Recorded]:
        table = self.before
        told: list[Recorded] = []
        for group in self.groups:
            move = self._move(table, group, doings)
            table = move.table
            told += move.records
        return told

    def _move(self, table: Table, group: Sequence[Recorded], doings: Doings) -> play.Move:
        seed, now = self.sources.stream_seed, group[0].at
        if group[0].event.type == "game_started":
            return play.start(table, seed, now)
        if group[0].event.type in LIFECYCLE:
            return play.Move(records=tuple(group), table=advance(table, group))
        if table.version not in doings:
            return play.ring(table, seed, now)
        seat, action = doings[table.version]
        parsed = table.ruleset.parse_action(action, table.options, table.seats)
        return play.act(table, seat, parsed, seed, now)


def _allowed(span: _Span, position: int, names: Sequence[str], noise: Stream) -> Exchange | None:
    """An exchange that moves as much as possible: everything, or within suits, or pair by pair."""
    for _ in range(WHOLE):
        exchange = dict(zip(names, noise.shuffled(names), strict=True))
        if span.happens(position, exchange):
            return exchange
    for _ in range(WHOLE):
        exchange = _within_suits(names, noise)
        if span.happens(position, exchange):
            return exchange
    return _by_pairs(span, position, names, noise) if len(names) > 1 else None


def _within_suits(names: Sequence[str], noise: Stream) -> dict[str, str]:
    exchange: dict[str, str] = {}
    for suit in sorted({name[-1] for name in names}):
        cards = [name for name in names if name[-1] == suit]
        exchange |= zip(cards, noise.shuffled(cards), strict=True)
    return exchange


def _by_pairs(span: _Span, position: int, names: Sequence[str], noise: Stream) -> Exchange | None:
    found: dict[str, str] = {}
    for _ in range(PAIRS):
        one, other = noise.shuffled(names)[:2]
        tried = {**found, one: found.get(other, other), other: found.get(one, one)}
        if span.happens(position, tried):
            found = tried
    return found or None


def _named(action: Any, exchange: Exchange) -> Any:
    """The action with the cards that lie there in the second world; what a joker stands for stays."""
    return {
        name: exchange.get(value, value) if isinstance(value, str) and name != "as" else value
        for name, value in msgspec.to_builtins(action, str_keys=True).items()
    }
