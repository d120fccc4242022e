"""Whole games in memory: cards are conserved through everything that moves them, and nobody ever holds too much."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.rules import play
from games.rules.ruleset import Setup
from games.rules.vingtsept.cards import PACK
from games.rules.vingtsept.state import HAND_LIMIT, PASSES, START_HP
from tests.builders import NOON, SEED
from tests.rules.trials import at_random, started
from tests.rules.vingtsept.draws import redrawn
from tests.rules.vingtsept.tables import RULES, plain

SETTINGS: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"mode": "ranked"}),
    (4, {"teams": True}),
    (4, {"mode": "custom", "objective": 9, "random_reveal": True}),
    (4, {"mode": "custom", "objective": 36, "atouts": 1, "teams": True}),
]


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("seats, given", SETTINGS)
def test_cards_are_conserved_after_every_event(seats: int, given: dict[str, Any], number: int) -> None:
    game, records = started("vingtsept", seats, bytes([number]) * 32, **given)
    for _ in at_random(game, records, random.Random(number), bytes([number]) * 32):
        pass
    state = RULES.initial(_setup(seats, given))
    for record in records:
        if record.event.type not in RULES.event_types:
            continue
        state = RULES.evolve(state, record.event, record.at)
        if state.round:
            assert sorted(state.cards()) == sorted(PACK), record
            _sound(state)


def _setup(seats: int, given: dict[str, Any]) -> Any:
    return Setup(seats=seats, options=RULES.complete_options(given, seats, "casual"), mode="casual")


def _sound(state: Any) -> None:
    for holding in state.holdings:
        assert len(holding.atouts) <= HAND_LIMIT
        assert 0 <= holding.hp <= START_HP
        assert 0 <= holding.passes_left <= PASSES
        assert (holding.hp == 0) == (not holding.still_in)
    if state.options.teams:
        assert state.holdings[0].hp == state.holdings[2].hp
        assert state.holdings[1].hp == state.holdings[3].hp


def test_the_pile_is_refilled_again_and_again_in_a_long_round() -> None:
    """Seats that never pass, with mirrors and salvages between their draws."""
    game, _ = started("vingtsept", 4, mode="custom", atouts=4)
    met: dict[str, int] = {}
    chance = random.Random(5)

    for _ in range(1200):
        if game.status != "playing":
            break
        seat = game.to_act[0]
        choices = [
            action for action in RULES.legal_actions(RULES.view(game.state, seat)) if type(action).__name__ != "Pass"
        ]
        move = play.act(game, seat, chance.choice(choices), SEED, NOON)
        for record in move.records:
            kind = record.event.type
            name = plain(record.event)["atout"] if kind == "atout_played" else kind
            met[name] = met.get(name, 0) + 1
        game = move.table
        assert sorted(game.state.cards()) == sorted(PACK)

    assert met["pile_reshuffled"] > 5
    assert met["miroir"]
    assert met["recyclage"]


def test_a_games_events_are_the_same_for_the_same_seed_and_choices() -> None:
    games = []
    for _ in range(2):
        game, records = started("vingtsept", 3)
        for _ in at_random(game, records, random.Random(1)):
            pass
        games.append([plain(record.event) for record in records])

    assert games[0] == games[1]


@pytest.mark.parametrize("seats, given", SETTINGS)
def test_the_random_stream_is_used_in_the_order_of_events(seats: int, given: dict[str, Any]) -> None:
    """details.md, Random stream: every draw of a whole game once more, from its events alone."""
    for number in range(4):
        seed = bytes([40 + number]) * 32
        game, records = started("vingtsept", seats, seed, **given)
        for _ in at_random(game, records, random.Random(number), seed):
            pass
        events = [(record.event.type, plain(record.event)) for record in records]
        assert redrawn(events, seed, seats, **_drawn_by(given)) == []


def _drawn_by(given: dict[str, Any]) -> dict[str, Any]:
    return {"teams": given.get("teams", False), "objective": given.get("objective", 27)}
