"""plie.md: every worked example, every decision, every refusal, and what each viewer gets."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from games.rules.bidding import Bid, BidMade
from games.rules.errors import Invalid, NotYourTurn, RuleViolation
from games.rules.lifecycle import Event, plain
from games.rules.plie import Plie
from games.rules.plie.actions import Action
from games.rules.plie.decide import points
from games.rules.plie.events import HandsDealt
from games.rules.plie.options import Options
from games.rules.plie.state import State
from games.rules.plie.view import View
from games.rules.ruleset import Setup
from games.rules.tricks import CardPlayed, Play
from tests.builders import NO_DRAW, NOON, hands, some_draw
from tests.rules.trials import at_random, number, shuffle, started, words

PLIE = Plie()


def dealt(text: str, *, dealer: int, turned: str, deal: int | None = None, whole: bool = False) -> HandsDealt:
    cards = hands(text)
    return HandsDealt(
        deal=deal or len(cards[0]),
        cards=len(cards[0]),
        dealer=dealer,
        hands=cards,
        turned=turned,
        turned_from="dealer" if whole else "pack",
    )


def given(*events: Event, hook: bool = False) -> State:
    first = events[0]
    assert isinstance(first, HandsDealt)
    state = PLIE.initial(Setup(seats=len(first.hands), options=Options(hook=hook), mode="casual"))
    for event in events:
        state = PLIE.evolve(state, event, NOON)
    return state


def bids(*tricks: int, dealer: int) -> list[Event]:
    """Announcements in order, from the dealer's right."""
    seats = len(tricks)
    return [BidMade(seat=(dealer - 1 - place) % seats, tricks=said) for place, said in enumerate(tricks)]


def played(state: State, *cards: str) -> tuple[State, list[Event]]:
    """The cards are played by whose turn it is; the state after them and all events."""
    events: list[Event] = []
    for card in cards:
        assert state.turn is not None
        for event in PLIE.decide(state, state.turn, Play(card=card), NOON, some_draw()):
            events.append(event)
            state = PLIE.evolve(state, event, NOON)
    return state, events


def refusal(state: State, seat: int, action: Action) -> str:
    with pytest.raises(RuleViolation) as refused:
        PLIE.decide(state, seat, action, NOON, NO_DRAW)
    assert action not in PLIE.legal_actions(PLIE.view(state, seat))
    return refused.value.code


# --- Cards and deals


@pytest.mark.parametrize("seats, largest", [(2, 18), (3, 12), (4, 9), (5, 7), (6, 6), (7, 5), (8, 4)], ids=str)
def test_deals_grow_to_the_largest_which_is_played_twice_and_shrink_again(seats: int, largest: int) -> None:
    table, records = started("plie", seats)
    for _ in at_random(table, records, random.Random(1)):
        pass

    sizes = [record.event.cards for record in records if isinstance(record.event, HandsDealt)]

    assert sizes == [*range(1, largest + 1), *range(largest, 0, -1)]


def test_the_first_dealer_and_the_first_hands_follow_from_the_seed() -> None:
    for seed in (bytes([n]) * 32 for n in range(40)):
        _, records = started("plie", 5, seed)
        source = words(seed, "some-game", [""] * 5)
        dealer = number(source, 5)
        pack = shuffle(source, [rank + suit for suit in "CDHS" for rank in "6789TJQKA"])
        right = [(dealer - 1 - step) % 5 for step in range(5)]

        assert [record.event.type for record in records[-2:]] == ["dealer_drawn", "hands_dealt"]
        assert records[-2].event == PLIE.event_types["dealer_drawn"](dealer=dealer)
        assert records[-1].event == HandsDealt(
            deal=1,
            cards=1,
            dealer=dealer,
            hands={seat: (pack[place],) for place, seat in enumerate(right)},
            turned=pack[5],
            turned_from="pack",
        )


def test_the_deal_passes_to_the_right_and_its_place_in_the_random_stream_goes_on() -> None:
    table, records = started("plie", 3)
    for _ in at_random(table, records, random.Random(2)):
        pass
    source = words(bytes(range(32)), "some-game", ["", "", ""])
    dealer = number(source, 3)
    for event in (record.event for record in records if isinstance(record.event, HandsDealt)):
        pack = shuffle(source, [rank + suit for suit in "CDHS" for rank in "6789TJQKA"])
        order = [(dealer - 1 - step) % 3 for step in range(3)]
        by_hand: dict[int, list[str]] = {0: [], 1: [], 2: []}
        for place in range(3 * event.cards):
            by_hand[order[place % 3]].append(pack[place])

        assert event.dealer == dealer
        assert {seat: list(hand) for seat, hand in event.hands.items()} == by_hand
        if event.cards == 12:
            assert (event.turned, event.turned_from) == (by_hand[dealer][-1], "dealer")
        else:
            assert (event.turned, event.turned_from) == (pack[3 * event.cards], "pack")
        dealer = (dealer - 1) % 3


