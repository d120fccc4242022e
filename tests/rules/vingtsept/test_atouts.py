"""vingtsept.md, The 17 Atouts: what each does, when it is refused, that it can be parried, what of it is hidden."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.rules.stream import Stream
from games.rules.vingtsept import atouts as folder
from games.rules.vingtsept.atouts import ATOUTS, found, on_offer
from games.rules.vingtsept.play import SLOTS
from tests.builders import SEED, Story, only, some_draw, types
from tests.rules.vingtsept.tables import (
    RULES,
    legal,
    passes,
    plain,
    played,
    refusal,
    refused,
    seat_view,
    shown,
    turns,
)

NAMES = [
    "instable",
    "sauvetage",
    "bouclier",
    "enchere",
    "voyance",
    "projecteur",
    "echange",
    "larcin",
    "brouillage",
    "gel",
    "mue",
    "permutation",
    "ajustement",
    "double_pioche",
    "miroir",
    "parade",
    "recyclage",
]
PARRIED = ["larcin", "voyance", "projecteur", "echange", "brouillage", "gel", "miroir"]
TEXT = "2C 3C 4C | 5D 6D 7D"


def holding(hand: str, text: str = TEXT, **given: Any) -> Story:
    """Seat 0 to move, with these Atouts."""
    return turns(text, atouts={0: hand, **given.pop("others", {})}, **given)


def effect(story: Story, atout: str, **parameters: Any) -> Any:
    return plain(only("atout_played", played(story, 0, atout, **parameters)))["effect"]


# --- the folder ---------------------------------------------------------------------------------------------------


def test_there_are_seventeen_in_the_order_of_the_rules_page() -> None:
    assert list(ATOUTS) == NAMES
    assert [unit.number for unit in ATOUTS.values()] == list(range(1, 18))


def test_rescue_is_not_offered_in_teams() -> None:
    assert on_offer(teams=False) == tuple(NAMES)
    assert on_offer(teams=True) == tuple(name for name in NAMES if name != "sauvetage")


def test_those_aimed_at_an_opponent_can_be_parried() -> None:
    assert sorted(key for key, unit in ATOUTS.items() if "target" in unit.parameters) == sorted(PARRIED)


EIGHTEENTH = """
from games.rules.vingtsept.atouts.atout import Atout
class Siesta(Atout):
    key = "siesta"
    number = 18
