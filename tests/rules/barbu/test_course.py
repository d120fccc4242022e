"""barbu.md, Course, Patience, refusals, and what each viewer gets."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from games.rules.barbu.events import ContractDeclared, HandsDealt, SeatOut, TurnPassed
from games.rules.barbu.patience import fitting
from games.rules.barbu.view import View
from games.rules.errors import Invalid, NotYourTurn
from games.rules.lifecycle import plain
from games.rules.tricks import CardPlayed, Play
from tests.builders import cards, only, types
from tests.rules.barbu.table import EVERYTHING, RULES, cards_of, dealt, declared, legal, play, refusal
from tests.rules.trials import at_random, number, shuffle, started, words

PACK = [rank + suit for suit in "CDHS" for rank in "789TJQKA"]
SHORT = [card for card in PACK if card not in ("7C", "7S")]

# Jacks and tens at seat 0, queens and nines at 1, kings and eights at 2, aces and sevens at 3.
RANKS_APART = "JC JD JH JS TC TD TH TS | QC QD QH QS 9C 9D 9H 9S | KC KD KH KS 8C 8D 8H 8S | AC AD AH AS 7C 7D 7H 7S"


# --- Course


@pytest.mark.parametrize(
    "seats, contracts, deals", [(4, EVERYTHING[:5], 20), (3, EVERYTHING[:5], 15), (5, EVERYTHING[:6], 30)]
)
def test_each_seat_plays_each_contract_once(seats: int, contracts: list[str], deals: int) -> None:
    table, records = started("barbu", seats, contracts=contracts)
    for _ in at_random(table, records, random.Random(1)):
        pass
    declared_by = [(e.seat, e.contract) for e in (r.event for r in records) if isinstance(e, ContractDeclared)]

    assert len(declared_by) == deals
    assert set(declared_by) == {(seat, contract) for seat in range(seats) for contract in contracts}


@pytest.mark.parametrize("direction, step", [("clockwise", 1), ("anticlockwise", -1)])
@pytest.mark.parametrize("seats, pack", [(3, SHORT), (4, PACK), (5, SHORT)])
def test_declarer_and_hands_follow_from_the_seed_and_the_declaring_passes_on(
    seats: int, pack: list[str], direction: str, step: int
) -> None:
    table, records = started("barbu", seats, direction=direction, contracts=["queens", "patience"])
    for _ in at_random(table, records, random.Random(2)):
        pass
    source = words(bytes(range(32)), "some-game", [""] * seats)
    declarer = number(source, seats)
    deals = [record.event for record in records if isinstance(record.event, HandsDealt)]

    assert len(deals) == 2 * seats
    for count, event in enumerate(deals, start=1):
        lying = shuffle(source, pack)
        order = [(declarer + step * place) % seats for place in range(1, seats + 1)]
        expected = {order[place]: tuple(lying[place::seats]) for place in range(seats)}
        assert event == HandsDealt(deal=count, declarer=declarer, hands=expected, by=1)
        declarer = (declarer + step) % seats


def test_with_three_or_five_seats_the_black_sevens_are_no_cards_of_the_game() -> None:
    options = RULES.complete_options({}, 4, "casual")

    for card in ("7C", "7S"):
        assert RULES.parse_action({"type": "play", "card": card}, options, 4) == Play(card=card)
        for seats in (3, 5):
            with pytest.raises(Invalid):
                RULES.parse_action({"type": "play", "card": card}, options, seats)


def test_the_declarer_sees_the_hand_declares_and_leads_the_first_trick() -> None:
    story = dealt(RANKS_APART, declarer=2)

    assert RULES.to_act(story.state) == (2,)
    assert RULES.view(story.state, 2).hands[2] == cards("KC KD KH KS 8C 8D 8H 8S")
    assert [action.contract for action in legal(story)] == EVERYTHING[:5]
    story.do(2, kind="declare", contract="hearts")
    assert RULES.to_act(story.state) == (2,)
    assert RULES.view(story.state, None).contracts[2] == ("king_of_hearts", "queens", "tricks", "patience")


@pytest.mark.parametrize("direction, following", [("clockwise", 3), ("anticlockwise", 1)])
def test_play_goes_in_the_direction_chosen(direction: str, following: int) -> None:
    story = declared("tricks", RANKS_APART, declarer=2, direction=direction)
    play(story, "KC")

    assert RULES.to_act(story.state) == (following,)


def test_the_suit_led_must_be_followed_and_the_highest_card_of_it_wins() -> None:
    hands = "9H KD 7S | AC QD 8S | TH JD 9S"
    story = declared("tricks", hands)
    play(story, "KD")
    assert refusal(story, kind="play", card="AC") == "must-follow-suit"
    assert refusal(story, kind="play", card="KH") == "not-in-hand"
    play(story, "QD JD")
    assert RULES.to_act(story.state) == (0,)
    play(story, "9H")
    assert cards_of(legal(story)) == {"AC", "8S"}, "no heart: anything"
    events = play(story, "AC TH")
    assert only("trick_taken", events).seat == 2, "an ace of another suit takes nothing"


def test_a_contract_once_declared_is_struck_from_that_list_alone() -> None:
    story = declared("queens", RANKS_APART, declarer=1)
    story.given(HandsDealt(deal=2, declarer=1, hands=dict(enumerate(story.state.hands)), by=1))

    assert refusal(story, kind="declare", contract="queens") == "contract-used"
    assert "queens" in RULES.view(story.state, None).contracts[0]


def test_one_contract_left_is_still_declared_by_a_move() -> None:
    story = dealt(RANKS_APART, contracts=["tricks"])

    assert plain_all(legal(story)) == [{"type": "declare", "contract": "tricks"}]


def plain_all(actions: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [msgspec.to_builtins(action) for action in actions]


def test_the_end_has_the_fewest_points_first_and_equals_share_the_place() -> None:
    hands = "AC | 8C | QH"
    story = declared("queens", hands, contracts=["queens", "tricks"], deal=6)
    events = play(story, "AC 8C QH")
    assert types(events)[-1] == "deal_scored"
    standing = RULES.standing(story.state)

    assert standing is not None
    assert [(entry.place, entry.score) for entry in standing] == [(3, 15), (1, 0), (1, 0)]
    assert RULES.to_act(story.state) == ()
    with pytest.raises(NotYourTurn):
        story.when(0, kind="play", card="AC")


# --- Patience


def test_after_jack_and_ten_of_hearts_their_neighbours_and_all_jacks_fit() -> None:
    rest = [card for card in PACK if card not in ("JH", "TH")]

    assert set(fitting(rest, ("JH", "TH"))) == {"9H", "QH", "JC", "JD", "JS"}
    assert fitting(["TS"], ("JH", "TH")) == []


def test_who_can_lay_must_and_who_cannot_passes_by_a_move() -> None:
    story = declared("patience", RANKS_APART)

    assert cards_of(legal(story)) == {"JC", "JD", "JH", "JS"}
    assert refusal(story, kind="pass") == "can-lay"
    assert refusal(story, kind="play", card="TH") == "does-not-fit"
    assert refusal(story, kind="play", card="QH") == "not-in-hand"
    play(story, "JH QH KH AH")
    assert RULES.to_act(story.state) == (0,), "nothing else of seat 3 fits: its turn ends"
    play(story, "TH 9H 8H 7H  JC QC KC")
    assert cards_of(legal(story)) == {"AC"}


def test_a_forced_pass_is_a_move_like_any_other() -> None:
    hands = "JH TH 9C 8C | QC KC AC 7C | QH KH AH 7H"
    story = declared("patience", hands)
    play(story, "JH")

    assert plain_all(legal(story)) == [{"type": "pass"}]
    assert story.do(1, kind="pass") == (TurnPassed(seat=1),)
    assert RULES.to_act(story.state) == (2,)


def test_after_an_ace_another_card_may_be_laid_at_once_or_not() -> None:
    hands = "AH JS 8C 9C | QC KC AC TC | 9D QD KD AD"
    story = declared("patience", hands)
    story.given(*(CardPlayed(seat=0, card=card) for card in ("JH", "QH", "KH")))
    story.given(TurnPassed(seat=2))
    before = story.state
    play(story, "AH")

    assert RULES.to_act(story.state) == (0,)
    assert RULES.phase(story.state) == "extra"
    assert plain_all(legal(story)) == [{"type": "play", "card": "JS"}, {"type": "pass"}]
    assert refusal(story, kind="play", card="8C") == "does-not-fit"
    declined = story.do(0, kind="pass")
    assert declined == (TurnPassed(seat=0),)
    assert RULES.to_act(story.state) == (1,)

    story.state = before
    play(story, "AH JS")
    assert RULES.to_act(story.state) == (1,)
    assert RULES.phase(story.state) == "patience"


def test_a_further_ace_gives_a_further_card() -> None:
    hands = "AH AS JC 8C | QC KC AC TC | 9C QD KD AD"
    story = declared("patience", hands)
    story.given(*(CardPlayed(seat=0, card=card) for card in ("JH", "QH", "KH", "JS", "QS", "KS")))
    story.given(TurnPassed(seat=2))
    play(story, "AH AS")

    assert plain_all(legal(story)) == [{"type": "play", "card": "JC"}, {"type": "pass"}]


def test_seats_go_out_in_order_are_skipped_and_the_second_ends_the_deal() -> None:
    hands = "JH | QH 7C | TH 9H | KH 7D"
    story = declared("patience", hands, deal=20)
    first = play(story, "JH")
    assert first == [CardPlayed(seat=0, card="JH"), SeatOut(seat=0, rank=1)]
    play(story, "QH TH KH")
    assert RULES.to_act(story.state) == (1,), "seat 0 is out and skipped without an event"
    events = play(story, "pass 9H")

    assert types(events) == ["turn_passed", "card_played", "seat_out", "deal_scored"]
    assert events[-2] == SeatOut(seat=2, rank=2)
    assert only("deal_scored", events).points == {0: -100, 1: 0, 2: -50, 3: 0}
    assert only("deal_scored", events).slam is None


def test_nobody_is_waited_for_while_the_events_of_one_move_are_told() -> None:
    story = declared("patience", "JH | QH 7C | TH 9H | KH 7D", deal=20)
    story.given(CardPlayed(seat=0, card="JH"))
    assert RULES.to_act(story.state) == ()
    story.given(SeatOut(seat=0, rank=1))
    assert RULES.to_act(story.state) == (1,)
    story.given(*(CardPlayed(seat=seat, card=card) for seat, card in ((1, "QH"), (2, "TH"), (3, "KH"))))
    story.given(TurnPassed(seat=1), CardPlayed(seat=2, card="9H"), SeatOut(seat=2, rank=2))
    assert RULES.to_act(story.state) == ()

    story = declared("tricks", "JH | QH | TH | KH", deal=20)
    events = play(story, "JH QH TH KH")[:-1]
    story = declared("tricks", "JH | QH | TH | KH", deal=20).given(*events)
    assert events[-1].type == "trick_taken"
    assert RULES.to_act(story.state) == ()


def test_an_ace_as_the_last_card_is_just_the_last_card() -> None:
    hands = "AH | JS 7C | 9C 8C"
    story = declared("patience", hands)
    story.given(*(CardPlayed(seat=2, card=card) for card in ("JH", "QH", "KH")))
    events = play(story, "AH")

    assert types(events) == ["card_played", "seat_out"]
    assert RULES.to_act(story.state) == (1,)


def test_each_card_of_the_patience_is_a_turn_of_its_own() -> None:
    hands = "AH JS 8C 9C | QC KC AC TC | 9D QD KD AD"
    story = declared("patience", hands)
    story.given(*(CardPlayed(seat=0, card=card) for card in ("JH", "QH", "KH")))
    story.given(TurnPassed(seat=2))
    before = RULES.turn(story.state, 0)
    play(story, "AH")

    assert RULES.turn(story.state, 0) > before
    assert RULES.time_limit(story.state, 0) == 30


# --- Other refusals


@pytest.mark.parametrize(
    "action",
    [
        {"kind": "pass"},
        {"kind": "shuffle", "shuffle": True},
        {"kind": "cut", "at": 3},
        {"kind": "deal", "by": 1},
        {"kind": "declare", "contract": "tricks"},
    ],
    ids=str,
)
def test_an_action_of_another_phase_is_refused(action: dict[str, Any]) -> None:
    story = declared("queens", RANKS_APART)

    assert refusal(story, **action) == "wrong-phase"
    assert refusal(dealt(RANKS_APART), kind="play", card="JC") == "wrong-phase"


def test_other_seats_have_nothing_to_do() -> None:
    story = declared("queens", RANKS_APART)

    with pytest.raises(NotYourTurn):
        story.when(1, kind="play", card="QC")
    assert RULES.legal_actions(RULES.view(story.state, 1)) == ()


@pytest.mark.parametrize(
    "wire, field",
    [
        ({"type": "play", "card": "6H"}, "card"),
        ({"type": "play", "card": "JK"}, "card"),
        ({"type": "declare", "contract": "mistouille"}, "contract"),
        ({"type": "declare", "contract": "salad"}, "contract"),
        ({"type": "cut", "at": "4"}, "at"),
        ({"type": "deal", "by": None}, "by"),
        ({"type": "shuffle"}, "shuffle"),
        ({"type": "pass", "why": 1}, "why"),
    ],
    ids=str,
)
def test_what_this_table_can_never_accept_is_invalid(wire: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as refused:
        RULES.parse_action(wire, RULES.complete_options({}, 4, "casual"), 4)

    assert refused.value.field == field


@pytest.mark.parametrize(
    "given, field, code",
    [
        ({"contracts": []}, "contracts", "range"),
        ({"contracts": ["salad"]}, "contracts", "conflict"),
        ({"contracts": ["salad", "patience"]}, "contracts", "conflict"),
        ({"contracts": ["queens", "queens"]}, "contracts", "conflict"),
        ({"contracts": ["kings"]}, "contracts[0]", "choice"),
        ({"last_tricks": 3}, "last_tricks", "choice"),
        ({"values": {"heart": 201}}, "values.heart", "range"),
        ({"values": {"heart": -1}}, "values.heart", "range"),
        ({"values": {"jack": 1}}, "values.jack", "unexpected"),
        ({"always": ["tricks"]}, "always[0]", "choice"),
        ({"always": ["hearts", "hearts"]}, "always", "conflict"),
        ({"direction": "left"}, "direction", "choice"),
        ({"move_seconds": 4}, "move_seconds", "range"),
    ],
    ids=str,
)
def test_options_beyond_the_page_are_invalid(given: dict[str, Any], field: str, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        RULES.complete_options(given, 4, "casual")

    assert (refused.value.field, refused.value.code) == (field, code)


def test_options_are_completed_with_the_pages_defaults() -> None:
    assert plain(RULES.complete_options({"values": {"heart": 7}}, 4, "casual")) == {
        "contracts": ["king_of_hearts", "queens", "hearts", "tricks", "patience"],
        "direction": "clockwise",
        "dealing": "auto",
        "last_tricks": 1,
        "values": {
            "king_of_hearts": 50,
            "queen_of_hearts": 15,
            "other_queens": 5,
            "heart": 7,
            "trick": 5,
            "last_trick": 20,
        },
        "always": [],
        "move_seconds": 30,
    }


# --- Who may see what


def test_a_hand_is_written_out_for_its_own_seat_alone() -> None:
    story = dealt(RANKS_APART)
    event = HandsDealt(deal=1, declarer=0, hands=dict(enumerate(story.state.hands)), by=1)

    assert RULES.redact(event, 1, story.state)["hands"] == {
        "0": 8,
        "1": ["QC", "QD", "QH", "QS", "9C", "9D", "9H", "9S"],
        "2": 8,
        "3": 8,
    }
    assert RULES.redact(event, None, story.state)["hands"] == {"0": 8, "1": 8, "2": 8, "3": 8}
    assert RULES.view(story.state, None).hands == {0: 8, 1: 8, 2: 8, 3: 8}
    assert RULES.view(story.state, 3).hands[3] == cards("AC AD AH AS 7C 7D 7H 7S")


def test_cards_left_in_hand_at_an_early_end_are_shown_to_nobody() -> None:
    hands = "9H 8H 7H AD KD QD JD TD | KH 7D 8D 7S 8S 9S TS JS | AH TH JH QH 9D QS KS AS | 7C 8C 9C TC JC QC KC AC"
    for options in ({"deal": 20}, {"deal": 2, "dealing": "manual"}):
        story = declared("king_of_hearts", hands, **options)
        play(story, "9H KH AH 7C")

        assert RULES.view(story.state, None).hands == {0: 7, 1: 7, 2: 7, 3: 7}
        assert RULES.view(story.state, 1).hands[0] == 7


def test_a_view_says_all_that_its_choices_need_even_after_its_journey_as_json() -> None:
    story = declared("patience", RANKS_APART)
    view = RULES.view(story.state, 0)
    again = msgspec.json.decode(msgspec.json.encode(view), type=View)

    assert again == view
    assert RULES.legal_actions(again) == legal(story)