# --- Announcements


def test_announcements_go_anticlockwise_from_the_dealers_right() -> None:
    state = given(dealt("6C 7C | 6D 7D | 6H 7H", dealer=0, turned="AS"))

    asked = []
    for _ in range(3):
        assert state.turn is not None
        asked.append(state.turn)
        (made,) = PLIE.decide(state, state.turn, Bid(tricks=1), NOON, NO_DRAW)
        state = PLIE.evolve(state, made, NOON)

    assert asked == [2, 1, 0]
    assert (state.phase, state.turn) == ("tricks", 2)


@pytest.mark.parametrize("tricks", [-1, 3, 99])
def test_a_number_beyond_ones_cards_is_refused(tricks: int) -> None:
    state = given(dealt("6C 7C | 6D 7D", dealer=0, turned="AS"))

    assert refusal(state, 1, Bid(tricks=tricks)) == "bid-range"


@pytest.mark.parametrize(
    "said, forbidden", [((0, 0, 0), 1), ((0, 1, 0), 0)], ids=["nobody announced a trick", "one announced one"]
)
def test_under_hook_the_dealer_may_not_make_a_deal_of_one_add_up(said: tuple[int, ...], forbidden: int) -> None:
    deal = dealt("6C | 7C | 8C | 9C", dealer=0, turned="AS")
    state = given(deal, *bids(*said, 0, dealer=0)[:3], hook=True)

    assert refusal(state, 0, Bid(tricks=forbidden)) == "bid-forbidden"
    assert PLIE.legal_actions(PLIE.view(state, 0)) == (Bid(tricks=1 - forbidden),)


def test_under_hook_only_the_dealer_is_bound_and_only_where_the_total_can_be_met() -> None:
    deal = dealt("6C 7C | 8C 9C | TC JC", dealer=0, turned="AS")
    second = given(deal, *bids(2, 0, 0, dealer=0)[:1], hook=True)
    last = given(deal, *bids(2, 2, 0, dealer=0)[:2], hook=True)

    assert len(PLIE.legal_actions(PLIE.view(second, 1))) == 3
    assert len(PLIE.legal_actions(PLIE.view(last, 0))) == 3


def test_without_hook_announcements_may_add_up() -> None:
    state = given(dealt("6C | 7C", dealer=0, turned="AS"), *bids(0, 0, dealer=0)[:1])

    assert PLIE.decide(state, 0, Bid(tricks=1), NOON, NO_DRAW) == (BidMade(seat=0, tricks=1),)


# --- Tricks


def test_who_holds_the_suit_led_must_follow_it_trumps_or_not() -> None:
    state = given(dealt("8H 6S | AH KH", dealer=0, turned="AS"), *bids(0, 0, dealer=0))
    state, _ = played(state, "AH")

    assert refusal(state, 0, Play(card="6S")) == "must-follow-suit"
    assert PLIE.legal_actions(PLIE.view(state, 0)) == (Play(card="8H"),)


def test_who_cannot_follow_plays_anything() -> None:
    state = given(dealt("8D 6S | AH KH", dealer=0, turned="AS"), *bids(0, 0, dealer=0))
    state, _ = played(state, "AH")

    assert PLIE.legal_actions(PLIE.view(state, 0)) == (Play(card="8D"), Play(card="6S"))


def test_the_highest_trump_takes_the_trick() -> None:
    # dealer 0: seats 3, 2, 1, 0 play 9H AH 6S KH
    deal = dealt("KH 6C | 6S 7C | AH 8C | 9H 9C", dealer=0, turned="7S")
    state, events = played(given(deal, *bids(0, 0, 0, 0, dealer=0)), "9H", "AH", "6S", "KH")

    assert [event.type for event in events] == ["card_played"] * 4 + ["trick_taken"]
    assert msgspec.to_builtins(events[-1]) == {"seat": 1, "cards": ((3, "9H"), (2, "AH"), (1, "6S"), (0, "KH"))}
    assert state.turn == 1, "the winner leads the next"


def test_without_a_trump_the_highest_card_of_the_suit_led_takes_the_trick() -> None:
    deal = dealt("AC 6C | TD 7C | 9D 8C", dealer=0, turned="7S")
    _, events = played(given(deal, *bids(0, 0, 0, dealer=0)), "9D", "TD", "AC")

    assert msgspec.to_builtins(events[-1])["seat"] == 1