ATOUT = Siesta()
"""


@pytest.fixture
def folder_with_an_eighteenth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    (tmp_path / "siesta.py").write_text(EIGHTEENTH, "utf-8")
    folders = [*folder.__path__, str(tmp_path)]
    monkeypatch.setattr(folder, "__path__", folders)
    yield folders
    sys.modules.pop("games.rules.vingtsept.atouts.siesta", None)


def test_an_eighteenth_is_found_by_its_file_alone(folder_with_an_eighteenth: list[str]) -> None:
    assert list(found(folder_with_an_eighteenth)) == [*NAMES, "siesta"]


# --- playing one --------------------------------------------------------------------------------------------------


def test_one_that_is_not_held_is_refused() -> None:
    assert refused(holding("gel"), 0, "bouclier") == "not-held"


def test_a_played_one_leaves_the_hand_and_ends_the_turn() -> None:
    story = holding("bouclier gel")

    events = played(story, 0, "bouclier")

    assert types(events) == ["atout_played"]
    assert plain(events[0]) == {"seat": 0, "atout": "bouclier", "effect": {}}
    assert story.state.holdings[0].atouts == ("gel",)
    assert RULES.to_act(story.state) == (1,)


def test_of_two_equal_ones_the_first_to_arrive_leaves() -> None:
    story = holding("gel bouclier gel")

    played(story, 0, "gel", target=1)

    assert story.state.holdings[0].atouts == ("bouclier", "gel")


def test_two_equal_ones_are_one_legal_action() -> None:
    story = holding("bouclier bouclier")

    assert [action.atout for action in legal(story, 0) if getattr(action, "atout", None)] == ["bouclier"]


def test_never_after_a_draw() -> None:
    story = holding("bouclier")
    story.do(0, kind="draw")

    assert refused(story, 0, "bouclier") == "wrong-phase"


@pytest.mark.parametrize("key", NAMES)
def test_legal_actions_list_it_once_for_every_combination(key: str) -> None:
    story = turns(
        "2C 3C 4C | 5D 6D 7D | 8H TH JH",
        atouts={0: key, 1: "gel", 2: "gel"},
    )
    story.state = story.state.altered(discards=("9S",))
    combinations = {"slot": 2, "target": 2, "target_slot": 2, "delta": 4}
    expected = 1
    for name in ATOUTS[key].parameters:
        expected *= combinations[name]

    plays = [action for action in legal(story, 0) if getattr(action, "atout", None) == key]

    assert len(plays) == len(set(map(repr, plays))) == expected


@pytest.mark.parametrize("key", [key for key in NAMES if "target" in ATOUTS[key].parameters])
@pytest.mark.parametrize("target", [0, 3, 4, -1])
def test_a_target_that_is_no_opponent_is_refused(key: str, target: int) -> None:
    story = turns("2C 3C 4C | 5D 6D 7D | 8H TH JH |", atouts={0: key, 3: "gel"}, hp=[30, 30, 30, 0])
    others = {name: 0 for name in ATOUTS[key].parameters if name != "target"}

    assert refused(story, 0, key, target=target, **others) == "target"


@pytest.mark.parametrize("key", [key for key in NAMES if "target" in ATOUTS[key].parameters])
def test_a_team_mate_is_no_target(key: str) -> None:
    story = turns("2C 3C 4C | 5D 6D 7D | 8H TH JH | 2S 3S 4S", atouts={0: key, 2: "gel"}, teams=True)
    others = {name: 0 for name in ATOUTS[key].parameters if name != "target"}

    assert refused(story, 0, key, target=2, **others) == "target"


@pytest.mark.parametrize("key", [key for key in NAMES if "slot" in ATOUTS[key].parameters])
@pytest.mark.parametrize("slot", [-1, 2])
def test_a_slot_other_than_the_two_visible_ones_is_refused(key: str, slot: int) -> None:
    story = holding(key)
    story.state = story.state.altered(discards=("9S",))
    own = {"slot": 0, "target": 1, "target_slot": 0}
    parameters = {name: own[name] for name in ATOUTS[key].parameters}

    assert refused(story, 0, key, **{**parameters, "slot": slot}) == "slot"
    if "target_slot" in parameters:
        assert refused(story, 0, key, **{**parameters, "target_slot": slot}) == "slot"


@pytest.mark.parametrize("key", PARRIED)
def test_a_parried_one_is_spent_and_does_nothing(key: str) -> None:
    story = holding(key, others={1: "parade gel"})
    story.state = story.state.with_effect(1, "parade")
    before = story.state.holdings[1]
    parameters = {"slot": 0, "target": 1, "target_slot": 0}
    given = {name: parameters[name] for name in ATOUTS[key].parameters}

    assert effect(story, key, **given) == {"parried": True}

    after = story.state.holdings[1]
    assert story.state.holdings[0].atouts == ()
    assert (after.atouts, after.visible, after.hidden, after.seen_by, after.shown) == (
        before.atouts,
        before.visible,
        before.hidden,
        before.seen_by,
        before.shown,
    )
    assert after.effects == frozenset()  # the parry is used up
    assert RULES.to_act(story.state) == (1,)  # not frozen


@pytest.mark.parametrize("key", PARRIED)
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_parry_is_seen_by_all(key: str, viewer: int | None) -> None:
    story = holding(key, others={1: "gel"})
    story.state = story.state.with_effect(1, "parade")
    parameters = {"slot": 0, "target": 1, "target_slot": 0}

    given = {name: parameters[name] for name in ATOUTS[key].parameters}
    event = only("atout_played", story.when(0, kind="atout", atout=key, **given))

    assert shown(story, event, viewer) == plain(event)


# --- one by one ---------------------------------------------------------------------------------------------------


def test_instable_at_27_draws_18_or_36() -> None:
    drawn = set()
    for position in range(20):
        story = holding("instable")
        events = story.when(0, some_draw(position), kind="atout", atout="instable")
        drawn.add(plain(events[0])["effect"]["threshold"])

    assert drawn == {18, 36}


@pytest.mark.parametrize("before, after", [(18, 36), (36, 18)])
def test_instable_never_stays_and_draws_no_word_for_a_choice_among_one(before: int, after: int) -> None:
    story = holding("instable", objective=before)
    draw = Stream(SEED, "game", ())

    events = story.when(0, draw, kind="atout", atout="instable")

    assert plain(events[0])["effect"] == {"threshold": after}
    assert draw.position == 0


def test_instable_lasts_for_the_round() -> None:
    story = holding("instable", objective=18)
    played(story, 0, "instable")
    assert story.state.threshold == 36

    passes(story, 1, 0)

    assert story.state.round == 2
    assert story.state.threshold == 18


def test_sauvetage_keeps_the_seat_at_1() -> None:
    story = holding("sauvetage", "2C 3C 4C | 8D 9D TD", hp=[5, 30])
    played(story, 0, "sauvetage")

    scored = only("round_scored", passes(story, 1, 0))

    assert (scored.losses, scored.hp, scored.out) == ({0: 4, 1: 0}, {0: 1, 1: 30}, ())


def test_sauvetage_leaves_a_smaller_loss_alone() -> None:
    story = holding("sauvetage", "2C 3C 4C | 8D 9D TD", hp=[30, 30])
    played(story, 0, "sauvetage")

    assert only("round_scored", passes(story, 1, 0)).losses == {0: 5, 1: 0}


@pytest.mark.parametrize("number, loss", [(1, 3), (2, 5), (3, 8)])
def test_bouclier_halves_the_loss_rounded_up(number: int, loss: int) -> None:
    story = holding("bouclier", "2C 3C 4C | 8D 9D TD", round=number)
    played(story, 0, "bouclier")

    scored = only("round_scored", passes(story, 1, 0))

    assert scored.losses[0] == loss
    assert scored.price == min(5 * number, 15)


@pytest.mark.parametrize("number, price", [(1, 10), (2, 20), (3, 30)])
def test_enchere_doubles_the_price(number: int, price: int) -> None:
    story = holding("enchere", "2C 3C 4C | 8D 9D TD", round=number)
    played(story, 0, "enchere")

    scored = only("round_scored", passes(story, 1, 0))

    assert scored.price == scored.losses[0] == price


def test_a_second_enchere_in_a_round_is_refused() -> None:
    story = holding("enchere", others={1: "enchere"})
    played(story, 0, "enchere")

    assert refused(story, 1, "enchere") == "already-raised"
    assert not [action for action in legal(story, 1) if getattr(action, "atout", None)]


def test_voyance_tells_the_card_to_its_player_alone() -> None:
    story = holding("voyance", "2C 3C 4C | 5D 6D 7D | 8H TH JH")

    event = only("atout_played", story.when(0, kind="atout", atout="voyance", target=1))

    assert shown(story, event, 0) == plain(event)
    assert plain(event)["effect"] == {"card": "7D"}
    for viewer in (1, 2, None):
        assert shown(story, event, viewer) == {"seat": 0, "atout": "voyance", "target": 1, "effect": {}}


def test_voyance_shows_that_one_card_as_long_as_it_lies_there() -> None:
    story = holding("voyance", others={1: "permutation"})
    played(story, 0, "voyance", target=1)
    assert seat_view(story, 1, 0).hidden.card == "7D"
    assert seat_view(story, 1, 0).total == 18
    assert seat_view(story, 1, None).hidden is None

    played(story, 1, "permutation", slot=0)

    assert seat_view(story, 1, 0).hidden is None
    assert [card.card for card in seat_view(story, 1, 0).visible] == ["7D", "6D"]


def test_projecteur_shows_the_card_to_all() -> None:
    story = holding("projecteur")

    event = only("atout_played", played(story, 0, "projecteur", target=1))

    for viewer in (0, 1, None):
        assert shown(story, event, viewer)["effect"] == {"card": "7D"}
        assert seat_view(story, 1, viewer).hidden.card == "7D"
        assert seat_view(story, 0, viewer).hidden is None or viewer == 0


def test_echange_swaps_two_visible_cards() -> None:
    story = holding("echange")

    assert effect(story, "echange", slot=0, target=1, target_slot=1) == {}

    assert [card.card for card in seat_view(story, 0, None).visible] == ["6D", "3C"]
    assert [card.card for card in seat_view(story, 1, None).visible] == ["5D", "2C"]
    assert seat_view(story, 0, 0).total == 6 + 3 + 4


def test_larcin_takes_one_at_random() -> None:
    stolen = set()
    for position in range(30):
        story = holding("larcin", others={1: "gel mue parade"})
        events = story.when(0, some_draw(position), kind="atout", atout="larcin", target=1)
        story.given(*events)
        key = plain(events[0])["effect"]["atout"]
        stolen.add(key)
        assert story.state.holdings[0].atouts == (key,)
        assert sorted((*story.state.holdings[1].atouts, key)) == ["gel", "mue", "parade"]

    assert stolen == {"gel", "mue", "parade"}


def test_larcin_from_an_empty_hand_is_refused() -> None:
    assert refused(holding("larcin"), 0, "larcin", target=1) == "target-empty"


def test_larcin_from_a_hand_of_one_draws_no_word() -> None:
    story = holding("larcin", others={1: "gel"})
    draw = Stream(SEED, "game", ())

    story.when(0, draw, kind="atout", atout="larcin", target=1)

    assert draw.position == 0


def test_thief_and_victim_see_what_larcin_took() -> None:
    story = holding("larcin", "2C 3C 4C | 5D 6D 7D | 8H TH JH", others={1: "gel"})

    event = only("atout_played", story.when(0, kind="atout", atout="larcin", target=1))

    assert [shown(story, event, viewer)["effect"] for viewer in (0, 1)] == [{"atout": "gel"}] * 2
    assert [shown(story, event, viewer)["effect"] for viewer in (2, None)] == [{}] * 2


def test_larcin_takes_the_one_at_the_drawn_place() -> None:
    """Of two equal ones the later may be the one: then the victim, and nobody else, is told its place."""
    hands = set()
    for position in range(30):
        story = holding("larcin", others={1: "gel mue gel"})
        events = story.when(0, some_draw(position), kind="atout", atout="larcin", target=1)
        place = plain(events[0])["effect"].get("place")
        assert "place" not in shown(story, events[0], 0)["effect"]
        assert shown(story, events[0], 1)["effect"].get("place") == place
        story.given(*events)
        hands.add((place, story.state.holdings[1].atouts))

    assert hands == {(None, ("mue", "gel")), (2, ("gel", "mue")), (None, ("gel", "gel"))}


def test_brouillage_bars_atouts_on_the_next_turn_only() -> None:
    story = holding("brouillage", others={1: "bouclier"})
    played(story, 0, "brouillage", target=1)

    assert refused(story, 1, "bouclier") == "jammed"
    assert {type(action).__name__ for action in legal(story, 1)} == {"Draw", "Pass"}

    passes(story, 1)
    story.do(0, kind="draw")
    story.do(0, kind="place", slot=0)
    assert types(story.when(1, kind="atout", atout="bouclier")) == ["atout_played"]


def test_brouillage_lasts_through_draw_and_place() -> None:
    story = holding("brouillage", others={1: "bouclier"})
    played(story, 0, "brouillage", target=1)
    story.do(1, kind="draw")
    assert seat_view(story, 1, None).effects == ("brouillage",)

    story.do(1, kind="place", slot=0)

    assert seat_view(story, 1, None).effects == ()


def test_gel_skips_the_next_turn() -> None:
    story = holding("gel", "2C 3C 4C | 5D 6D 7D | 8H TH JH")

    events = played(story, 0, "gel", target=1)

    assert types(events) == ["atout_played", "turn_skipped"]
    assert plain(events[1]) == {"seat": 1}
    assert RULES.to_act(story.state) == (2,)
    passes(story, 2, 0)
    assert RULES.to_act(story.state) == (1,)


def test_gel_on_a_seat_whose_turn_comes_later_waits_for_it() -> None:
    story = holding("gel", "2C 3C 4C | 5D 6D 7D | 8H TH JH")
    played(story, 0, "gel", target=2)
    assert RULES.to_act(story.state) == (1,)

    events = story.do(1, kind="pass")

    assert types(events) == ["turn_passed", "turn_skipped"]
    assert RULES.to_act(story.state) == (0,)


def test_mue_takes_a_new_hidden_card_from_the_pile() -> None:
    story = holding("mue", pile="KH QH")

    event = only("atout_played", played(story, 0, "mue"))

    assert plain(event)["effect"] == {"card": "KH", "discarded": "4C"}
    assert shown(story, event, 0)["effect"] == {"card": "KH", "discarded": "4C"}
    for viewer in (1, None):
        assert shown(story, event, viewer)["effect"] == {"discarded": "4C"}
        assert seat_view(story, 0, viewer).hidden is None
    assert seat_view(story, 0, 0).hidden.card == "KH"
    assert story.state.discards == ("4C",)  # face up (Decision 10)
    assert story.state.pile[0] == "QH"


def test_mue_hides_from_who_had_seen_the_old_card() -> None:
    story = holding("mue", others={1: "voyance"}, starter=1)
    played(story, 1, "voyance", target=0)
    assert seat_view(story, 0, 1).hidden.card == "4C"

    played(story, 0, "mue")

    assert seat_view(story, 0, 1).hidden is None


def test_mue_refills_an_empty_pile_first() -> None:
    story = holding("mue")
    story.state = story.state.altered(pile=(), discards=story.state.pile)

    events = story.do(0, kind="atout", atout="mue")

    assert types(events) == ["pile_reshuffled", "atout_played"]
    assert plain(events[1])["effect"]["card"] == plain(events[0])["cards"][0]


def test_permutation_swaps_hidden_and_visible() -> None:
    story = holding("permutation")

    event = only("atout_played", played(story, 0, "permutation", slot=1))

    for viewer in (0, 1, None):
        assert shown(story, event, viewer)["effect"] == {"card": "4C"}
    assert [card.card for card in seat_view(story, 0, 1).visible] == ["2C", "4C"]
    assert seat_view(story, 0, 0).hidden.card == "3C"
    assert seat_view(story, 0, 1).hidden is None  # players may remember it


def test_a_card_shown_by_projecteur_is_not_shown_again_after_two_permutations() -> None:
    story = holding("projecteur", others={1: "permutation permutation"})
    played(story, 0, "projecteur", target=1)
    played(story, 1, "permutation", slot=0)
    passes(story, 0)
    played(story, 1, "permutation", slot=0)

    assert seat_view(story, 1, 1).hidden.card == "7D"
    assert seat_view(story, 1, 0).hidden is None


@pytest.mark.parametrize("delta", [-2, -1, 1, 2])
def test_ajustement_is_added_to_the_total_in_public(delta: int) -> None:
    story = holding("ajustement")

    event = only("atout_played", played(story, 0, "ajustement", delta=delta))

    assert shown(story, event, None) == {"seat": 0, "atout": "ajustement", "delta": delta, "effect": {}}
    assert seat_view(story, 0, 1).adjustment == delta
    assert seat_view(story, 0, 0).total == 9 + delta


@pytest.mark.parametrize("delta", [-3, 0, 3])
def test_ajustement_by_0_or_more_than_2_is_refused(delta: int) -> None:
    assert refused(holding("ajustement"), 0, "ajustement", delta=delta) == "delta"


def test_ajustement_adds_up_and_ends_with_the_round() -> None:
    story = holding("ajustement ajustement", "2C 3C 4C | 8D 9D TD")
    played(story, 0, "ajustement", delta=2)
    passes(story, 1)
    played(story, 0, "ajustement", delta=1)
    assert seat_view(story, 0, 0).total == 12

    passes(story, 1, 0)

    assert story.state.round == 2
    assert seat_view(story, 0, 0).adjustment == 0


def test_double_pioche_turns_up_two_and_places_one() -> None:
    story = holding("double_pioche", pile="KH QH JH")

    events = played(story, 0, "double_pioche")

    assert [(event.type, plain(event)) for event in events] == [
        ("atout_played", {"seat": 0, "atout": "double_pioche", "effect": {}}),
        ("card_drawn", {"seat": 0, "cards": ["KH", "QH"]}),
    ]
    assert RULES.to_act(story.state) == (0,)
    assert {(action.slot, action.card) for action in legal(story, 0)} == {
        (slot, card) for slot in SLOTS for card in ("KH", "QH")
    }

    placed = only("card_placed", story.do(0, kind="place", slot=1, card="QH"))

    assert plain(placed) == {"seat": 0, "slot": 1, "card": "QH", "discarded": ["3C", "KH"]}
    assert story.state.discards == ("3C", "KH")
    assert RULES.to_act(story.state) == (1,)


def test_double_pioche_is_one_turn_with_one_clock() -> None:
    story = holding("double_pioche")
    clock = RULES.turn(story.state, 0)

    played(story, 0, "double_pioche")

    assert RULES.turn(story.state, 0) == clock


def test_after_double_pioche_the_card_must_be_named_and_be_one_of_the_two() -> None:
    story = holding("double_pioche", pile="KH QH")
    played(story, 0, "double_pioche")

    assert refusal(story, 0, kind="place", slot=0) == "required"
    assert refusal(story, 0, kind="place", slot=0, card="JH") == "not-drawn"
    assert refusal(story, 0, kind="place", slot=2, card="KH") == "slot"
    assert refusal(story, 0, kind="place", slot="hidden", card="KH") == "slot"


def test_double_pioche_takes_the_last_card_of_the_pile_and_one_of_the_new_pile() -> None:
    story = holding("double_pioche")
    *rest, last = story.state.pile
    story.state = story.state.altered(pile=(last,), discards=tuple(rest))

    events = played(story, 0, "double_pioche")

    assert types(events) == ["atout_played", "pile_reshuffled", "card_drawn"]
    new = plain(events[1])["cards"]
    assert sorted(new) == sorted(rest)
    assert plain(events[2])["cards"] == [last, new[0]]
    assert story.state.pile == tuple(new[1:])


def test_miroir_gives_a_card_another_value() -> None:
    story = holding("miroir")

    event = only("atout_played", played(story, 0, "miroir", slot=0, target=1, target_slot=1))

    assert shown(story, event, None)["effect"] == {"value": 6}
    card = seat_view(story, 0, None).visible[0]
    assert (card.card, card.value) == ("2C", 6)
    assert seat_view(story, 0, 0).total == 6 + 3 + 4


def test_miroir_of_a_mirrored_card_copies_what_that_counts() -> None:
    story = holding("miroir", others={1: "miroir"})
    played(story, 0, "miroir", slot=0, target=1, target_slot=1)

    assert plain(played(story, 1, "miroir", slot=0, target=0, target_slot=0)[0])["effect"] == {"value": 6}


def test_miroir_of_an_equal_card_leaves_no_mark() -> None:
    story = holding("miroir", "5C 3C 4C | 5D 6D 7D")

    assert effect(story, "miroir", slot=0, target=1, target_slot=0) == {"value": 5}

    assert seat_view(story, 0, None).visible[0].value is None


def test_miroir_counts_from_that_moment() -> None:
    """What happens to the copied card later changes nothing."""
    story = holding("miroir", pile="KH")
    played(story, 0, "miroir", slot=0, target=1, target_slot=1)
    story.do(1, kind="draw")
    story.do(1, kind="place", slot=1)

    assert seat_view(story, 0, None).visible[0].value == 6


def test_parade_cancels_the_next_one_aimed_at_the_seat() -> None:
    story = holding("parade", others={1: "gel gel"})
    played(story, 0, "parade")
    assert seat_view(story, 0, None).effects == ("parade",)

    events = played(story, 1, "gel", target=0)
    assert plain(events[0])["effect"] == {"parried": True}
    assert RULES.to_act(story.state) == (0,)

    passes(story, 0)
    assert types(played(story, 1, "gel", target=0)) == ["atout_played", "turn_skipped"]


def test_parade_ends_with_the_round() -> None:
    story = holding("parade")
    played(story, 0, "parade")

    passes(story, 1, 0)

    assert story.state.round == 2
    assert seat_view(story, 0, None).effects == ()


def test_parade_lets_untargeted_ones_through() -> None:
    story = holding("parade", others={1: "enchere"})
    played(story, 0, "parade")

    assert plain(played(story, 1, "enchere")[0])["effect"] == {}
    assert seat_view(story, 0, None).effects == ("parade",)


def test_recyclage_takes_the_top_discard() -> None:
    story = holding("recyclage", starter=1, pile="KH")
    story.do(1, kind="draw")
    story.do(1, kind="place", slot=0)

    event = only("atout_played", played(story, 0, "recyclage", slot=1))

    for viewer in (0, 1, None):
        assert shown(story, event, viewer)["effect"] == {"card": "5D", "discarded": "3C"}
    assert [card.card for card in seat_view(story, 0, None).visible] == ["2C", "5D"]
    assert story.state.discards == ("3C",)


def test_recyclage_without_a_discard_is_refused() -> None:
    assert refused(holding("recyclage"), 0, "recyclage", slot=0) == "no-discard"
