"""vingtsept.md, Reveal and Price: who wins a round, what a Decision does, and what losing costs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from games.rules.stream import Stream
from games.rules.vingtsept.cards import PACK, VALUES
from games.rules.vingtsept.scoring import leaders, price
from tests.builders import SEED, only, some_draw, types
from tests.rules.trials import shuffle, words
from tests.rules.vingtsept.tables import RULES, after, passes, plain, played, seat_view, shown, turns

MINUTE = 60


# --- the best total -----------------------------------------------------------------------------------------------


def test_hidden_cards_are_turned_up_and_the_nearest_total_wins() -> None:
    story = turns("2C 3C 4C | 8D 9D 7D | KH QH JH")  # 9, 24, bust

    events = passes(story, 0, 1, 2)

    assert types(events)[:3] == ["turn_passed", "hidden_revealed", "round_scored"]
    revealed, scored = events[1], events[2]
    for viewer in (0, None):
        assert shown(story, revealed, viewer) == {"cards": {"0": "4C", "1": "7D", "2": "JH"}}
    assert plain(scored) == {
        "totals": {"0": 9, "1": 24, "2": 36},
        "winners": [1],
        "price": 5,
        "losses": {"0": 5, "1": 0, "2": 5},
        "hp": {"0": 25, "1": 30, "2": 25},
        "out": [],
        "reason": "best",
    }
    assert shown(story, scored, None) == plain(scored)


def test_the_view_keeps_the_last_result() -> None:
    story = turns("2C 3C 4C | 8D 9D 7D")
    scored = only("round_scored", passes(story, 0, 1))

    assert RULES.view(story.state, None).last_round == scored


def test_a_mirrored_card_turned_up_tells_its_value() -> None:
    story = turns("2C 3C 4C | 8D 9D 7D", atouts={0: "miroir permutation"})
    played(story, 0, "miroir", slot=0, target=1, target_slot=1)
    passes(story, 1)
    event = only("atout_played", played(story, 0, "permutation", slot=0))
    assert shown(story, event, None)["effect"] == {"card": "4C"}  # the hidden card, that counts what it shows

    events = passes(story, 1, 0)

    assert plain(only("hidden_revealed", events)) == {"cards": {"0": "2C", "1": "7D"}, "values": {"0": 9}}
    assert only("round_scored", events).totals == {0: 9 + 3 + 4, 1: 24}


# --- Decision -----------------------------------------------------------------------------------------------------


def decisions(events: tuple[object, ...]) -> list[dict[str, str]]:
    return [plain(event)["cards"] for event in events if getattr(event, "type", "") == "decision_drawn"]


@pytest.mark.parametrize("position", range(0, 400, 8))
def test_tied_seats_draw_from_a_separate_pack_until_one_is_best(position: int) -> None:
    """The Decision once more by hand, over many shuffles: bust seats and new ties draw again (Decisions 4, 16)."""
    story = turns("2C 3C TC | 5D 6D 4D | AH KH AC")  # 15, 15, 15
    passes(story, 0, 1)
    visible = {0: 5, 1: 11, 2: 14}
    pack = _draws(position)
    expected, tied = [], [0, 1, 2]
    while len(tied) > 1:
        cards = {seat: next(pack) for seat in tied}
        expected.append({str(seat): card for seat, card in cards.items()})
        totals = {seat: visible[seat] + VALUES[card] for seat, card in cards.items()}
        good = [total for total in totals.values() if total <= 27]
        tied = [seat for seat in tied if totals[seat] == max(good)] if good else tied

    events = story.when(2, some_draw(position), kind="pass")

    assert decisions(events) == expected
    scored = only("round_scored", events)
    assert scored.winners == tuple(tied)
    assert scored.reason == "best"


def _draws(position: int) -> Iterator[str]:
    """The separate pack by the stream's own rules, from that word on."""
    source = words(SEED, "some-game", [])
    for _ in range(position):
        next(source)
    return iter(shuffle(source, PACK))


def test_only_the_tied_seats_draw() -> None:
    story = turns("2C 3C TC | 5D 6D 4D | AH 2H 3H")  # 15, 15, 6

    events = passes(story, 0, 1, 2)

    assert sorted(decisions(events)[0]) == ["0", "1"]
    assert only("round_scored", events).totals[2] == 6
    assert 2 not in only("round_scored", events).winners