def test_a_card_that_one_does_not_hold_is_refused() -> None:
    state = given(dealt("8H | AH", dealer=0, turned="AS"), *bids(0, 0, dealer=0))

    assert refusal(state, 1, Play(card="8H")) == "not-in-hand"


def test_actions_of_the_other_phase_and_of_other_seats_are_refused() -> None:
    bidding = given(dealt("8H | AH", dealer=0, turned="AS"))
    playing = given(dealt("8H | AH", dealer=0, turned="AS"), *bids(0, 0, dealer=0))

    assert refusal(bidding, 1, Play(card="AH")) == "wrong-phase"
    assert refusal(playing, 1, Bid(tricks=0)) == "wrong-phase"
    with pytest.raises(NotYourTurn):
        PLIE.decide(bidding, 0, Bid(tricks=0), NOON, NO_DRAW)
    with pytest.raises(NotYourTurn):
        PLIE.decide(playing, 0, Play(card="8H"), NOON, NO_DRAW)


# --- Scoring, end, standing


@pytest.mark.parametrize(
    "announced, taken, expected",
    [
        (0, 1, -1),
        (1, 1, 4),
        (3, 1, -2),
        (2, 2, 5),
        (0, 0, 3),
        (3, 3, 6),
        (3, 4, -1),
        (3, 5, -2),
        (9, 9, 12),
        (3, 2, -1),
        (2, 1, -1),
        (2, 0, -2),
    ],
)
def test_points_of_the_sheets_sample_table(announced: int, taken: int, expected: int) -> None:
    assert points(announced, taken) == expected


def test_the_last_card_of_a_deal_brings_its_scoring_and_the_next_deal() -> None:
    deal = dealt("6H | AH | 7H", dealer=1, turned="7S", deal=1)
    state, events = played(given(deal, *bids(0, 1, 1, dealer=1)), "6H", "7H", "AH")

    assert [event.type for event in events[-3:]] == ["trick_taken", "deal_scored", "hands_dealt"]
    assert events[-2] == PLIE.event_types["deal_scored"](
        bids={0: 0, 1: 1, 2: 1}, tricks={0: 0, 1: 1, 2: 0}, points={0: 3, 1: 4, 2: -1}, totals={0: 3, 1: 4, 2: -1}
    )
    last = events[-1]
    assert isinstance(last, HandsDealt)
    assert (last.deal, last.cards, last.dealer) == (2, 2, 0)
    assert (state.phase, state.turn) == ("bidding", 2)


def test_after_the_last_deal_the_most_points_win_and_equal_totals_share_the_place() -> None:
    deal = dealt("6H | AH | 7H", dealer=1, turned="7S", deal=24)
    before = given(deal, *bids(0, 0, 1, dealer=1))
    assert PLIE.standing(before) is None

    state, events = played(before, "6H", "7H", "AH")

    assert events[-1].type == "deal_scored"
    standing = PLIE.standing(state)
    assert standing is not None
    assert [(entry.seat, entry.place, entry.score) for entry in standing] == [(0, 2, 3), (1, 1, 4), (2, 2, 3)]
    assert PLIE.to_act(state) == ()
    with pytest.raises(NotYourTurn):
        PLIE.decide(state, 0, Play(card="6H"), NOON, NO_DRAW)


def test_the_totals_of_whole_games_add_up_from_their_bids_and_tricks() -> None:
    """Recomputed in a few lines of its own, for every number of seats, with and without the hook."""
    for seats in range(2, 9):
        for hook in (False, True):
            table, records = started("plie", seats, hook=hook)
            for _ in at_random(table, records, random.Random(seats)):
                pass
            said: dict[int, int] = {}
            took = dict.fromkeys(range(seats), 0)
            totals = dict.fromkeys(range(seats), 0)
            for data in (life_data(record.event) for record in records):
                if data["type"] == "bid_made":
                    said[data["seat"]] = data["tricks"]
                elif data["type"] == "trick_taken":
                    took[data["seat"]] += 1
                elif data["type"] == "deal_scored":
                    for seat in range(seats):
                        good = said[seat] == took[seat]
                        totals[seat] += 3 + took[seat] if good else -abs(said[seat] - took[seat])
                    assert data["totals"] == {str(seat): total for seat, total in totals.items()}
                    assert not hook or sum(said.values()) != sum(took.values())
                    said, took = {}, dict.fromkeys(range(seats), 0)
            ended = records[-1].event
            assert ended.type == "game_finished"
            for entry in life_data(ended)["standing"]:
                better = sum(total > totals[entry["seat"]] for total in totals.values())
                assert (entry["score"], entry["place"]) == (totals[entry["seat"]], 1 + better)


