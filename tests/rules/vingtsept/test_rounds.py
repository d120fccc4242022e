"""vingtsept.md, Round: deal, picks, the first turn, the next round."""

from __future__ import annotations

import pytest

from games.rules.vingtsept.cards import PACK
from games.rules.vingtsept.state import HAND_LIMIT
from tests.builders import NOON, SEED, Story, only, types
from tests.rules.trials import number, shuffle, started, words
from tests.rules.vingtsept.tables import RULES, legal, passes, plain, refusal, seat_view, shown, table, turns

TEXT = "2C 3C 4C | 5D 6D 7D"
NINE_ATOUTS = "gel " * 9
KEYS = (
    *("instable", "sauvetage", "bouclier", "enchere", "voyance", "projecteur", "echange", "larcin", "brouillage"),
    *("gel", "mue", "permutation", "ajustement", "double_pioche", "miroir", "parade", "recyclage"),
)


@pytest.mark.parametrize("seats, teams", [(2, False), (3, False), (4, False), (4, True)])
def test_the_first_events_follow_from_the_seed_alone(seats: int, teams: bool) -> None:
    """details.md, Random stream, once more by hand."""
    _, records = started("vingtsept", seats, teams=teams)
    source = words(SEED, "some-game", [""] * seats)
    starter = number(source, seats)
    pack = shuffle(source, PACK)
    order = [(starter + step) % seats for step in range(seats)]
    keys = [key for key in KEYS if not (teams and key == "sauvetage")]

    told = [(record.event.type, plain(record.event)) for record in records if record.version > seats + 2]

    assert told[0] == ("starter_drawn", {"starter": starter})
    assert told[1] == (
        "round_dealt",
        {
            "round": 1,
            "starter": starter,
            "visible": {str(seat): [pack[order.index(seat)], pack[seats + order.index(seat)]] for seat in range(seats)},
            "hidden": {str(seat): pack[2 * seats + order.index(seat)] for seat in range(seats)},
            "pile": pack[3 * seats :],
        },
    )
    offers = [("atouts_offered", {"seat": seat, "offers": shuffle(source, keys)[:3]}) for seat in range(seats)]
    assert told[2:] == offers


def test_each_seat_begins_with_30_hp() -> None:
    assert [view.hp for view in RULES.view(table(TEXT).state, None).seats] == [30, 30]


def test_all_seats_pick_at_once_each_with_its_own_clock() -> None:
    opened, _ = started("vingtsept", 3)
    assert opened.to_act == (0, 1, 2)
    turn = RULES.turn(opened.state, 1)
    others = [RULES.turn(opened.state, seat) for seat in (0, 2)]

    story = Story(RULES, 3)
    story.state = opened.state
    events = story.do(1, kind="pick", atout=opened.state.holdings[1].offers[0])

    assert types(events) == ["atout_picked", "atouts_offered"]
    assert RULES.to_act(story.state) == (0, 1, 2)
    assert RULES.turn(story.state, 1) > turn
    assert [RULES.turn(story.state, seat) for seat in (0, 2)] == others


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_every_seat_picks_as_often_as_the_option_says(count: int) -> None:
    opened, _ = started("vingtsept", 2, mode="custom", atouts=count)
    story = Story(RULES, 2, mode="custom", atouts=count)
    story.state = opened.state

    for seat in (1, 0):
        for left in range(count, 0, -1):
            assert seat_view(story, seat, None).picks_left == left
            story.do(seat, kind="pick", atout=story.state.holdings[seat].offers[0])

    assert RULES.phase(story.state) == "turn"
    assert RULES.to_act(story.state) == (story.state.starter,)
    assert [seat_view(story, seat, None).atouts for seat in (0, 1)] == [count, count]


def test_only_an_offered_atout_can_be_picked() -> None:
    opened, _ = started("vingtsept", 2)
    story = Story(RULES, 2)
    story.state = opened.state
    offers = opened.state.holdings[0].offers
    other = next(key for key in KEYS if key not in offers)

    assert refusal(story, 0, kind="pick", atout=other) == "not-offered"
    assert [action.atout for action in legal(story, 0)] == list(offers)
    assert len(set(offers)) == 3


