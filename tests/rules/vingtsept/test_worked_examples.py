"""vingtsept.md, Worked examples: one test each, in the words of the page."""

from __future__ import annotations

import pytest

from tests.builders import Story, only, types
from tests.rules.vingtsept.tables import RULES, after, legal, passes, plain, played, refusal, seat_view, turns

MINUTE = 60


def result(text: str, **given: object) -> object:
    story = turns(text, **given)
    return only("round_scored", passes(story, *range(story.seats)))


def test_1_threshold_27_13_9_5_beats_26_and_28_is_bust() -> None:
    scored = result("KC 9C 5C | KD 9D 4D | KH 9H 6H")

    assert plain(scored)["totals"] == {"0": 27, "1": 26, "2": 28}
    assert plain(scored)["winners"] == [0]
    assert plain(result("KC 9C 6C | 2D 3D 4D"))["winners"] == [1]


def test_2_all_bust_costs_all_5() -> None:
    assert plain(result("KC QC JC | KD QD JD | KH QH JH"))["losses"] == {"0": 5, "1": 5, "2": 5}


def test_3_26_and_26_tie_and_replace_their_hidden_cards() -> None:
    story = turns("KC 9C 4C | KD 9D 4D | 2H 3H 4H")

    events = passes(story, 0, 1, 2)

    drawn = [event for event in events if event.type == "decision_drawn"]
    assert sorted(plain(drawn[0])["cards"]) == ["0", "1"]
    scored = only("round_scored", events)
    assert len(scored.winners) == 1
    assert scored.totals[scored.winners[0]] <= 27
    assert scored.totals[2] == 9


@pytest.mark.parametrize("number, minutes, price", [(3, 14, 15), (1, 15, 15), (2, 30, 30)])
def test_4_prices_by_round_and_time(number: int, minutes: int, price: int) -> None:
    story = turns("2C 3C 4C | 8D 9D TD", round=number)
    passes(story, 0)

    assert plain(only("round_scored", after(story, minutes * MINUTE, 1, kind="pass")))["losses"]["0"] == price


def test_5_a_nine_may_go_to_hidden_on_9_9_and_not_on_9_8() -> None:
    for visible, allowed in (("9C 9D", True), ("9C 8D", False)):
        story = turns(f"{visible} 2C | 5D 6D 7D", pile="9H")
        story.do(0, kind="draw")
        assert ("hidden" in [action.slot for action in legal(story, 0)]) is allowed
        if not allowed:
            assert refusal(story, 0, kind="place", slot="hidden") == "slot"


@pytest.mark.parametrize("threshold", [27, 18])
def test_6_9_9_9_ends_the_round_before_any_reveal(threshold: int) -> None:
    story = turns("9C 2D 9S | 5D 6D 7D", pile="9H", objective=threshold)
    story.do(0, kind="draw")

    events = story.do(0, kind="place", slot=1)

    assert types(events)[:2] == ["card_placed", "triple_nine"]
    assert only("round_scored", events).winners == (0,)


def test_7_pass_pass_draw_gives_three_passes_again() -> None:
    story = turns("2C 3C 4C | 5D 6D 7D")
    for left in (2, 1):
        passes(story, 0)
        assert seat_view(story, 0, None).passes_left == left
        story.do(1, kind="draw")
        story.do(1, kind="place", slot=0)

    story.do(0, kind="draw")

    assert seat_view(story, 0, None).passes_left == 3


def test_8_a_run_of_passes_reveals() -> None:
    two = turns("2C 3C 4C | 5D 6D 7D")
    assert "hidden_revealed" in types(passes(two, 0, 1))

    three = turns("2C 3C 4C | 5D 6D 7D | 8H TH JH")
    passes(three, 0)
    three.do(1, kind="draw")
    three.do(1, kind="place", slot=0)
    assert "hidden_revealed" not in types(passes(three, 2, 0))
    assert "hidden_revealed" in types(passes(three, 1))


def test_9_bouclier_and_sauvetage() -> None:
    for hand, left, out in (("bouclier", 0, (0,)), ("bouclier sauvetage", 1, ())):
        story = turns("2C 3C 4C | 8D 9D TD", hp=[5, 30], round=2, atouts={0: hand})
        played(story, 0, "bouclier")
        passes(story, 1)
        if "sauvetage" in hand:
            played(story, 0, "sauvetage")
            passes(story, 1)
        scored = only("round_scored", passes(story, 0))
        assert (scored.price, scored.hp[0], scored.out) == (10, left, out)


@pytest.mark.parametrize("threshold, after_it", [(27, {18, 36}), (18, {36})])
def test_10_instable(threshold: int, after_it: set[int]) -> None:
    story = turns("2C 3C 4C | 5D 6D 7D", objective=threshold, atouts={0: "instable"})

    assert only("atout_played", played(story, 0, "instable")).effect.threshold in after_it


def test_11_a_gift_to_a_team_mate_with_nine_is_refused() -> None:
    story = turns("2C 3C 4C | 5D 6D 7D | 8H 2H 3H | 2S 3S 5S", teams=True, atouts={0: "gel", 2: "gel " * 9})

    assert refusal(story, 0, kind="give", atout="gel", to=2) == "hand-full"


def test_12_the_team_of_the_best_total_wins_and_the_other_pays_once() -> None:
    story: Story = turns("KC 8C 4C | KD 9D 5D | KH 9H 4H | 2S 3S 7S", teams=True)

    scored = only("round_scored", passes(story, 0, 1, 2, 3))

    assert scored.totals == {0: 25, 1: 27, 2: 26, 3: 12}
    assert scored.winners == (1, 3)
    assert scored.hp == {0: 25, 1: 30, 2: 25, 3: 30}
    assert RULES.phase(story.state) == "picking"