def life_data(event: Event) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(event))
    return {"type": event.type, **data}


# --- Who may see what


def test_a_hand_is_written_out_for_its_own_seat_alone() -> None:
    deal = dealt("6C 7C | 6D 7D | 6H 7H", dealer=0, turned="AS")
    state = given(deal)

    assert PLIE.redact(deal, 1, state)["hands"] == {"0": 2, "1": ["6D", "7D"], "2": 2}
    assert PLIE.redact(deal, None, state)["hands"] == {"0": 2, "1": 2, "2": 2}
    assert PLIE.redact(deal, None, state)["turned"] == "AS"
    assert PLIE.view(state, 1).hands == {0: 2, 1: ("6D", "7D"), 2: 2}
    assert PLIE.view(state, None).hands == {0: 2, 1: 2, 2: 2}


def test_the_dealers_last_card_is_shown_and_stays_in_the_count_for_others() -> None:
    pack = [rank + suit for suit in "CDHS" for rank in "6789TJQKA"]
    text = f"{' '.join(pack[0::2])} | {' '.join(pack[1::2])}"
    deal = dealt(text, dealer=1, turned="AS", whole=True)
    state = given(deal)

    assert PLIE.redact(deal, 0, state)["hands"]["1"] == 18
    assert PLIE.redact(deal, 0, state)["turned"] == "AS"
    assert PLIE.view(state, 0).hands[1] == 18
    assert (PLIE.view(state, 0).turned, PLIE.view(state, 0).turned_from) == ("AS", "dealer")
    assert PLIE.redact(deal, 1, state)["hands"]["1"][-1] == "AS"


def test_what_was_played_announced_and_taken_is_public() -> None:
    deal = dealt("KH 6C | 6S 7C | AH 8C", dealer=0, turned="7S")
    state, _ = played(given(deal, *bids(1, 0, 2, dealer=0)), "AH", "6S", "KH", "7C")
    view = PLIE.view(state, None)

    assert view.bids == {0: 2, 1: 0, 2: 1}
    assert view.tricks == {0: 0, 1: 1, 2: 0}
    assert view.taken == {0: (), 1: (((2, "AH"), (1, "6S"), (0, "KH")),), 2: ()}
    assert plain(view)["trick"] == [{"seat": 1, "card": "7C"}]
    assert PLIE.redact(CardPlayed(seat=1, card="7C"), None, state) == {"seat": 1, "card": "7C"}


def test_a_view_says_all_that_its_choices_need_even_after_its_journey_as_json() -> None:
    state = given(dealt("8H 6S | AH KH", dealer=0, turned="AS"), *bids(0, 0, dealer=0))
    state, _ = played(state, "AH")

    again = msgspec.json.decode(msgspec.json.encode(PLIE.view(state, 0)), type=View)

    assert PLIE.legal_actions(again) == (Play(card="8H"),)


# --- What is no action and no option at all


@pytest.mark.parametrize(
    "wire, field",
    [
        ({"type": "play", "card": "5H"}, "card"),
        ({"type": "play", "card": "JK"}, "card"),
        ({"type": "play", "card": "6H", "as": "7H"}, "as"),
        ({"type": "play"}, "card"),
        ({"type": "bid", "tricks": "1"}, "tricks"),
        ({"type": "bid", "tricks": True}, "tricks"),
        ({"type": "pass"}, "type"),
    ],
    ids=str,
)
def test_what_no_game_of_plie_can_accept_is_invalid(wire: dict[str, Any], field: str) -> None:
    with pytest.raises(Invalid) as refused:
        PLIE.parse_action(wire, Options(), 4)

    assert refused.value.field == field


@pytest.mark.parametrize(
    "wire, field, code",
    [
        ({"hook": 1}, "hook", "type"),
        ({"move_seconds": 4}, "move_seconds", "range"),
        ({"move_seconds": 121}, "move_seconds", "range"),
        ({"lives": 3}, "lives", "unexpected"),
    ],
    ids=str,
)
def test_options_beyond_the_page_are_invalid(wire: dict[str, Any], field: str, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        PLIE.complete_options(wire, 4, "casual")

    assert (refused.value.field, refused.value.code) == (field, code)


def test_every_move_has_the_tables_time_limit_and_a_turn_of_its_own() -> None:
    state = given(dealt("8H | AH", dealer=0, turned="AS"))
    after = PLIE.evolve(state, BidMade(seat=1, tricks=0), NOON)

    assert PLIE.time_limit(state, 1) == 30
    assert PLIE.turn(state, 1) != PLIE.turn(after, 0)
