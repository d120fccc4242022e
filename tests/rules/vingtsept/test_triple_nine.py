"""vingtsept.md, Triple Nine."""

from __future__ import annotations

import pytest

from tests.builders import NOON, Story, only, some_draw, types
from tests.rules.vingtsept.tables import RULES, legal, passes, plain, played, refusal, shown, turns

ENDS = ["triple_nine", "hidden_revealed", "round_scored"]


def triple(seat: int = 0, **given: object) -> Story:
    """Seat 0 has drawn the 9 that makes three, and may place it on its hidden card."""
    story = turns("9C 9D 4C | 5D 6D 7D", pile="9H", **given)
    story.do(seat, kind="draw")
    return story


def test_three_nines_end_the_round_at_once_and_win_it() -> None:
    events = triple().do(0, kind="place", slot="hidden")

    assert types(events) == ["card_placed", *ENDS, "atouts_offered"]
    assert plain(events[1]) == {"seats": [0]}
    assert plain(events[2]) == {"cards": {"0": "9H", "1": "7D"}}
    assert plain(events[3]) == {
        "totals": {"0": 27, "1": 18},
        "winners": [0],
        "price": 5,
        "losses": {"0": 0, "1": 5},
        "hp": {"0": 30, "1": 25},
        "out": [],
        "reason": "triple_nine",
    }


@pytest.mark.parametrize("objective", [9, 18, 36])
def test_it_wins_whatever_the_threshold_bust_or_not(objective: int) -> None:
    scored = only("round_scored", triple(objective=objective).do(0, kind="place", slot="hidden"))

    assert (scored.winners, scored.totals[0]) == ((0,), 27)


def test_it_is_checked_after_a_card_placed_on_a_visible_slot() -> None:
    story = turns("9C 4D 9S | 5D 6D 7D", pile="9H")
    story.do(0, kind="draw")

    assert types(story.do(0, kind="place", slot=1))[:4] == ["card_placed", *ENDS]


def test_it_is_checked_after_each_atout_whoever_completes_it() -> None:
    story = turns("9C 9D 4C | 5D 6D 7D", pile="9H", atouts={0: "mue"})
    assert types(played(story, 0, "mue"))[:4] == ["atout_played", *ENDS]

    story = turns("9C 2D 4C | 9D 6D 9S", atouts={0: "echange"})
    events = played(story, 0, "echange", slot=0, target=1, target_slot=1)
    assert plain(events[1]) == {"seats": [1]}
    assert only("round_scored", events).winners == (1,)


def test_a_mirrored_nine_counts_as_a_nine_everywhere() -> None:
    """Decisions 14 and 26."""
    story = turns("9C 2D 9H | 9D 6D 7D", atouts={0: "miroir"})
    events = played(story, 0, "miroir", slot=1, target=1, target_slot=0)
    assert types(events)[:4] == ["atout_played", *ENDS]

    story = turns("9C 2D 4H | 9D 6D 7D", atouts={0: "miroir"}, pile="KH 9S")
    played(story, 0, "miroir", slot=1, target=1, target_slot=0)
    story.do(1, kind="draw")
    story.do(1, kind="place", slot=1)
    story.do(0, kind="draw")
    assert "hidden" in [action.slot for action in legal(story, 0)]


def test_a_nine_mirrored_away_counts_no_more() -> None:
    story = turns("9C 2D 9H | 4D 6D 7D", atouts={0: "miroir"}, pile="9S")
    played(story, 0, "miroir", slot=0, target=1, target_slot=0)
    passes(story, 1)
    story.do(0, kind="draw")

    assert "triple_nine" not in types(story.do(0, kind="place", slot=1))


def test_at_the_deal_it_ends_the_round_before_any_pick() -> None:
    """Decision 9: over shuffles of a whole deal, the few that give three nines."""
    found = 0
    for position in range(0, 60_000, 64):
        story = Story(RULES, 4)
        events = RULES.start(story.state, NOON, some_draw(position))
        dealt = only("round_dealt", events[:2])
        nines = [
            seat for seat in range(4) if all(card[0] == "9" for card in (*dealt.visible[seat], dealt.hidden[seat]))
        ]
        if nines:
            assert types(events)[:5] == ["starter_drawn", "round_dealt", *ENDS]
            assert plain(events[2]) == {"seats": nines}
            found += 1
        else:
            assert types(events)[2] == "atouts_offered"
    assert found > 0


