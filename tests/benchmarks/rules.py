"""How fast the rules are on one core: decisions, and what every move pays around them.

A decision is `decide` of a legal action and `evolve` over its events. The games are played at random beforehand, so
that choosing is not timed, then decided again; processor time of this process counts, not the clock on the wall.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterable
from datetime import timedelta
from time import process_time
from typing import Any, NamedTuple

from games.rules import chain, play
from games.rules.conformance.playthrough import Case, Playthrough, random_action, started
from games.rules.registry import RULESETS, AnyRuleset
from games.rules.seats import Seat
from games.rules.table import Recorded, Table, advance
from tests.benchmarks.rows import Row, middle

RUNS = 3
TARGETS = {"gg": 50_000.0, "plie": 50_000.0, "barbu": 50_000.0, "vingtsept": 20_000.0}
RLCARD_BRIDGE = 21_600.0  # decisions/s on the reference machine
PACE = timedelta(seconds=2)


class Choice(NamedTuple):
    """A random legal choice and the table on which it was made."""

    table: Table
    seat: Seat
    action: Any
    records: tuple[Recorded, ...]  # what it caused


Game = tuple[bytes, list[Choice]]  # the seed, and every choice from the first to the last


def run(quick: bool) -> list[Row]:
    rows = []
    for rules in RULESETS:
        for kind, sampled in (("default options", False), ("all options mixed", True)):
            games = recorded(rules, 2_000 if quick else 10_000, sampled=sampled)
            rows += _figures(rules.key, kind, games)
    return [*rows, _open_spiel(2_000 if quick else 20_000)]


def recorded(rules: AnyRuleset, choices: int, *, sampled: bool) -> list[Game]:
    """Whole games of at least so many choices together; with default options at four seats."""
    games: list[Game] = []
    number = 0
    while sum(len(made) for _, made in games) < choices:
        games.append(_game(Case(rules, seed=1, number=number, seats=None if sampled else range(4, 5), sampled=sampled)))
        number += 1
    return games


def _game(case: Case) -> Game:
    game: Playthrough = started(case)
    made = []
    while game.table.status == "playing":
        game.now += PACE
        to_act = game.table.to_act
        seat = to_act[game.noise.below(len(to_act))]
        action = random_action(case.rules, case.rules.view(game.table.state, seat), game.noise)
        move = play.act(game.table, seat, action, game.seed, game.now)
        made.append(Choice(game.table, seat, action, move.records))
        game.take(move)
    return game.seed, made


def _figures(key: str, kind: str, games: list[Game]) -> list[Row]:
    target = TARGETS[key]
    note = f"{sum(len(made) for _, made in games):,} choices of {len(games)} games; target on default options"
    decisions, spread = middle([_per_second(_decide, games) for _ in range(RUNS)])
    rows = [
        Row(
            figure=f"rules {key}, {kind}: decisions",
            value=decisions,
            unit="1/s",
            spread=spread,
            target=target,
            baseline="RLCard bridge, not re-run",
            ratio=decisions / RLCARD_BRIDGE,
            note=note,
        )
    ]
    for name, work in PAID_BY_EVERY_MOVE.items():
        value, spread = middle([1e6 / _per_second(work, games) for _ in range(RUNS)])
        rows.append(Row(figure=f"rules {key}, {kind}: {name}", value=value, unit="µs", spread=spread, better="less"))
    return rows


def _per_second(work: Callable[[bytes, list[Choice]], None], games: Iterable[Game]) -> float:
    """Choices per second of processor time."""
    done, began = 0, process_time()
    for seed, made in games:
        work(seed, made)
        done += len(made)
    return done / (process_time() - began)


def _decide(seed: bytes, made: list[Choice]) -> None:
    """A whole game decided again, state by state, without tables, clocks and views."""
    table = made[0].table
    rules, state, draw, now = table.ruleset, table.state, play.stream(table, seed), table.at
    assert now is not None
    for _, seat, action, _ in made:
        now += PACE
        for event in rules.decide(state, seat, action, now, draw):
            state = rules.evolve(state, event, now)


def _act(seed: bytes, made: list[Choice]) -> None:
    """The same as a service asks for it: records, clocks and all, on the table of each moment."""
    for table, seat, action, _ in made:
        assert table.at is not None
        play.act(table, seat, action, seed, table.at + PACE)


def _legal(_seed: bytes, made: list[Choice]) -> None:
    """What each seat may do: what every viewer is told after a move."""
    for table, _, _, _ in made:
        for seat in range(table.seats):
            play.legal_actions(table, seat)


def _views(_seed: bytes, made: list[Choice]) -> None:
    """The view of the seat to act."""
    for table, seat, _, _ in made:
        table.ruleset.view(table.state, seat)


def _advance(_seed: bytes, made: list[Choice]) -> None:
    """The table after each move's events: what everybody who did not decide the move pays."""
    for choice in made:
        advance(choice.table, choice.records)


def _redact(_seed: bytes, made: list[Choice]) -> None:
    """Each move's events for every seat and for a spectator."""
    for table, _, _, records in made:
        for record in records:
            for viewer in (None, *range(table.seats)):
                play.seen(table, record.event, viewer)


def _chain(seed: bytes, made: list[Choice]) -> None:
    """Each move's events as stored bytes, and their links."""
    head = chain.ZERO
    for choice in made:
        for version, event, at, _, _ in choice.records:
            data = chain.canonical(play.plain(event))
            head = chain.link(head, seed, version, chain.stored(version, event.type, at, data))


PAID_BY_EVERY_MOVE = {
    "act": _act,
    "advance": _advance,
    "view of one seat": _views,
    "legal actions of all seats": _legal,
    "events redacted for all": _redact,
    "events chained": _chain,
}


def _open_spiel(moves: int) -> Row:
    """Hearts played at random by OpenSpiel's C++, through its Python binding; optional (`uv sync --group bench`)."""
    figure = "OpenSpiel hearts, random play"
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ImportError:
        return Row(figure=figure, value=0.0, unit="1/s", spread=(0.0, 0.0), note="not installed")
    value, spread = middle([_hearts(pyspiel, moves) for _ in range(RUNS)])
    return Row(figure=figure, value=value, unit="1/s", spread=spread, note="legal actions and choice included")


def _hearts(pyspiel: Any, moves: int) -> float:
    game, dice, done, spent = pyspiel.load_game("hearts"), random.Random(1), 0, 0.0
    while done < moves:
        state, began = game.new_initial_state(), process_time()
        while not state.is_terminal():
            done += not state.is_chance_node()  # the deal takes its time too, but is nobody's decision
            state.apply_action(dice.choice(state.legal_actions()))
        spent += process_time() - began
    return done / spent
