"""Many games through the suite, in pieces that can be run anywhere and put together again in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from games.rules.conformance.playthrough import Case
from games.rules.conformance.replays import replay
from games.rules.conformance.suite import Effort, Tally, check_game
from games.rules.registry import ruleset


class Run(NamedTuple):
    """Games `first` … `first + games − 1` of a ruleset under one seed."""

    rules: str
    games: int
    first: int = 0
    seed: int = 0
    seats: range | None = None
    options: Mapping[str, Any] = {}
    effort: Effort = Effort()
    keep_replays: bool = False
    chained: bool = True  # replays show their chains

    def pieces(self, size: int) -> Iterator[Run]:
        """The same run in pieces of so many games."""
        for begin in range(self.first, self.first + self.games, size):
            yield self._replace(first=begin, games=min(size, self.first + self.games - begin))


class Result(NamedTuple):
    """What a piece of a run has found; `replays` are lines of JSON, if they were to be kept."""

    tally: Tally
    replays: list[bytes]


def carry_out(run: Run) -> Result:
    """Play and check the games of a run. Raises Violation at the first broken promise."""
    tally, replays = Tally(), []
    for number in range(run.first, run.first + run.games):
        case = Case(ruleset(run.rules), run.seed, number, run.seats, run.options)
        game = check_game(case, run.effort, tally)
        if run.keep_replays:
            replays.append(msgspec.json.encode(replay(game, chained=run.chained)))
    return Result(tally, replays)