def test_all_bust_in_a_decision_draw_once_more() -> None:
    """Objective 9, visible 8: only an ace is not bust, so nearly every first draw busts all."""
    story = turns("4C 4D AC | 2D 6D AD", objective=9)
    passes(story, 0)

    events = story.do(1, kind="pass")

    drawn = decisions(events)
    assert len(drawn) > 1
    assert all(card[0] != "A" for draw in drawn[:-1] for card in draw.values()) or len(drawn) > 2
    assert min(only("round_scored", events).totals.values()) == 9
    assert len(only("round_scored", events).winners) == 1
    assert all(sorted(draw) == ["0", "1"] for draw in drawn)


def test_a_used_up_separate_pack_is_shuffled_anew() -> None:
    """Three tied seats that can only win with an ace may need more than 52 cards."""
    longest = 0
    for position in range(0, 4000, 16):
        story = turns("4C 4D AC | 2D 6D AD | 3H 5H AH", objective=9)
        passes(story, 0, 1)
        drawn = decisions(story.when(2, some_draw(position), kind="pass"))
        flat = [card for draw in drawn for card in draw.values()]
        assert len(set(flat[:52])) == min(len(flat), 52)
        longest = max(longest, len(flat))

    assert longest > 26


def test_a_decision_is_seen_by_all_and_does_not_use_the_pile() -> None:
    story = turns("2C 3C TC | 5D 6D 4D")
    passes(story, 0)
    events = story.when(1, some_draw(), kind="pass")
    state = story.state
    for event in events[: types(events).index("round_dealt")]:
        assert sorted(state.cards()) == sorted(PACK)
        state = RULES.evolve(state, event, state.dealt_at)

    drawn = only("decision_drawn", events)
    for viewer in (0, 1, None):
        assert shown(story, drawn, viewer) == plain(drawn)
    assert state.pile == story.state.pile


def test_no_decision_without_a_tie() -> None:
    story = turns("2C 3C 9C | 5D 6D 4D")
    passes(story, 0)
    draw = Stream(SEED, "some-game", ())
    events = story.when(1, draw, kind="pass")

    assert types(events)[:3] == ["turn_passed", "hidden_revealed", "round_scored"]


# --- general bust -------------------------------------------------------------------------------------------------


def test_if_all_bust_nobody_wins_and_each_loses_5() -> None:
    story = turns("KC QC JC | KD QD JD", round=3)

    scored = only("round_scored", passes(story, 0, 1))

    assert plain(scored) == {
        "totals": {"0": 36, "1": 36},
        "winners": [],
        "price": 5,
        "losses": {"0": 5, "1": 5},
        "hp": {"0": 25, "1": 25},
        "out": [],
        "reason": "general_bust",
    }


def test_a_general_bust_that_would_take_everybody_leaves_all_at_1() -> None:
    story = turns("KC QC JC | KD QD JD | KH QH JH", hp=[5, 3, 1])

    events = passes(story, 0, 1, 2)

    scored = only("round_scored", events)
    assert (scored.hp, scored.losses, scored.out) == ({0: 1, 1: 1, 2: 1}, {0: 4, 1: 2, 2: 0}, ())
    assert "round_dealt" in types(events)


def test_a_general_bust_that_takes_some_takes_them_out() -> None:
    story = turns("KC QC JC | KD QD JD | KH QH JH", hp=[5, 6, 1])

    scored = only("round_scored", passes(story, 0, 1, 2))

    assert (scored.hp, scored.out) == ({0: 0, 1: 1, 2: 0}, (0, 2))


def test_an_enchere_has_no_effect_on_a_general_bust() -> None:
    story = turns("KC QC JC | KD QD JD", atouts={0: "enchere"})
    played(story, 0, "enchere")

    scored = only("round_scored", passes(story, 1, 0))

    assert (scored.price, scored.losses) == (5, {0: 5, 1: 5})


def test_a_general_bust_costs_5_however_long_the_round_was() -> None:
    story = turns("KC QC JC | KD QD JD")
    passes(story, 0)

    assert only("round_scored", after(story, 31 * MINUTE, 1, kind="pass")).price == 5


