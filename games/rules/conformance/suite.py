"""One game through every check: the entry for tests and for `manage.py simulate`."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from games.rules.conformance.actions import Position, check_position
from games.rules.conformance.conservation import check_cards
from games.rules.conformance.coverage import Coverage
from games.rules.conformance.ending import check_end
from games.rules.conformance.folding import check_stream
from games.rules.conformance.playthrough import Case, Playthrough, played
from games.rules.conformance.secrecy import check_redaction, check_secrecy
from games.rules.conformance.violation import Violation


class Effort(NamedTuple):
    """How many places of a game are looked at closely; the cheap checks always cover the whole of it."""

    positions: int = 3  # where everything is tried
    secrecy: int = 2  # versions at which hidden cards are swapped


class Tally:
    """What a run has looked at."""

    def __init__(self) -> None:
        self.coverage = Coverage()
        self.games = 0
        self.events = 0
        self.positions = 0
        self.swaps = 0

    def add(self, other: Tally) -> None:
        self.coverage.add(other.coverage)
        self.games += other.games
        self.events += other.events
        self.positions += other.positions
        self.swaps += other.swaps


def check_game(case: Case, effort: Effort, tally: Tally) -> Playthrough:
    """Play one random game and check all that every ruleset promises. Raises Violation, with the way to repeat it."""
    try:
        return _checked(case, effort, tally)
    except Violation as violation:
        violation.facts["game"] = f"--ruleset {case.rules.key} --seed {case.seed} --first {case.number} --games 1"
        raise
    except Exception as fault:
        game = f"--ruleset {case.rules.key} --seed {case.seed} --first {case.number} --games 1"
        raise Violation("the rules do not crash", fault=fault, game=game) from fault


def _checked(case: Case, effort: Effort, tally: Tally) -> Playthrough:
    game = played(case)
    noise = case.noise("checks")
    tally.games += 1
    tally.events += len(game.records)
    tally.coverage.begin(case.rules, game.table.options)
    check_stream(game, noise)
    check_cards(game)
    check_end(game)
    open_tables = [table for table in game.tables if table.status == "playing"]
    for table in noise.shuffled(open_tables)[: effort.positions]:
        assert table.at is not None
        now = table.at + timedelta(milliseconds=noise.below(40_000))
        check_position(Position(table, game.seed, now), noise, tally.coverage)
        tally.positions += 1
    for _ in range(effort.secrecy):
        version = 1 + noise.below(len(game.records))
        tally.swaps += check_secrecy(game, version, noise)
        check_redaction(game, version)
    return game
