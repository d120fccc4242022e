"""vingtsept.md, Teams: shared HP, one price, gifts out of turn."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import Story, only, types
from tests.rules.vingtsept.tables import (
    RULES,
    legal,
    passes,
    plain,
    played,
    refusal,
    seat_view,
    shown,
    table,
    turns,
)

TEXT = "2C 3C 4C | 5D 6D 7D | 8H 2H 3H | 2S 3S 5S"  # 9, 18, 13, 10


def team(text: str = TEXT, **given: Any) -> Story:
    return turns(text, teams=True, **given)


def give(story: Story, seat: int, atout: str, to: int) -> Any:
    return story.do(seat, kind="give", atout=atout, to=to)


# --- winning and losing -------------------------------------------------------------------------------------------


def test_a_team_wins_if_one_of_its_seats_has_the_best_total() -> None:
    scored = only("round_scored", passes(team(), 0, 1, 2, 3))

    assert scored.winners == (1, 3)
    assert scored.losses == {0: 5, 1: 0, 2: 5, 3: 0}  # shared: the price once
    assert scored.hp == {0: 25, 1: 30, 2: 25, 3: 30}


def test_tied_team_mates_need_no_decision() -> None:
    events = passes(team("2C 3C 4C | 5D 6D 7D | 8H 2H 3H | 2S 6S TS"), 0, 1, 2, 3)

    assert "decision_drawn" not in types(events)
    assert only("round_scored", events).winners == (1, 3)


def test_two_mates_tied_with_an_opponent_all_draw() -> None:
    """Decision 26."""
    events = passes(team("2C 3C 4C | 5D 6D 7D | 8H 2H 8C | 2S 6S TS"), 0, 1, 2, 3)

    first = next(event for event in events if event.type == "decision_drawn")
    assert sorted(plain(first)["cards"]) == ["1", "2", "3"]


def test_two_shields_in_one_team_halve_once() -> None:
    """Decision 13."""
    story = team(atouts={0: "bouclier", 2: "bouclier"}, round=3)
    played(story, 0, "bouclier")
    passes(story, 1)
    played(story, 2, "bouclier")

    scored = only("round_scored", passes(story, 3, 0, 1, 2))

    assert (scored.price, scored.losses[0], scored.losses[2]) == (15, 8, 8)


def test_a_mates_shield_counts_for_the_team() -> None:
    story = team(atouts={2: "bouclier"}, starter=2)
    played(story, 2, "bouclier")

    assert only("round_scored", passes(story, 3, 0, 1, 2)).losses == {0: 3, 1: 0, 2: 3, 3: 0}


def test_in_a_general_bust_each_team_loses_5_once() -> None:
    scored = only("round_scored", passes(team("KC QC JC | KD QD JD | KH QH JH | KS QS JS"), 0, 1, 2, 3))

    assert scored.losses == {0: 5, 1: 5, 2: 5, 3: 5}
    assert scored.hp == {0: 25, 1: 25, 2: 25, 3: 25}


def test_a_general_bust_that_takes_both_teams_leaves_both_at_1() -> None:
    story = team("KC QC JC | KD QD JD | KH QH JH | KS QS JS", hp=[5, 4, 5, 4])

    assert only("round_scored", passes(story, 0, 1, 2, 3)).hp == {0: 1, 1: 1, 2: 1, 3: 1}


def test_a_team_at_0_has_lost_and_mates_share_the_place() -> None:
    """Decision 23."""
    story = team(hp=[5, 10, 5, 10])

    events = passes(story, 0, 1, 2, 3)

    assert only("round_scored", events).out == (0, 2)
    assert types(events)[-1] == "round_scored"
    places = RULES.standing(story.state)
    assert places is not None
    assert [(place.seat, place.place, place.score) for place in places] == [
        (0, 3, 0),
        (1, 1, 10),
        (2, 3, 0),
        (3, 1, 10),
    ]


# --- gifts --------------------------------------------------------------------------------------------------------


def test_a_gift_goes_to_the_mate_also_out_of_turn() -> None:
    story = team(atouts={2: "gel mue"})
    before = RULES.to_act(story.state), [RULES.turn(story.state, seat) for seat in RULES.to_act(story.state)]

    events = give(story, 2, "gel", 0)

    assert [plain(event) for event in events] == [{"seat": 2, "to": 0, "atout": "gel"}]
    assert [story.state.holdings[seat].atouts for seat in (0, 2)] == [("gel",), ("mue",)]
    assert before == (
        RULES.to_act(story.state),
        [RULES.turn(story.state, seat) for seat in RULES.to_act(story.state)],
    )


def test_giver_and_taker_alone_see_which() -> None:
    story = team(atouts={2: "gel"})

    event = only("atout_given", story.when(2, kind="give", atout="gel", to=0))

    assert shown(story, event, 0) == shown(story, event, 2) == plain(event)
    assert [shown(story, event, viewer) for viewer in (1, 3, None)] == [{"seat": 2, "to": 0}] * 3


def test_gifts_are_legal_actions_of_seats_that_are_not_to_act() -> None:
    story = team(atouts={2: "gel mue gel", 1: "parade"})

    assert [(action.atout, action.to) for action in legal(story, 2)] == [("gel", 0), ("mue", 0)]
    assert [(action.atout, action.to) for action in legal(story, 1)] == [("parade", 3)]
    assert legal(story, 3) == ()


@pytest.mark.parametrize("phase", ["picking", "turn", "placing", "double-placing", "reward"])
def test_a_gift_is_possible_whenever_the_game_waits(phase: str) -> None:
    """Decision 17."""
    text = "9C 9D 4C | 5D 6D 7D | 8H 2H 3H | 2S 3S 5S"
    make = table if phase == "picking" else turns
    story = make(text, teams=True, atouts={0: "double_pioche gel", 2: "mue"}, pile="9H")
    if phase == "double-placing":
        played(story, 0, "double_pioche")
    elif phase in ("placing", "reward"):
        story.do(0, kind="draw")
    if phase == "reward":
        story.do(0, kind="place", slot="hidden")
    assert RULES.phase(story.state) == phase

    for seat, atout, to in ((2, "mue", 0), (0, "gel", 2)):
        assert types(story.when(seat, kind="give", atout=atout, to=to)) == ["atout_given"]
        assert ("give", atout) in [
            (type(action).__name__.lower(), getattr(action, "atout", "")) for action in legal(story, seat)
        ]


def test_a_gift_is_no_turn() -> None:
    story = team(atouts={0: "gel"})

    give(story, 0, "gel", 2)

    assert RULES.to_act(story.state) == (0,)
    assert types(story.do(0, kind="draw")) == ["card_drawn"]


@pytest.mark.parametrize("to", [-1, 0, 1, 3, 4])
def test_only_the_mate_can_be_given_to(to: int) -> None:
    assert refusal(team(atouts={0: "gel"}), 0, kind="give", atout="gel", to=to) == "not-team-mate"


def test_without_teams_nobody_has_a_mate() -> None:
    story = turns("2C 3C 4C | 5D 6D 7D", atouts={0: "gel", 1: "gel"})

    assert refusal(story, 0, kind="give", atout="gel", to=1) == "not-team-mate"
    assert refusal(story, 1, kind="give", atout="gel", to=0) == "not-team-mate"  # never not-your-turn


def test_one_that_is_not_held_cannot_be_given() -> None:
    assert refusal(team(atouts={0: "gel"}), 0, kind="give", atout="mue", to=2) == "not-held"


def test_a_mate_with_nine_takes_no_more() -> None:
    story = team(atouts={0: "gel", 2: "mue " * 9})

    assert refusal(story, 0, kind="give", atout="gel", to=2) == "hand-full"
    assert "Give" not in [type(action).__name__ for action in legal(story, 0)]


def test_of_two_equal_ones_the_first_to_arrive_is_given() -> None:
    story = team(atouts={0: "gel mue gel"})

    give(story, 0, "gel", 2)

    assert story.state.holdings[0].atouts == ("mue", "gel")


def test_a_mate_who_gets_to_nine_loses_its_open_offer_and_remaining_picks() -> None:
    """Decision 17."""
    story = table(TEXT, teams=True, atouts={0: "gel", 2: "mue " * 8})
    story.state = story.state.with_seat(2, offers=("parade", "gel", "mue"))
    assert RULES.to_act(story.state) == (0, 1, 2, 3)

    give(story, 0, "gel", 2)

    assert RULES.to_act(story.state) == (0, 1, 3)
    assert RULES.view(story.state, 2).offers == ()
    assert seat_view(story, 2, None).picks_left == 0


def test_if_all_others_have_picked_the_turns_begin_with_such_a_gift() -> None:
    nine = "mue " * 9
    story = table(TEXT, teams=True, atouts={0: nine, 1: nine, 2: "mue " * 8, 3: nine}, starter=1)
    assert RULES.to_act(story.state) == (2,)

    give(story, 0, "mue", 2)

    assert RULES.phase(story.state) == "turn"
    assert RULES.to_act(story.state) == (1,)


def test_who_gives_while_picking_still_picks_its_full_number() -> None:
    story = table(TEXT, teams=True, atouts={0: "gel"})

    give(story, 0, "gel", 2)

    assert seat_view(story, 0, None).picks_left == 3


def test_who_begins_with_nine_picks_none_even_after_giving() -> None:
    story = table(TEXT, teams=True, atouts={0: "mue " * 9})

    give(story, 0, "mue", 2)

    assert 0 not in RULES.to_act(story.state)


def test_a_gift_that_fills_the_holders_hand_ends_the_reward() -> None:
    story = team("9C 9D 4C | 5D 6D 7D | 8H 2H 3H | 2S 3S 5S", atouts={0: "mue " * 8, 2: "gel"}, pile="9H")
    story.do(0, kind="draw")
    story.do(0, kind="place", slot="hidden")
    assert RULES.phase(story.state) == "reward"

    events = give(story, 2, "gel", 0)

    assert types(events)[:2] == ["atout_given", "round_dealt"]


def test_after_the_end_nothing_is_given() -> None:
    story = team(hp=[5, 10, 5, 10], atouts={0: "gel"})
    passes(story, 0, 1, 2, 3)

    assert refusal(story, 0, kind="give", atout="gel", to=2) == "not-your-turn"
    assert legal(story, 0) == ()


def test_hidden_cards_and_atouts_are_not_shared() -> None:
    story = team(atouts={2: "gel"})

    view = RULES.view(story.state, 0)

    assert view.seats[2].hidden is None
    assert view.seats[2].total is None
    assert view.atouts == ()
    assert view.seats[2].atouts == 1
