"""barbu.md, Dealing by hand; details.md, Order of events and Random stream; issue 4, Done when 4."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from games.rules import lifecycle as life
from games.rules import play
from games.rules.barbu.actions import Shuffle
from games.rules.barbu.events import DeclarerDrawn, HandsDealt, PackCut, PackShuffled
from games.rules.lifecycle import Event, plain
from games.rules.table import Recorded, Table, advance, fold
from tests.builders import NOON, SEED, Story, cards, hands, types
from tests.rules.barbu.table import EVERYTHING, RULES, legal, refusal
from tests.rules.barbu.table import play as play_cards
from tests.rules.trials import number, shuffle, started, words

PACK = [rank + suit for suit in "CDHS" for rank in "789TJQKA"]


def by_hand(table: Table, records: list[Recorded], chance: random.Random, shuffles: Any) -> None:
    """Play to the end at random, but with these choices whether to shuffle. Adds to `records`."""
    while table.status == "playing":
        seat = table.to_act[0]
        action = chance.choice(RULES.legal_actions(RULES.view(table.state, seat)))
        if isinstance(action, Shuffle):
            action = Shuffle(shuffle=shuffles())
        move = play.act(table, seat, action, SEED, NOON)
        records += move.records
        table = move.table


def test_the_first_deal_is_shuffled_without_a_choice_then_cut_then_dealt() -> None:
    table, records = started("barbu", 4, dealing="manual")
    source = words(SEED, "some-game", [""] * 4)
    declarer = number(source, 4)
    lying = shuffle(source, PACK)

    assert [record.event for record in records[-2:]] == [
        DeclarerDrawn(declarer=declarer),
        PackShuffled(seat=declarer, shuffled=True, cards=tuple(lying)),
    ]
    before = (declarer - 1) % 4
    assert table.to_act == (before,)
    cut = play.act(table, before, RULES.parse_action({"type": "cut", "at": 12}, table.options, 4), SEED, NOON)
    assert [record.event for record in cut.records] == [PackCut(seat=before, at=12)]
    assert cut.table.to_act == (declarer,)
    deal = play.act(cut.table, declarer, RULES.parse_action({"type": "deal", "by": 2}, table.options, 4), SEED, NOON)
    lying = lying[12:] + lying[:12]
    order = [(declarer + place) % 4 for place in (1, 2, 3, 4)]
    expected = {
        seat: tuple(card for place in range(2 * turn, 32, 8) for card in lying[place : place + 2])
        for turn, seat in enumerate(order)
    }
    assert [record.event for record in deal.records] == [
        HandsDealt(deal=1, declarer=declarer, hands=expected, by=2),
    ]


def test_numbers_out_of_range_are_refused_with_their_reason() -> None:
    story = Story(RULES, 4, dealing="manual").given(
        DeclarerDrawn(declarer=0), PackShuffled(seat=0, shuffled=True, cards=tuple(PACK))
    )
    for at in (-1, 0, 32, 99):
        assert refusal(story, kind="cut", at=at) == "cut-range"
    assert [action.at for action in legal(story)] == list(range(1, 32))
    story.do(3, kind="cut", at=31)
    for by in (0, 3):
        assert refusal(story, kind="deal", by=by) == "by-range"
    assert [action.by for action in legal(story)] == [1, 2]


def test_after_a_deal_the_next_declarer_chooses_whether_to_shuffle() -> None:
    story, _ = _after_the_king()

    assert RULES.to_act(story.state) == (1,)
    assert legal(story) == (Shuffle(shuffle=True), Shuffle(shuffle=False))
    assert refusal(story, kind="cut", at=3) == "wrong-phase"


def _after_the_king() -> tuple[Story, list[Event]]:
    """Seat 0's king of hearts, over after three tricks."""
    text = "9H 8H 7H AD KD QD JD TD | KH 7D 8D 7S 8S 9S TS JS | AH TH JH QH 9D QS KS AS | 7C 8C 9C TC JC QC KC AC"
    story = Story(RULES, 4, dealing="manual").given(
        DeclarerDrawn(declarer=0), HandsDealt(deal=1, declarer=0, hands=hands(text), by=1)
    )
    story.do(0, kind="declare", contract="king_of_hearts")
    return story, play_cards(story, "AD 7D 9D 8C  KD 8D QS 9C  9H KH AH 7C")


def test_an_unshuffled_pack_lies_as_the_last_deal_left_it() -> None:
    story, events = _after_the_king()
    assert types(events)[-2:] == ["trick_taken", "deal_scored"], "the next declarer has a choice first"
    (left,) = story.do(1, kind="shuffle", shuffle=False)

    tricks = "AD 7D 9D 8C KD 8D QS 9C 9H KH AH 7C"
    in_hand = "8H 7H QD JD TD 7S 8S 9S TS JS TH JH QH KS AS TC JC QC KC AC"
    assert left == PackShuffled(seat=1, shuffled=False, cards=tuple(f"{tricks} {in_hand}".split()))
    assert RULES.to_act(story.state) == (0,), "the seat before the declarer cuts, shuffled or not"


