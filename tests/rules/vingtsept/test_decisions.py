"""vingtsept.md, Decisions: one test for each that no other file names; the list at the end says where the rest are."""

from __future__ import annotations

from games.rules.ruleset import Events
from games.rules.vingtsept.atouts import ATOUTS
from tests.builders import only, types
from tests.rules.vingtsept.tables import RULES, passes, plain, played, refused, seat_view, shown, turns

TWO = "2C 3C 4C | 5D 6D 7D"


def test_2_a_drawn_card_is_seen_by_all_before_it_is_placed() -> None:
    story = turns(TWO, pile="KH")
    drawn = only("card_drawn", story.do(0, kind="draw"))

    assert shown(story, drawn, None) == {"seat": 0, "cards": ["KH"]}


def test_6_hp_change_at_the_end_of_a_round_only() -> None:
    story = turns(TWO, atouts={0: "enchere bouclier", 1: "gel parade"})
    for seat, atout, more in ((0, "enchere", {}), (1, "parade", {}), (0, "bouclier", {}), (1, "gel", {"target": 0})):
        played(story, seat, atout, **more)
        assert [view.hp for view in RULES.view(story.state, None).seats] == [30, 30]


def test_8_objective_9_is_playable_and_triple_nine_holds_there_too() -> None:
    scored = only("round_scored", passes(turns("2C 3C 4C | 5D 6D 7D", objective=9), 0, 1))
    assert scored.winners == (0,)

    story = turns("9C 2D 9S | 5D 6D 7D", pile="9H", objective=9)
    story.do(0, kind="draw")
    assert only("round_scored", story.do(0, kind="place", slot=1)).reason == "triple_nine"


def test_12_a_skipped_turn_uses_up_a_brouillage_too() -> None:
    story = turns(TWO, atouts={0: "brouillage gel", 1: "bouclier bouclier"})
    story.state = story.state.with_effect(1, "brouillage")

    played(story, 0, "gel", target=1)
    passes(story, 0)

    assert types(story.when(1, kind="atout", atout="bouclier")) == ["atout_played"]


def test_13_nothing_stacks() -> None:
    story = turns("2C 3C 4C | 5D 6D 7D | 8H TH JH", atouts={0: "gel", 2: "gel"}, starter=2)
    played(story, 2, "gel", target=1)
    events = played(story, 0, "gel", target=1)

    assert types(events) == ["atout_played", "turn_skipped"]
    assert plain(events[0])["effect"] == {}
    passes(story, 2, 0)
    assert RULES.to_act(story.state) == (1,)  # one turn was skipped, not two


def test_13_two_shields_of_one_seat_halve_once() -> None:
    story = turns("2C 3C 4C | 8D 9D TD", atouts={0: "bouclier bouclier"}, round=3)
    played(story, 0, "bouclier")
    passes(story, 1)
    played(story, 0, "bouclier")

    assert only("round_scored", passes(story, 1, 0)).losses[0] == 8


def test_13_two_parries_cancel_one() -> None:
    story = turns(TWO, atouts={0: "parade parade", 1: "gel gel"})
    played(story, 0, "parade")
    passes(story, 1)
    played(story, 0, "parade")
    played(story, 1, "gel", target=0)
    assert seat_view(story, 0, None).effects == ()
    passes(story, 0)

    assert types(played(story, 1, "gel", target=0)) == ["atout_played", "turn_skipped"]


def test_13_a_second_rescue_may_be_played_and_adds_nothing() -> None:
    story = turns(TWO, atouts={0: "sauvetage sauvetage"})
    played(story, 0, "sauvetage")
    passes(story, 1)

    assert plain(played(story, 0, "sauvetage")[0])["effect"] == {}
    assert seat_view(story, 0, None).effects == ("sauvetage",)


