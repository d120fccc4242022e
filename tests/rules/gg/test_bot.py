"""What GG's bots do in positions where it is plain what to do."""

from __future__ import annotations

from games.rules.bidding import Bid
from games.rules.gg.actions import Action, Play
from tests.builders import Story, some_draw
from tests.rules.gg.tables import RULES, bid, dealt, play


def choice(story: Story, level: str = "normal") -> Action:
    (seat,) = RULES.to_act(story.state)
    return RULES.bot(RULES.view(story.state, seat), level, some_draw())  # type: ignore[arg-type]


def test_strong_hands_are_bid_high_and_weak_ones_low() -> None:
    assert choice(dealt("AD AH AS | 2C 2D 2H")) == Bid(tricks=3)
    assert choice(dealt("2C 2D 2H | AD AH AS")) == Bid(tricks=0)


def test_the_forbidden_bid_is_avoided() -> None:
    story = dealt("AD AH AS | 2C 2D 2H")
    bid(story, 3)

    assert choice(story) == Bid(tricks=1)


def test_with_one_card_the_others_cards_decide() -> None:
    assert choice(dealt("AD | 2C")) == Bid(tricks=1), "all but three cards beat a 2 or tie with it first"
    assert choice(dealt("2C | AH")) == Bid(tricks=0)
    assert choice(dealt("2C | AD | 3C", starter=2)) == Bid(tricks=0), "nothing beats the ace of diamonds"


def test_with_one_card_a_tie_is_nothing_under_cut() -> None:
    assert choice(dealt("2C | AH", cut=True)) == Bid(tricks=0)


def test_who_needs_all_tricks_plays_what_wins_most_likely() -> None:
    story = dealt("AD 3H | KC 2D")
    bid(story, 2, 1)

    assert choice(story) == Play(card="AD")


def test_who_needs_no_trick_gets_rid_of_a_high_card_under_a_higher_one() -> None:
    story = dealt("AH 2C | KC 3D")
    bid(story, 1, 0)
    play(story, "AH")

    assert choice(story) == Play(card="KC")


def test_who_needs_no_trick_and_must_take_one_takes_it_as_low_as_can_be() -> None:
    story = dealt("2H 3C | KC 3D")
    bid(story, 0, 0)
    play(story, "2H")

    assert choice(story) == Play(card="3D")


def test_who_needs_some_tricks_takes_a_sure_one_cheaply() -> None:
    story = dealt("2H 3C 4C | KC 3D 2S")
    bid(story, 1, 1)
    play(story, "2H")

    assert choice(story) == Play(card="3D")


def test_who_cannot_win_keeps_the_high_cards() -> None:
    story = dealt("AD 3C 4C | KC 5D 2S")
    bid(story, 1, 1)
    play(story, "AD")

    assert choice(story) == Play(card="2S")


def test_the_joker_is_played_high_to_win_and_low_to_lose() -> None:
    winning = dealt("KC 2C | JK 2D", joker=True)
    bid(winning, 0, 1)
    play(winning, "KC")
    losing = dealt("KC 2C | JK 2D", joker=True)
    bid(losing, 0, 0)
    play(losing, "KC")

    taken, left = choice(winning), choice(losing)

    assert isinstance(taken, Play)
    assert isinstance(left, Play)
    assert (taken.card, taken.named and taken.named[0]) == ("JK", "A")
    assert left.card == "JK"
    assert left.named is not None
    assert left.named[0] != "A"


def test_easy_bots_do_anything_that_is_allowed() -> None:
    story = dealt("JK 2C | AH 2D", joker=True)
    bid(story, 0, 0)
    view = RULES.view(story.state, 0)
    draw = some_draw()

    chosen = [RULES.bot(view, "easy", draw) for _ in range(60)]

    assert {action.card for action in chosen if isinstance(action, Play)} == {"JK", "2C"}
    assert all(isinstance(action, Play) and (action.card != "JK" or action.named) for action in chosen)
