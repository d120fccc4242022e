"""vingtsept.md, Turn: draw and place, pass, and what leads to the Reveal."""

from __future__ import annotations

import pytest

from games.rules.stream import Stream
from tests.builders import Story, only, some_draw, types
from tests.rules.vingtsept.tables import RULES, legal, passes, plain, played, refusal, seat_view, shown, turns

TWO = "2C 3C 4C | 5D 6D 7D"
THREE = "2C 3C 4C | 5D 6D 7D | 8H TH JH"


def draw_and_place(story: Story, seat: int, slot: int | str = 0) -> None:
    story.do(seat, kind="draw")
    story.do(seat, kind="place", slot=slot)


def test_a_drawn_card_is_public_and_replaces_a_visible_one() -> None:
    story = turns(TWO, pile="KH QH")

    drawn = only("card_drawn", story.do(0, kind="draw"))

    assert shown(story, drawn, None) == plain(drawn) == {"seat": 0, "cards": ["KH"]}
    assert RULES.view(story.state, None).drawn == ("KH",)
    assert [action.slot for action in legal(story, 0)] == [0, 1]

    placed = only("card_placed", story.do(0, kind="place", slot=1))

    assert shown(story, placed, None) == {"seat": 0, "slot": 1, "card": "KH", "discarded": ["3C"]}
    assert [card.card for card in seat_view(story, 0, None).visible] == ["2C", "KH"]
    assert RULES.view(story.state, None).discards == ("3C",)
    assert RULES.to_act(story.state) == (1,)


def test_draw_and_place_share_one_clock() -> None:
    story = turns(TWO)
    clock = RULES.turn(story.state, 0)

    story.do(0, kind="draw")
    assert RULES.turn(story.state, 0) == clock
    story.do(0, kind="place", slot=0)
    passes(story, 1)

    assert RULES.turn(story.state, 0) > clock


def test_nobody_else_may_act() -> None:
    story = turns(TWO)

    for action in ({"kind": "draw"}, {"kind": "pass"}, {"kind": "place", "slot": 0}, {"kind": "pick", "atout": "gel"}):
        assert refusal(story, 1, **action) == "not-your-turn"
    assert legal(story, 1) == legal(story, None) == ()


def test_place_needs_a_draw_and_after_it_nothing_else_goes() -> None:
    story = turns(TWO, atouts={0: "gel"})
    assert refusal(story, 0, kind="place", slot=0) == "wrong-phase"
    assert refusal(story, 0, kind="pick", atout="gel") == "wrong-phase"

    story.do(0, kind="draw")

    for action in ({"kind": "draw"}, {"kind": "pass"}, {"kind": "pick", "atout": "gel"}):
        assert refusal(story, 0, **action) == "wrong-phase"


@pytest.mark.parametrize("slot", [-1, 2, "hidden"])
def test_only_the_two_visible_cards_can_be_replaced(slot: int | str) -> None:
    story = turns(TWO, pile="KH")
    story.do(0, kind="draw")

    assert refusal(story, 0, kind="place", slot=slot) == "slot"


def test_card_after_a_plain_draw_is_malformed() -> None:
    story = turns(TWO, pile="KH")
    story.do(0, kind="draw")

    assert refusal(story, 0, kind="place", slot=0, card="KH") == "unexpected"


@pytest.mark.parametrize(
    "own, drawn, allowed",
    [("9C 9D 4C", "9H", True), ("9C 8D 4C", "9H", False), ("9C 9D 4C", "8H", False), ("9C 9D KC", "TH", False)],
)
def test_hidden_takes_a_drawn_nine_only_on_two_visible_nines(own: str, drawn: str, allowed: bool) -> None:
    story = turns(f"{own} | 5D 6D 7D", pile=drawn)
    story.do(0, kind="draw")

    assert ("hidden" in [action.slot for action in legal(story, 0)]) is allowed
    if not allowed:
        assert refusal(story, 0, kind="place", slot="hidden") == "slot"


def test_the_card_replaced_on_hidden_is_discarded_face_up() -> None:
    story = turns("9C 9D 4C | 5D 6D 7D", pile="9H")
    story.do(0, kind="draw")

    events = story.do(0, kind="place", slot="hidden")

    assert plain(events[0]) == {"seat": 0, "slot": "hidden", "card": "9H", "discarded": ["4C"]}
    assert types(events)[:4] == ["card_placed", "triple_nine", "hidden_revealed", "round_scored"]


def test_the_discards_become_a_new_pile_when_a_card_is_needed_and_none_is_left() -> None:
    story = turns(TWO)
    story.state = story.state.altered(pile=story.state.pile[:1], discards=story.state.pile[1:])
    last = story.state.pile[0]

    assert types(story.do(0, kind="draw")) == ["card_drawn"]
    assert story.state.pile == ()  # not yet refilled
    story.do(0, kind="place", slot=0)
    events = story.do(1, kind="draw")

    assert types(events) == ["pile_reshuffled", "card_drawn"]
    new = plain(events[0])["cards"]
    assert "2C" in new
    assert last not in new
    assert plain(events[1])["cards"] == new[:1]
    assert story.state.discards == ()
    for viewer in (0, 1, None):
        assert shown(story, events[0], viewer) == {"cards": len(new)}  # nobody sees the pile
        assert RULES.view(story.state, viewer).pile == len(new) - 1


