"""27 through the services: refusals in the words of the wire contract."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from config.wire.problems import Problem
from games.store.load import load
from tests.games import Someone, moved, somebody, started


def table_of(game_id: str) -> Any:
    loaded = load(game_id)
    assert loaded is not None
    return loaded.table


def all_picked(game_id: str, players: list[Someone]) -> None:
    """Every seat takes what it is offered first, a Triple Nine's holder too."""
    while (table := table_of(game_id)).ruleset.phase(table.state) in ("picking", "reward"):
        seat = table.to_act[0]
        pick = table.ruleset.legal_actions(table.ruleset.view(table.state, seat))[0]
        moved(players[seat], game_id, msgspec.to_builtins(pick))


def refused(player: Someone, game_id: str, action: dict[str, Any]) -> Problem:
    with pytest.raises(Problem) as caught:
        moved(player, game_id, action)
    return caught.value


def test_card_after_a_plain_draw_is_a_validation_problem() -> None:
    """details.md, Shapes."""
    players = [somebody(), somebody()]
    game_id = started(players, rules="vingtsept")
    all_picked(game_id, players)
    seat = table_of(game_id).to_act[0]
    drawn = moved(players[seat], game_id, {"type": "draw"})["events"][-1]["data"]["cards"][0]

    problem = refused(players[seat], game_id, {"type": "place", "slot": 0, "card": drawn})

    assert problem.code == "validation"
    assert list(problem.facts["errors"]) == ["action"]


def test_numbers_out_of_range_are_illegal_moves_and_unknown_words_are_not_valid() -> None:
    """details.md: `illegal-move` with their reason, or `validation`."""
    players = [somebody(), somebody()]
    game_id = started(players, rules="vingtsept")
    all_picked(game_id, players)
    seat = table_of(game_id).to_act[0]
    moved(players[seat], game_id, {"type": "draw"})

    far = refused(players[seat], game_id, {"type": "place", "slot": 9})
    word = refused(players[seat], game_id, {"type": "place", "slot": "left"})

    assert (far.code, far.facts["reason"]) == ("illegal-move", "slot")
    assert word.code == "validation"
    assert refused(players[1 - seat], game_id, {"type": "draw"}).code == "not-your-turn"


def test_a_gift_without_teams_is_no_matter_of_turns() -> None:
    players = [somebody(), somebody()]
    game_id = started(players, rules="vingtsept")
    all_picked(game_id, players)
    waiting = 1 - table_of(game_id).to_act[0]

    problem = refused(players[waiting], game_id, {"type": "give", "atout": "gel", "to": 1 - waiting})

    assert (problem.code, problem.facts["reason"]) == ("illegal-move", "not-team-mate")