@pytest.mark.parametrize("action", [{"kind": "draw"}, {"kind": "pass"}, {"kind": "place", "slot": 0}])
def test_while_picking_nothing_else_is_possible(action: dict[str, object]) -> None:
    assert refusal(table(TEXT), 0, **action) == "wrong-phase"
    assert refusal(table(TEXT), 0, kind="atout", atout="instable") == "wrong-phase"


def test_who_has_picked_waits_for_the_others() -> None:
    story = table(TEXT, atouts={0: NINE_ATOUTS})

    assert RULES.to_act(story.state) == (1,)
    assert refusal(story, 0, kind="pick", atout="gel") == "not-your-turn"


def test_at_nine_a_seat_picks_no_more() -> None:
    story = table(TEXT, atouts={0: "gel " * 8, 1: NINE_ATOUTS})
    assert RULES.to_act(story.state) == (0,)
    story.state = story.state.with_seat(0, offers=("mue", "gel", "parade"))

    events = story.do(0, kind="pick", atout="mue")

    assert types(events) == ["atout_picked"]
    assert story.state.held(0) == HAND_LIMIT
    assert RULES.phase(story.state) == "turn"


def test_if_nobody_may_pick_the_turns_begin_at_once() -> None:
    story = table(TEXT, atouts={0: NINE_ATOUTS, 1: NINE_ATOUTS}, starter=1)

    assert RULES.phase(story.state) == "turn"
    assert RULES.to_act(story.state) == (1,)


def test_offers_and_picks_are_private() -> None:
    opened, records = started("vingtsept", 2)
    story = Story(RULES, 2)
    story.state = opened.state
    offered = next(record.event for record in records if record.event.type == "atouts_offered")
    picked = only("atout_picked", story.do(0, kind="pick", atout=opened.state.holdings[0].offers[1]))

    assert shown(story, offered, 0) == plain(offered)
    assert shown(story, picked, 0) == plain(picked)
    for viewer in (1, None):
        assert shown(story, offered, viewer) == {"seat": 0, "offers": 3}
        assert shown(story, picked, viewer) == {"seat": 0}
        assert RULES.view(story.state, viewer).seats[0].atouts == 1


def test_the_next_round_begins_with_the_next_seat_and_keeps_the_atouts() -> None:
    story = turns(TEXT, atouts={0: "gel mue", 1: "parade"}, starter=1)

    events = passes(story, 1, 0)

    assert types(events)[-3:] == ["round_dealt", "atouts_offered", "atouts_offered"]
    assert only("round_dealt", events).starter == 0
    assert only("round_dealt", events).round == 2
    assert [story.state.held(seat) for seat in (0, 1)] == [2, 1]


def test_a_seat_that_is_out_gets_no_cards_and_no_offers() -> None:
    story = turns("2C 3C 4C | 8D 9D TD | 8H 9H JH", hp=[5, 30, 30])

    events = passes(story, 0, 1, 2)

    assert only("round_scored", events).out == (0,)
    assert sorted(only("round_dealt", events).hidden) == [1, 2]
    assert [plain(event)["seat"] for event in events if event.type == "atouts_offered"] == [1, 2]
    assert seat_view(story, 0, None).visible == ()
    assert RULES.view(story.state, 0).seats[1].hidden is None  # who is out watches as a spectator does
    assert refusal(story, 0, kind="draw") == "not-your-turn"


def test_the_starter_after_one_that_went_out_is_the_next_seat_still_in() -> None:
    story = turns("2C 3C 4C | 8D 9D TD | 8H 9H JH", hp=[5, 30, 30], starter=2)

    events = passes(story, 2, 0, 1)

    assert only("round_scored", events).out == (0,)
    assert only("round_dealt", events).starter == 1


def test_the_events_of_one_move_are_timed_by_the_deal() -> None:
    assert table(TEXT).state.dealt_at == NOON
    assert RULES.view(table(TEXT).state, None).dealt_at == "2026-03-01T12:00:00.000Z"
