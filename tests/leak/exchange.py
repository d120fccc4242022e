"""The other world: what a viewer has not seen, dealt otherwise, so that all that the viewer has seen still happens.

The game is dealt again in memory from the last deal on with cards exchanged, every seat doing what it did (with the
exchanged cards). Only an exchange that the rules allow is taken: whoever did not follow suit still could not, whoever
passed still had to. In 27 the Atouts that others were offered are other ones too, and so are their picks that nothing
has come of yet. The judgement looks at the events alone, never at what `view` or `redact` make of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
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

NOTHING: Mapping[Any, Any] = MappingProxyType({})

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

    exchanges: Mapping[int, Exchange]
    doings: dict[int, tuple[Seat, dict[str, Any]]]


class Disguise(NamedTuple):
    """What is otherwise: names by the shuffle that they come from, cards, and Atouts by the version of their offer."""

    shuffles: Mapping[int, Exchange] = NOTHING
    cards: Exchange = NOTHING
    offers: Mapping[int, Exchange] = NOTHING

    def with_cards(self, position: int, exchange: Exchange) -> Disguise:
        return self._replace(shuffles={**self.shuffles, position: exchange}, cards=exchange)

    def with_offer(self, position: int, version: int, exchange: Exchange) -> Disguise:
        shuffles, offers = {**self.shuffles, position: exchange}, {**self.offers, version: exchange}
        return self._replace(shuffles=shuffles, offers=offers)


def swap_for(story: Story, seat: Seat | None, sources: Sources, noise: Stream) -> Swap | None:
    """A swap that this viewer cannot have noticed; None where nothing hidden can be otherwise."""
    end = story.table
    if end.state is None:
        return None
    secrets = end.ruleset.secrets(end.state, seat)
    for begin in _deals(story):
        span = _Span(story, begin, sources)
        found = _with_cards(span, sorted(secrets), noise)
        if begin == max(_deals(story)):
            found = _with_offers(span, found, seat, noise)
        if found.shuffles:
            return Swap(found.shuffles, span.told(found)[1])
    return None


def _deals(story: Story) -> Iterator[int]:
    """The last event that dealt afresh; before it, if so, the one that shuffled the pack which was then dealt.

    Never an earlier deal: what is unseen of this one's cards says nothing about what was seen then.
    """
    rules = story.table.ruleset
    found = [
        index
        for index, record in enumerate(story.records)
        if record.event.type not in LIFECYCLE and rules.deals_afresh(record.event)
    ]
    yield from found[-1:]
    yield from (index for index in found[-2:-1] if story.records[index].event.type == "pack_shuffled")


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

    def offers(self) -> list[tuple[int, Recorded]]:
        """Every offer of Atouts since the deal, with the place of its shuffle in the stream."""
        made = [record for record in self.story.records[self.begin :] if record.event.type == "atouts_offered"]
        names = {name for record in made for name in play.plain(record.event)["offers"]}
        until = self.story.records[-1].words
        places = {
            shuffle.position
            for shuffle in self.sources.shuffles
            if self.before.words <= shuffle.position < until and names & set(shuffle.items)
        }
        return list(zip(sorted(places), made, strict=True))

    def told(self, disguise: Disguise) -> tuple[list[Recorded], dict[int, tuple[Seat, dict[str, Any]]]]:
        """The events from the deal on in the other world, and what everybody did in it."""
        told: list[Recorded] = []
        offered: dict[Seat, Exchange] = {}
        picked: dict[int, Exchange] = {}
        for record in self.story.records[self.begin :]:
            names = disguise.cards
            if record.event.type == "atouts_offered":
                names = offered[play.plain(record.event)["seat"]] = disguise.offers.get(record.version, {})
            elif record.event.type == "atout_picked":
                names = picked[record.base] = offered.get(play.plain(record.event)["seat"], {})
            told += disguised(self.before.ruleset, [record], names)
        return told, {
            base: (seat, _named(action, picked.get(base, disguise.cards)) if base > self.base else action)
            for base, (seat, action) in self.story.doings.items()
        }

    def happens(self, disguise: Disguise) -> bool:
        """Whether the disguised story is what the rules make of the disguised shuffles, and not the true one."""
        told, doings = self.told(disguise)
        if told == list(self.story.records[self.begin :]):
            return False
        kept = self.sources.exchanges, self.sources.shuffles
        self.sources.exchanges, self.sources.shuffles = dict(disguise.shuffles), []
        try:
            return self._again(doings) == [*self.story.records[self.base : self.begin], *told]
        except Refusal:
            return False
        finally:
            self.sources.exchanges, self.sources.shuffles = kept

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


def _with_cards(span: _Span, names: Sequence[str], noise: Stream) -> Disguise:
    """Cards moved as much as possible: all of them, or within suits, or pair by pair; nothing if none can be."""
    for position in span.shuffles(frozenset(names)):
        for attempt in range(2 * WHOLE):
            shuffled = dict(zip(names, noise.shuffled(names), strict=True))
            found = Disguise().with_cards(position, shuffled if attempt < WHOLE else _within_suits(names, noise))
            if span.happens(found):
                return found
        found = _by_pairs(span, position, names, noise) if len(names) > 1 else Disguise()
        if found.shuffles:
            return found
    return Disguise()


def _with_offers(span: _Span, found: Disguise, seat: Seat | None, noise: Stream) -> Disguise:
    """Other Atouts for the other seats, wherever the story allows: all names, or all but a pick that came to light."""
    for position, record in span.offers():
        event = play.plain(record.event)
        if event["seat"] == seat:
            continue
        every = sorted(
            {name for shuffle in span.sources.shuffles for name in shuffle.items if shuffle.position == position}
        )
        for kept in ([], *([name] for name in event["offers"])):
            names = [name for name in every if name not in kept]
            tried = found.with_offer(position, record.version, dict(zip(names, noise.shuffled(names), strict=True)))
            if span.happens(tried):
                found = tried
                break
    return found


def _within_suits(names: Sequence[str], noise: Stream) -> dict[str, str]:
    exchange: dict[str, str] = {}
    for suit in sorted({name[-1] for name in names}):
        cards = [name for name in names if name[-1] == suit]
        exchange |= zip(cards, noise.shuffled(cards), strict=True)
    return exchange


def _by_pairs(span: _Span, position: int, names: Sequence[str], noise: Stream) -> Disguise:
    found = Disguise()
    for _ in range(PAIRS):
        one, other = noise.shuffled(names)[:2]
        cards = found.cards
        tried = found.with_cards(position, {**cards, one: cards.get(other, other), other: cards.get(one, one)})
        if span.happens(tried):
            found = tried
    return found


def _named(action: Any, exchange: Exchange) -> Any:
    """The action with the cards that lie there in the second world; what a joker stands for stays."""
    return {
        name: exchange.get(value, value) if isinstance(value, str) and name != "as" else value
        for name, value in msgspec.to_builtins(action, str_keys=True).items()
    }
