"""A game that is over, proved from its replay `{game, events, fairness}` and, where there are some, receipts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from games.rules import lifecycle as life
from games.rules.moments import rfc3339
from games.rules.proof import links, papers
from games.rules.proof.course import Step, walk
from games.rules.proof.difference import Difference, Differs, differs
from games.rules.proof.links import Receipt
from games.rules.proof.past import Source
from games.rules.proof.reading import Told, told
from games.rules.table import Table


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What was checked, up to the first difference if there is one.

    `unproved`: the first and the last version of a branch's past for which its source was not at hand.
    """

    game_id: str
    rules: str = ""
    events: int = 0
    moves: int = 0  # decided once more
    deals: int = 0
    words: int = 0  # of the random stream
    chained: bool = False  # the replay shows its chain
    receipts: int = 0
    source: str | None = None  # the game it was branched from
    unproved: tuple[int, int] | None = None
    difference: Difference | None = None

    @property
    def holds(self) -> bool:
        return self.difference is None


def verify(replay: Any, receipts: Sequence[Receipt] = (), sources: Mapping[str, Any] | Iterable[Any] = ()) -> Proof:
    """Check a replay object. `sources`: replays of the games that it was branched from, directly and further back."""
    return _Verifying(replay, receipts, _by_id(sources)).proof()


def _by_id(sources: Mapping[str, Any] | Iterable[Any]) -> dict[str, Any]:
    return dict(sources) if isinstance(sources, Mapping) else {game_id(replay): replay for replay in sources}


def game_id(replay: Any) -> str:
    """The id that a replay gives its game; empty if it gives none."""
    game = replay.get("game") if isinstance(replay, dict) else None
    found = game.get("id") if isinstance(game, dict) else None
    return found if isinstance(found, str) else ""


class _Verifying:
    """One replay under proof, and how far it got."""

    def __init__(self, replay: Any, receipts: Sequence[Receipt], sources: Mapping[str, Any]) -> None:
        self.replay, self.receipts, self.sources = replay, receipts, sources
        self.table = Table(id=game_id(replay))
        self.moves = self.deals = 0
        self.ends: set[int] = set()
        self.events: list[Told] = []
        self.unproved: tuple[int, int] | None = None

    def proof(self) -> Proof:
        try:
            self.check()
        except Differs as found:
            return self._report(found.difference)
        return self._report(None)

    def check(self) -> None:
        """Raises Differs at the first difference: the lowest version at which anything is wrong."""
        if not isinstance(self.replay, dict) or not self.table.id:
            raise Differs(Difference(problem="unreadable", path="game.id"))
        seed = papers.the_seed(self.replay)
        self.events = told(self.replay.get("events"))
        found = [each for each in (self._by_links(seed), self._by_rules(seed)) if each is not None]
        if found:
            raise Differs(min(reversed(found), key=_place))
        papers.check(self.replay, self.table, rfc3339(self.events[0].at))

    def _by_links(self, seed: bytes) -> Difference | None:
        made = links.links(self.events, seed)
        broken = links.broken(made, self.replay["chain"]) if "chain" in self.replay else None
        return broken or links.mismatch(made, self.receipts)

    def _by_rules(self, seed: bytes) -> Difference | None:
        try:
            for step in walk(self.table.id, self.events, seed, self._source):
                self._take(step)
            self._demand_end()
        except Differs as found:
            return found.difference
        return None

    def _take(self, step: Step) -> None:
        if step.kind == "past" and self.table.branched_from and self.table.branched_from.game_id not in self.sources:
            self.unproved = (self.table.version + 1, step.table.version)
        self.moves += step.kind == "move"
        self.deals += sum(step.table.ruleset.deals_afresh(event) for event in step.events)
        self.table = step.table
        self.ends |= step.ends

    def _demand_end(self) -> None:
        if self.table.status not in {"finished", "aborted"}:
            raise differs("missing", self.table.version + 1, expected="the end of the game")

    def _source(self, origin: life.BranchSource) -> Source | None:
        """What a branch's past is compared with, itself proved first."""
        replay = self.sources.get(origin.game_id)
        if replay is None:
            return None
        others = {key: other for key, other in self.sources.items() if key != origin.game_id}
        verifying = _Verifying(replay, (), others)
        try:
            verifying.check()
        except Differs as found:
            wrong = found.difference
            path = f"source {origin.game_id} {wrong.path}"
            raise Differs(
                Difference(problem="source", path=path, seq=1, expected=wrong.expected, found=wrong.found)
            ) from None
        table = verifying.table
        events, ends = verifying.events, frozenset(verifying.ends)
        return Source(table.id, table.rules, table.options, table.seats, events, ends)

    def _report(self, difference: Difference | None) -> Proof:
        table = self.table
        return Proof(
            game_id=table.id,
            rules=table.rules,
            events=table.version,
            moves=self.moves,
            deals=self.deals,
            words=table.words,
            chained=isinstance(self.replay, dict) and "chain" in self.replay,
            receipts=len(self.receipts),
            source=table.branched_from.game_id if table.branched_from else None,
            unproved=self.unproved,
            difference=difference,
        )


def _place(difference: Difference) -> int:
    return difference.seq or 0