def test_14_a_value_goes_with_its_card_and_ends_when_the_card_leaves_the_table() -> None:
    story = turns(TWO, atouts={0: "miroir recyclage", 1: "echange"}, pile="KH")
    played(story, 0, "miroir", slot=0, target=1, target_slot=1)  # 2C counts 6

    played(story, 1, "echange", slot=0, target=0, target_slot=0)
    moved = seat_view(story, 1, None).visible[0]
    assert (moved.card, moved.value) == ("2C", 6)

    passes(story, 0)
    story.do(1, kind="draw")
    story.do(1, kind="place", slot=0)  # 2C is discarded
    played(story, 0, "recyclage", slot=0)  # and comes back as it is
    back = seat_view(story, 0, None).visible[0]
    assert (back.card, back.value) == ("2C", None)


def test_14_a_value_goes_along_through_permutation() -> None:
    story = turns(TWO, atouts={0: "miroir permutation permutation"})
    played(story, 0, "miroir", slot=0, target=1, target_slot=1)
    passes(story, 1)
    played(story, 0, "permutation", slot=0)
    assert (seat_view(story, 0, 0).hidden.card, seat_view(story, 0, 0).hidden.value) == ("2C", 6)
    passes(story, 1)

    event = only("atout_played", played(story, 0, "permutation", slot=1))

    assert plain(event)["effect"] == {"card": "2C", "value": 6}


def test_18_the_next_starter_follows_the_previous_starter_also_after_a_void_round() -> None:
    story = turns("9C 9D 4C | 9H 6D 9S | 2C 3C 5C", atouts={1: "bouclier"}, starter=1)
    holdings = story.state.holdings
    story.state = story.state.with_hidden(0, holdings[0].hidden.worth(9))
    story.state = story.state.with_visible(1, 1, holdings[1].visible[1].worth(9))

    events = played(story, 1, "bouclier")

    assert only("round_scored", events).reason == "void"
    assert only("round_dealt", events).starter == 2


def test_19_passes_freezes_jams_and_parries_start_anew_each_round() -> None:
    story = turns(TWO)
    for seat in (0, 1):
        for effect in ("gel", "brouillage", "parade"):
            story.state = story.state.with_effect(seat, effect)
    story.state = story.state.with_seat(0, passes_left=1)

    events = story.do(0, kind="pass")

    assert "round_dealt" in types(events)
    for seat in (0, 1):
        assert seat_view(story, seat, None).effects == ()
        assert seat_view(story, seat, None).passes_left == 3


def test_20_any_seat_can_force_the_reveal_with_three_passes() -> None:
    story = turns("2C 3C 4C | 5D 6D 7D | 8H TH JH")
    for _ in range(2):
        passes(story, 0)
        for seat in (1, 2):
            story.do(seat, kind="draw")
            story.do(seat, kind="place", slot=0)

    assert "hidden_revealed" in types(passes(story, 0))


def test_26_a_card_that_was_seen_before_it_became_hidden_is_not_shown_again() -> None:
    story = turns(TWO, atouts={0: "permutation"})
    played(story, 0, "permutation", slot=0)

    assert seat_view(story, 0, 1).hidden is None
    assert seat_view(story, 0, None).total is None


def test_28_the_order_is_price_raise_shield_rescue() -> None:
    story = turns("2C 3C 4C | 8D 9D TD", hp=[15, 30], round=3, atouts={0: "enchere bouclier sauvetage"})
    events: Events = ()
    for atout in ("enchere", "bouclier", "sauvetage"):
        played(story, 0, atout)
        events = passes(story, 1)

    scored = only("round_scored", events)

    assert (scored.price, scored.losses[0], scored.hp[0]) == (30, 14, 1)  # 15 → 30 → 15 → rescue


def test_nobody_plays_what_it_does_not_hold() -> None:
    """Decision 1 names all seventeen: without one in hand each is refused."""
    story = turns(TWO)
    sample = {"slot": 0, "target": 1, "target_slot": 0, "delta": 1}
    for key, unit in ATOUTS.items():
        assert refused(story, 0, key, **{name: sample[name] for name in unit.parameters}) == "not-held"


# Elsewhere: 1 and 10 test_atouts; 3, 4, 5, 16, 24 test_reveal; 7 test_options and test_rounds (bots pick through the
# service); 9, 25 test_triple_nine; 11, 15, 21 test_turns; 17, 23 test_teams; 22 test_atouts; 27 test_end.