def test_bouclier_halves_a_general_bust_to_3_and_sauvetage_saves_from_it() -> None:
    """Decision 28."""
    story = turns("KC QC JC | KD QD JD | KH QH JH", hp=[5, 30, 5], atouts={0: "sauvetage", 1: "bouclier"})
    played(story, 0, "sauvetage")
    played(story, 1, "bouclier")

    scored = only("round_scored", passes(story, 2, 0, 1))

    assert (scored.hp, scored.losses, scored.out) == ({0: 1, 1: 27, 2: 0}, {0: 4, 1: 3, 2: 5}, (2,))


# --- price by time ------------------------------------------------------------------------------------------------

PRICES = [
    # seconds from deal to reveal, rounds 1, 2, 3, 4
    (0, (5, 10, 15, 15)),
    (14 * MINUTE + 59, (5, 10, 15, 15)),
    (14 * MINUTE + 59.999, (5, 10, 15, 15)),
    (15 * MINUTE, (15, 15, 15, 15)),
    (29 * MINUTE + 59, (15, 15, 15, 15)),
    (30 * MINUTE, (30, 30, 30, 30)),
    (3 * 60 * MINUTE, (30, 30, 30, 30)),
]


@pytest.mark.parametrize("seconds, by_round", PRICES)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_price_goes_by_the_round_and_the_time_from_deal_to_reveal(
    seconds: float, by_round: tuple[int, ...], number: int
) -> None:
    story = turns("2C 3C 4C | 8D 9D TD", round=number)
    passes(story, 0)

    scored = only("round_scored", after(story, seconds, 1, kind="pass"))

    assert scored.price == by_round[number - 1] == price(number, timedelta(seconds=seconds))
    assert scored.losses == {0: scored.price, 1: 0}


@pytest.mark.parametrize("seconds, charged", [(14 * MINUTE + 59, 10), (15 * MINUTE, 30), (30 * MINUTE, 30)])
def test_enchere_doubles_the_price_of_the_time_to_at_most_30(seconds: float, charged: int) -> None:
    story = turns("2C 3C 4C | 8D 9D TD", atouts={0: "enchere"})
    played(story, 0, "enchere")
    passes(story, 1)

    assert only("round_scored", after(story, seconds, 0, kind="pass")).price == charged


def test_the_time_starts_anew_with_each_deal() -> None:
    story = turns("2C 3C 4C | 8D 9D TD", hp=[30, 30])
    passes(story, 0)
    late = after(story, 20 * MINUTE, 1, kind="pass")
    state = story.state
    for event in late:
        state = RULES.evolve(
            state, event, state.dealt_at + timedelta(minutes=20) if state.round == 1 else state.dealt_at
        )

    assert only("round_scored", late).price == 15
    assert state.round == 2
    assert RULES.view(state, None).dealt_at == "2026-03-01T12:20:00.000Z"


def test_a_triple_nine_costs_the_price_of_its_time_too() -> None:
    story = turns("9C 9D 4C | 5D 6D 7D", pile="9H")
    story.do(0, kind="draw")

    assert only("round_scored", after(story, 15 * MINUTE, 0, kind="place", slot="hidden")).price == 15


def test_a_loss_is_what_was_there_to_lose() -> None:
    story = turns("2C 3C 4C | 8D 9D TD", hp=[3, 30])

    scored = only("round_scored", passes(story, 0, 1))

    assert (scored.price, scored.losses, scored.hp, scored.out) == (5, {0: 3, 1: 0}, {0: 0, 1: 30}, (0,))


def test_leaders_are_the_best_not_above_the_threshold() -> None:
    assert leaders({0: 27, 1: 26, 2: 28}, 27) == (0,)
    assert leaders({0: 26, 1: 26, 2: 28}, 27) == (0, 1)
    assert leaders({0: 28, 1: 36}, 27) == ()
    assert leaders({0: 0, 1: -2}, 9) == (0,)


def test_what_everybody_knows_at_the_reveal_is_in_the_reward_view() -> None:
    """While a Triple Nine's holder picks, the round's cards still lie open."""
    story = turns("9C 9D 4C | 5D 6D 7D", pile="9H")
    story.do(0, kind="draw")
    story.do(0, kind="place", slot="hidden")

    assert RULES.phase(story.state) == "reward"
    assert seat_view(story, 1, None).hidden.card == "7D"