# --- passes -------------------------------------------------------------------------------------------------------


def test_a_pass_tells_what_is_left() -> None:
    story = turns(THREE)

    assert plain(passes(story, 0)[0]) == {"seat": 0, "passes_left": 2}
    draw_and_place(story, 1)
    passes(story, 2)

    assert plain(passes(story, 0)[0]) == {"seat": 0, "passes_left": 1}
    assert [seat_view(story, seat, None).passes_left for seat in range(3)] == [1, 3, 2]


def test_the_third_pass_brings_the_reveal() -> None:
    story = turns(TWO)
    for _ in range(2):
        passes(story, 0)
        draw_and_place(story, 1)

    events = passes(story, 0)

    assert plain(events[0])["passes_left"] == 0
    assert types(events)[:3] == ["turn_passed", "hidden_revealed", "round_scored"]


@pytest.mark.parametrize("by", ["draw", "atout", "parried"])
def test_drawing_or_playing_an_atout_gives_all_three_back(by: str) -> None:
    story = turns(TWO, atouts={0: "gel parade", 1: "gel"})
    if by == "parried":
        story.state = story.state.with_effect(1, "parade")
    passes(story, 0)
    draw_and_place(story, 1)
    assert seat_view(story, 0, None).passes_left == 2

    if by == "draw":
        story.do(0, kind="draw")
    elif by == "atout":
        played(story, 0, "parade")
    else:
        played(story, 0, "gel", target=1)

    assert seat_view(story, 0, None).passes_left == 3


def test_a_skipped_turn_neither_counts_as_a_pass_nor_breaks_a_run() -> None:
    story = turns(THREE, atouts={2: "gel"}, starter=2)
    played(story, 2, "gel", target=1)

    events = passes(story, 0)
    assert types(events) == ["turn_passed", "turn_skipped"]
    assert types(passes(story, 2)) == ["turn_passed"]
    assert types(passes(story, 0)) == ["turn_passed"]
    assert types(passes(story, 1))[:2] == ["turn_passed", "hidden_revealed"]


def test_a_gift_neither_gives_passes_back_nor_breaks_a_run() -> None:
    story = turns("2C 3C 4C | 5D 6D 7D | 8H TH JH | 2S 3S 4S", teams=True, atouts={0: "gel"})
    passes(story, 0, 1, 2)
    story.do(0, kind="give", atout="gel", to=2)

    assert seat_view(story, 0, None).passes_left == 2
    assert types(passes(story, 3))[:2] == ["turn_passed", "hidden_revealed"]


# --- random reveal ------------------------------------------------------------------------------------------------


def test_with_random_reveal_a_pass_has_no_count_and_leads_to_nothing() -> None:
    story = turns(TWO, random_reveal=True)

    first = passes(story, 0)

    assert [plain(event) for event in first] == [{"seat": 0, "passes_left": None}]
    assert types(passes(story, 1)) == ["turn_passed"]
    assert seat_view(story, 0, None).passes_left is None


def test_from_the_second_full_cycle_on_there_is_a_chance_of_reveal() -> None:
    story = turns(THREE, random_reveal=True, starter=1)
    passes(story, 1, 2, 0)  # the first cycle: no chance
    assert story.state.cycles == 1

    last = passes(story, 1, 2, 0)

    assert types(last)[:2] == ["turn_passed", "chance_of_reveal"]


def test_the_chance_is_one_in_four_and_a_number_below_4_that_is_0() -> None:
    revealed = 0
    for position in range(200):
        story = turns(TWO, random_reveal=True)
        passes(story, 0, 1, 0)
        first = some_draw(position).below(4)
        events = story.when(1, some_draw(position), kind="pass")
        chance = only("chance_of_reveal", events)
        assert chance.revealed is (first == 0)
        assert ("hidden_revealed" in types(events)) is chance.revealed
        revealed += chance.revealed

    assert 30 <= revealed <= 70


def test_a_skipped_turn_can_end_a_cycle() -> None:
    story = turns(TWO, random_reveal=True, atouts={0: "gel"})
    passes(story, 0, 1)

    events = story.when(0, _unlucky(), kind="atout", atout="gel", target=1)

    assert types(events) == ["atout_played", "turn_skipped", "chance_of_reveal"]


def test_the_chance_comes_before_a_skipped_turn_of_the_next_cycle() -> None:
    story = turns(TWO, random_reveal=True, atouts={1: "gel"})
    passes(story, 0, 1, 0)

    events = story.when(1, _unlucky(), kind="atout", atout="gel", target=0)

    assert types(events) == ["atout_played", "chance_of_reveal", "turn_skipped"]


def _unlucky() -> Stream:
    return next(some_draw(position) for position in range(50) if some_draw(position).below(4))


def test_no_chance_when_the_round_has_ended() -> None:
    story = turns("9C 9D 4C | 5D 6D 7D", random_reveal=True, pile="9H", starter=1)
    passes(story, 1, 0, 1)
    story.do(0, kind="draw")

    events = story.do(0, kind="place", slot="hidden")

    assert "chance_of_reveal" not in types(events)