def test_hands_left_over_follow_from_the_last_declarer_in_the_direction_of_play() -> None:
    text = "9H 8H | KH 7D | AH TH | 7C 8C"
    story = Story(RULES, 4, dealing="manual", direction="anticlockwise").given(
        DeclarerDrawn(declarer=2), HandsDealt(deal=1, declarer=2, hands=hands(text), by=1)
    )
    story.do(2, kind="declare", contract="king_of_hearts")
    play_cards(story, "AH KH 9H 7C")
    (left,) = story.do(1, kind="shuffle", shuffle=False)

    assert isinstance(left, PackShuffled)
    assert left.cards == cards("AH KH 9H 7C TH 7D 8H 8C")
    assert RULES.to_act(story.state) == (2,), "against the direction of play"


def test_after_a_patience_the_cards_lie_as_they_were_laid_then_the_hands() -> None:
    text = "TH JH 7C 8C | QH JS | KH TS | 7D 8D 9D"
    story = Story(RULES, 4, dealing="manual").given(
        DeclarerDrawn(declarer=0), HandsDealt(deal=1, declarer=0, hands=hands(text), by=1)
    )
    story.do(0, kind="declare", contract="patience")
    play_cards(story, "JH QH KH pass TH JS TS")
    (left,) = story.do(1, kind="shuffle", shuffle=False)

    assert isinstance(left, PackShuffled)
    assert left.cards == cards("JH QH KH TH JS TS 7C 8C 7D 8D 9D")


def test_a_shuffle_by_choice_draws_from_the_stream_a_pack_left_alone_does_not() -> None:
    for choice in (True, False):
        chance = random.Random(5)
        table, records = started("barbu", 3, dealing="manual", contracts=["king_of_hearts", "patience"])
        by_hand(table, records, chance, lambda choice=choice: choice)
        source = words(SEED, "some-game", [""] * 3)
        number(source, 3)
        short = [card for card in PACK if card not in ("7C", "7S")]
        shuffled = [record.event for record in records if isinstance(record.event, PackShuffled)]

        assert [event.shuffled for event in shuffled] == [True] + [choice] * 5
        for event in shuffled:
            if event.shuffled:
                assert list(event.cards) == shuffle(source, short)


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("step", [1, -1], ids=["clockwise", "anticlockwise"])
def test_a_game_without_any_shuffle_after_the_first_deal_replays_to_the_same_hands(seats: int, step: int) -> None:
    """The packs and hands of the whole game follow from the first shuffle, the cuts and the play alone."""
    direction = "clockwise" if step == 1 else "anticlockwise"
    table, records = started("barbu", seats, dealing="manual", direction=direction, contracts=EVERYTHING)
    by_hand(table, records, random.Random(seats), lambda: False)
    pack: list[str] = []
    captured: list[str] = []
    held: dict[str, list[str]] = {}
    declarer = None
    for record in records:
        data = plain(record.event)
        match record.event.type:
            case "pack_shuffled":
                if declarer is not None:
                    around = [str((declarer + step * place) % seats) for place in range(seats)]
                    pack = captured + [card for seat in around for card in held[seat]]
                    assert data["cards"] == pack
                    assert data["shuffled"] is False
                pack, captured = data["cards"], []
            case "pack_cut":
                assert data["seat"] == ((data_declarer(records, record) - step) % seats)
                pack = pack[data["at"] :] + pack[: data["at"]]
            case "hands_dealt":
                declarer = data["declarer"]
                held = {str(seat): [] for seat in range(seats)}
                lying, turn = list(pack), declarer
                while lying:
                    turn = (turn + step) % seats
                    held[str(turn)] += lying[: data["by"]]
                    del lying[: data["by"]]
                assert data["hands"] == held
            case "card_played":
                captured.append(data["card"])
                held[str(data["seat"])].remove(data["card"])
            case _:
                pass
    again = fold("some-game", records)
    assert again.status == "finished"
    assert sum(isinstance(record.event, HandsDealt) for record in records) == 7 * seats


def data_declarer(records: list[Recorded], cut: Recorded) -> int:
    """The declarer of the pack that is cut here: who shuffled it or not, one event before."""
    shuffled = records[cut.version - 2].event
    assert isinstance(shuffled, PackShuffled)
    return shuffled.seat


def test_no_viewer_is_ever_sent_the_order_of_the_pack() -> None:
    table, records = started("barbu", 4, dealing="manual", contracts=EVERYTHING)
    chance = random.Random(9)
    by_hand(table, records, chance, lambda: chance.random() < 0.5)
    before = Table(id="some-game")
    packs: list[list[str]] = []
    for record in records:
        event = record.event
        if isinstance(event, PackShuffled):
            packs.append(list(event.cards))
            for viewer in (0, 1, 2, 3, None):
                assert play.seen(before, event, viewer) == {"seat": event.seat, "shuffled": event.shuffled}
        before = advance(before, [record])
        if event.type in ("pack_shuffled", "pack_cut"):
            for viewer in (0, 1, 2, 3, None):
                view = msgspec.json.encode(RULES.view(before.state, viewer))
                assert not any(card.encode() in view for card in PACK), "no card of the pack is shown at all"
    assert len(packs) == 28


def test_while_the_choice_to_shuffle_is_open_the_tricks_are_turned_down() -> None:
    story, _ = _after_the_king()
    view = RULES.view(story.state, None)

    assert view.taken == {0: (), 1: (), 2: (), 3: ()}
    assert view.hands == {0: 5, 1: 5, 2: 5, 3: 5}


def test_the_replay_of_a_game_holds_every_pack() -> None:
    shuffled = PackShuffled(seat=1, shuffled=False, cards=("QH", "7C"))

    assert life.plain(shuffled) == {"seat": 1, "shuffled": False, "cards": ["QH", "7C"]}
