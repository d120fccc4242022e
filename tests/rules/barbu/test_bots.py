"""Bots of Barbu: they know their view alone, declare and lay sensibly, and each level is worth its name."""

from __future__ import annotations

import pytest

from games.rules import arena
from games.rules.barbu.actions import Declare
from games.rules.barbu.events import TurnPassed
from games.rules.stream import Stream
from games.rules.tricks import CardPlayed, Play
from tests.builders import SEED, Story
from tests.rules.barbu.table import RULES, dealt, declared, play

WHOLE = "JC JD JH TC TD TH QC QD | 7C 7D 7H 7S 8C 8D 8H 8S | AC AD AH AS KC KD KH KS | JS TS QS QH 9C 9D 9H 9S"


def chosen(story: Story, level: str) -> object:
    (seat,) = RULES.to_act(story.state)
    return RULES.bot(RULES.view(story.state, seat), level, Stream(SEED, "bot", ()))  # type: ignore[arg-type]


def test_the_patience_is_declared_with_the_middle_of_the_suits_in_hand() -> None:
    assert chosen(dealt(WHOLE), "normal") == Declare(contract="patience")


def test_the_patience_is_not_declared_with_nothing_but_ends() -> None:
    ends = "7C 7D 7H 7S 8C 8D 8H 8S | JC JD JH TC TD TH QC QD | AC AD AH AS KC KD KH KS | JS TS QS QH 9C 9D 9H 9S"

    assert chosen(dealt(ends), "normal") != Declare(contract="patience")


def test_who_holds_the_king_and_ace_of_hearts_alone_does_not_declare_the_king() -> None:
    bare = "KH AH AC KC AS KS AD KD | 7C 7D 7H 7S 8C 8D 8H 8S | JC JD JH TC TD TH QC QD | JS TS QS QH 9C 9D 9H 9S"

    assert chosen(dealt(bare), "normal") != Declare(contract="king_of_hearts")


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_a_dear_card_is_thrown_where_another_takes_it(level: str) -> None:
    story = declared("queens", "AC 7D 8D | QH AH 9D | 8C TD KD", contracts=["queens"])
    play(story, "AC")

    assert chosen(story, level) == Play(card="QH")


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_the_king_of_hearts_goes_under_the_ace(level: str) -> None:
    story = declared("king_of_hearts", "AH 7D 8D | KH 8H 9D | 9H TD KD", contracts=["king_of_hearts"])
    play(story, "AH")

    assert chosen(story, level) == Play(card="KH")


def test_in_the_patience_one_lays_what_opens_the_way_for_ones_own_cards() -> None:
    hands = "JC JD TC 9C 8C | QC KC AC TD 9D | JH JS 8D QD KD"
    story = declared("patience", hands)

    assert chosen(story, "normal") == Play(card="JC")


def test_after_an_ace_a_further_card_is_laid() -> None:
    story = declared("patience", "AH JS 8C 9C | QC KC AC TC | 9D QD KD AD")
    story.given(*(CardPlayed(seat=0, card=card) for card in ("JH", "QH", "KH")))
    story.given(TurnPassed(seat=2))
    play(story, "AH")

    assert chosen(story, "normal") == Play(card="JS")


def test_normal_beats_easy_clearly() -> None:
    match = arena.Match(RULES, 4, "normal", "easy", 3, alone=True)

    assert sum(arena.share_of_wins(match, number) for number in range(8)) >= 5


def test_the_choice_follows_from_the_view_and_the_noise_alone() -> None:
    story = dealt(WHOLE)

    for level in ("easy", "normal", "hard"):
        assert chosen(story, level) == chosen(story, level)
