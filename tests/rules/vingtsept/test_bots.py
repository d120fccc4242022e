"""Bots: they play by the view, with purpose, `normal` far better than `easy`, and every game of theirs ends."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.rules import play
from games.rules.arena import Match, share_of_wins, wilson
from games.rules.conformance.playthrough import LEVELS, Case
from games.rules.lifecycle import Level
from games.rules.stream import Stream
from games.rules.vingtsept import bot
from tests.builders import NOON, SEED, Story
from tests.rules.trials import started
from tests.rules.vingtsept.tables import RULES, legal, passes, table, turns

BOT_GAMES = int(os.environ.get("BOT_GAMES", "100"))  # 10000 for the long run
MATCHES = 200
MOVES = 3000  # far above the longest game


def chosen(story: Story, seat: int = 0, level: Level = "hard") -> dict[str, Any]:
    action = RULES.bot(RULES.view(story.state, seat), level, Stream(SEED, "noise", ()))
    wire: dict[str, Any] = msgspec.to_builtins(action)
    return wire


# --- strength -----------------------------------------------------------------------------------------------------


def test_normal_beats_easy() -> None:
    match = Match(RULES, 2, "normal", "easy", 0)

    wins = sum(share_of_wins(match, number) for number in range(MATCHES))

    assert wilson(wins, MATCHES).low > 0.7


def test_hard_beats_normal() -> None:
    match = Match(RULES, 2, "hard", "normal", 0)

    wins = sum(share_of_wins(match, number) for number in range(MATCHES))

    assert wins > MATCHES / 2


@pytest.mark.timeout(3600)
def test_games_of_bots_end() -> None:
    """All modes, seats and levels; `BOT_GAMES=10000` plays as many and prints the longest."""
    longest = (0, 0)
    for number in range(BOT_GAMES):
        moves, rounds = _moves(number)
        longest = max(longest, (moves, rounds))
    print(f"{BOT_GAMES} games of bots, the longest with {longest[0]} moves, in {longest[1]} rounds")

    assert 0 < longest[0] < MOVES


def _moves(number: int) -> tuple[int, int]:
    noise = Case(RULES, number=number).noise("bots")
    seats, given = RULES.sample_options(noise)
    levels = [LEVELS[noise.below(3)] for _ in range(seats)]
    seed = Case(RULES, number=number).bytes_for("seed")
    game, _ = started("vingtsept", seats, seed, **given)
    for moves in range(MOVES):
        if game.status != "playing":
            return moves, game.state.round
        seat = game.to_act[noise.below(len(game.to_act))]
        action = RULES.bot(RULES.view(game.state, seat), levels[seat], noise)
        game = play.act(game, seat, action, seed, NOON).table
    raise AssertionError(f"game {number} has not ended after {MOVES} moves")


# --- purposes -----------------------------------------------------------------------------------------------------


def test_it_stays_with_27() -> None:
    assert chosen(turns("KC 9C 5C | 5D 6D 7D")) == {"type": "pass"}


def test_it_draws_when_bust() -> None:
    assert chosen(turns("KC QC JC | 5D 6D 7D")) == {"type": "draw"}


def test_it_adjusts_a_narrow_bust_to_the_threshold() -> None:
    story = turns("KC TC 6C | 8D 9D 7D", atouts={0: "ajustement"})

    assert chosen(story) == {"type": "atout", "atout": "ajustement", "delta": -2}


def test_it_completes_a_triple_nine() -> None:
    story = turns("9C 9D 4C | 5D 6D 7D", pile="9H")
    story.do(0, kind="draw")

    assert chosen(story) == {"type": "place", "slot": "hidden"}


def test_it_swaps_for_the_card_that_it_lacks() -> None:
    story = turns("KC 2C 5C | 9D 6D 7D", atouts={0: "echange"})

    assert chosen(story) == {"type": "atout", "atout": "echange", "slot": 1, "target": 1, "target_slot": 0}


def test_it_raises_when_it_is_likely_to_win() -> None:
    story = turns("KC 9C 5C | 2D 3D 7D", atouts={0: "enchere"}, round=3, hp=[30, 30])

    assert chosen(story) == {"type": "atout", "atout": "enchere"}


def test_it_takes_cover_when_its_life_is_at_stake() -> None:
    story = turns("2C 3C 4C | KD 8D 6D", atouts={0: "sauvetage", 1: "gel"}, hp=[5, 30])

    assert chosen(story) == {"type": "atout", "atout": "sauvetage"}


def test_it_picks_rescue_first_when_it_may_be_needed() -> None:
    story = table("2C 3C 4C | KD 8D 6D", hp=[5, 30])
    story.state = story.state.with_seat(0, offers=("echange", "sauvetage", "gel"))

    assert chosen(story)["atout"] == "sauvetage"


def test_it_counts_what_voyance_has_shown() -> None:
    """A total that was good against the unknown is none against a known 27: it goes on, however slim the chance."""
    known = turns("KC 9C 4C | KD 9D 5D")
    assert chosen(known) == {"type": "pass"}

    known.state = known.state.with_seat(1, shown=True)

    assert chosen(known) == {"type": "draw"}


def test_bots_never_give() -> None:
    """A gift moves nothing on: two bots would hand an Atout to and fro."""
    text = "2C 3C 4C | 5D 6D 7D | 8H 2H 3H | 2S 3S 5S"
    for level in LEVELS:
        story = turns(text, teams=True, atouts=dict.fromkeys(range(4), "gel mue parade"))
        assert "Give" in [type(action).__name__ for action in legal(story, 0)]
        for position in range(30):
            action = RULES.bot(RULES.view(story.state, 0), level, Stream(SEED, "noise", (), position))
            assert type(action).__name__ != "Give"


def test_easy_stays_near_the_threshold_and_draws_far_from_it() -> None:
    near, far = turns("KC 9C 4C | 5D 6D 7D"), turns("2C 3C 4C | 5D 6D 7D")

    assert chosen(near, level="easy") == {"type": "pass"}
    assert chosen(far, level="easy") == {"type": "draw"}


def test_under_random_reveal_a_good_hand_just_waits() -> None:
    story = turns("KC 9C 5C | 5D 6D 7D", random_reveal=True)
    passes(story, 0, 1)

    assert chosen(story) == {"type": "pass"}


@pytest.mark.parametrize("module", ["bot", "odds", "purposes"])
def test_bots_do_not_know_states(module: str) -> None:
    source = Path(bot.__file__).with_name(f"{module}.py").read_text("utf-8")
    imported = {node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}

    assert not {name for name in imported if name and name.endswith((".state", ".evolve", ".decide"))}