def test_two_at_once_make_the_round_void() -> None:
    """Both get their third nine by one swap of nines against mirrored ones; here by a state that is one step off."""
    story = turns("9C 9D 4C | 9H 6D 9S", atouts={0: "bouclier"})
    holdings = story.state.holdings
    story.state = story.state.with_hidden(0, holdings[0].hidden.worth(9))
    story.state = story.state.with_visible(1, 1, holdings[1].visible[1].worth(9))

    events = played(story, 0, "bouclier")

    assert types(events)[:4] == ["atout_played", *ENDS]
    assert plain(events[1]) == {"seats": [0, 1]}
    assert plain(events[3]) == {
        "totals": {"0": 27, "1": 27},
        "winners": [],
        "price": 0,
        "losses": {"0": 0, "1": 0},
        "hp": {"0": 30, "1": 30},
        "out": [],
        "reason": "void",
    }
    assert types(events)[4:6] == ["round_dealt", "atouts_offered"]  # no reward


# --- the reward ---------------------------------------------------------------------------------------------------


def rewarded(hand: str = "") -> Story:
    story = triple(atouts={0: hand})
    story.do(0, kind="place", slot="hidden")
    return story


def test_the_holder_picks_three_of_nine_before_the_next_round() -> None:
    story = rewarded()
    offers = story.state.holdings[0].offers
    assert len(set(offers)) == 9
    assert RULES.to_act(story.state) == (0,)
    clocks = [RULES.turn(story.state, 0)]

    for number, key in enumerate(offers[:3], start=1):
        assert [action.atout for action in legal(story, 0)] == list(offers[number - 1 :])
        events = story.do(0, kind="pick", atout=key)
        clocks.append(RULES.turn(story.state, 0))
        assert types(events)[:1] == ["atout_picked"]
        assert types(events)[1:] == ([] if number < 3 else ["round_dealt", "atouts_offered", "atouts_offered"])

    assert story.state.holdings[0].atouts == offers[:3]
    assert sorted(set(clocks)) == clocks  # a clock for each pick


def test_a_picked_one_is_no_longer_offered() -> None:
    story = rewarded()
    first = story.state.holdings[0].offers[4]
    story.do(0, kind="pick", atout=first)

    assert refusal(story, 0, kind="pick", atout=first) == "not-offered"
    assert refusal(story, 0, kind="draw") == "wrong-phase"
    assert refusal(story, 1, kind="draw") == "not-your-turn"


def test_the_nine_are_private() -> None:
    story = triple()
    offered = only("atouts_offered", story.do(0, kind="place", slot="hidden"))

    assert shown(story, offered, 0) == plain(offered)
    assert shown(story, offered, 1) == shown(story, offered, None) == {"seat": 0, "offers": 9}


@pytest.mark.parametrize("held, picks", [(6, 3), (7, 2), (8, 1)])
def test_the_limit_of_nine_cuts_the_reward(held: int, picks: int) -> None:
    story = rewarded("gel " * held)

    for left in range(picks, 0, -1):
        assert RULES.phase(story.state) == "reward"
        events = story.do(0, kind="pick", atout=story.state.holdings[0].offers[0])
        assert ("round_dealt" in types(events)) is (left == 1)


def test_no_reward_with_nine_in_hand() -> None:
    """Decision 25."""
    events = triple(atouts={0: "gel " * 9}).do(0, kind="place", slot="hidden")

    assert types(events) == ["card_placed", *ENDS, "round_dealt", "atouts_offered"]
    assert only("atouts_offered", events).seat == 1


def test_no_reward_when_the_game_is_over() -> None:
    story = triple(hp=[30, 5])

    events = story.do(0, kind="place", slot="hidden")

    assert types(events) == ["card_placed", *ENDS]
    assert RULES.standing(story.state) is not None


def test_in_teams_the_holders_team_wins() -> None:
    story = turns("9C 9D 4C | 5D 6D 7D | 2S 3S 4S | 2H 3H 4H", pile="9H", teams=True)
    story.do(0, kind="draw")

    events = story.do(0, kind="place", slot="hidden")

    scored = only("round_scored", events)
    assert scored.winners == (0, 2)
    assert scored.losses == {0: 0, 1: 5, 2: 0, 3: 5}
    assert only("atouts_offered", events).seat == 0


def test_two_team_mates_at_once_make_the_round_void_too() -> None:
    """Decision 26."""
    story = turns("9C 9D 4C | 9H 6D 7D | 9S 3S 4S | 2H 3H 4H", atouts={1: "gel"}, teams=True, starter=1)
    holdings = story.state.holdings
    story.state = story.state.with_hidden(0, holdings[0].hidden.worth(9)).with_hidden(2, holdings[2].hidden.worth(9))
    story.state = story.state.with_visible(2, 1, holdings[2].visible[1].worth(9))

    events = played(story, 1, "gel", target=2)

    assert plain(only("triple_nine", events)) == {"seats": [0, 2]}
    assert plain(only("round_scored", events))["reason"] == "void"
