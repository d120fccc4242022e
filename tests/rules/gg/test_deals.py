"""gg.md, Options, Deals, and the draws of details.md, Random stream."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules.cards import pack
from games.rules.errors import Invalid
from games.rules.gg import dealing
from games.rules.gg.dealing import draw_starter
from games.rules.gg.options import Options, complete
from games.rules.gg.state import initial
from games.rules.stream import Stream
from tests.builders import NOON, some_draw, types
from tests.rules.gg.tables import RULES, bid, dealt


class Stacked(Stream):
    """A stream whose next shuffle leaves the pack as it is wished, for draws that seeds rarely give."""

    def __init__(self, top: str) -> None:
        super().__init__(b"", "", ())
        self._top = top.split()
        self.asked: list[Any] = []

    def shuffled(self, items: Any) -> Any:
        self.asked.append(items)
        return [*self._top, *(card for card in items if card not in self._top)]


def test_deals_go_down_to_one_card_and_up_again() -> None:
    assert [Options().cards_in(deal) for deal in range(1, 12)] == [5, 4, 3, 2, 1, 2, 3, 4, 5, 4, 3]


def test_quick_deals_go_up_to_three_cards() -> None:
    assert [Options(quick=True).cards_in(deal) for deal in range(1, 8)] == [3, 2, 1, 2, 3, 2, 1]


def test_sudden_death_overrules_the_lives_in_the_stored_options() -> None:
    assert complete({"sudden_death": True, "lives": 7}).lives == 1


@pytest.mark.parametrize(
    "given, field, code",
    [
        ({"lives": 0}, "lives", "range"),
        ({"lives": 8}, "lives", "range"),
        ({"lives": True}, "lives", "type"),
        ({"move_seconds": 4}, "move_seconds", "range"),
        ({"move_seconds": 121}, "move_seconds", "range"),
        ({"cut": 1}, "cut", "type"),
        ({"trumps": True}, "trumps", "unexpected"),
    ],
)
def test_options_out_of_bounds_are_invalid(given: dict[str, Any], field: str, code: str) -> None:
    with pytest.raises(Invalid) as refusal:
        complete(given)

    assert (refusal.value.field, refusal.value.code) == (field, code)


def test_the_highest_card_starts_and_only_the_tied_draw_again() -> None:
    drawn = draw_starter(initial(Options(), 4), Stacked("KC 2C KH 5D QS KS JC"))

    assert drawn.draws == ({0: "KC", 1: "2C", 2: "KH", 3: "5D"}, {0: "QS", 2: "KS"})
    assert drawn.starter == 2


def test_the_draw_follows_the_order_of_the_game() -> None:
    assert draw_starter(initial(Options(manilha=True), 2), Stacked("KC 7C")).starter == 1
    assert draw_starter(initial(Options(), 3), Stacked("AC AD AH")).draws == ({0: "AC", 1: "AD", 2: "AH"},)


def test_the_joker_takes_no_part_in_the_draw() -> None:
    draw = Stacked("KC 2C")

    draw_starter(initial(Options(joker=True), 2), draw)

    assert draw.asked == [pack()]


def test_hands_are_dealt_one_card_at_a_time_clockwise_from_the_starter() -> None:
    events = RULES.start(initial(Options(), 3), NOON, some_draw())

    assert types(events) == ["starter_drawn", "hands_dealt"]
    again = some_draw()
    again.shuffled(pack())
    shuffled = again.shuffled(pack())
    starter = events[0].starter  # type: ignore[attr-defined]
    order = [starter, (starter + 1) % 3, (starter + 2) % 3]
    expected = {seat: tuple(shuffled[place:15:3]) for place, seat in enumerate(order)}
    assert events[1].hands == expected  # type: ignore[attr-defined]


def test_the_joker_is_dealt_with_except_in_deals_of_one_card() -> None:
    options = Options(joker=True)

    assert options.pack_for(2)[-1] == "JK"
    assert "JK" not in options.pack_for(1)


def test_the_next_deal_starts_clockwise_after_the_previous_starter_even_if_it_is_out() -> None:
    story = dealt("2C | 3C | AD", starter=1, lives=[3, 1, 3])

    bid(story, 1, 1, 0)  # seat 1 misses its bid and goes out

    assert story.state.starter == 2
    assert sorted(story.state.order) == [0, 2]


def test_all_cards_of_a_full_table_come_from_one_pack() -> None:
    state = initial(Options(joker=True), 8)

    dealt_cards = [card for hand in dealing.deal(state, some_draw()).hands.values() for card in hand]

    assert len(set(dealt_cards)) == len(dealt_cards) == 40
