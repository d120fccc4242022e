"""vingtsept.md, End and standing."""

from __future__ import annotations

from tests.builders import Story, only, types
from tests.rules.vingtsept.tables import RULES, legal, passes, refusal, turns


def places(story: Story) -> list[tuple[int, int]]:
    standing = RULES.standing(story.state)
    assert standing is not None
    assert [place.seat for place in standing] == list(range(len(standing)))
    return [(place.place, place.score) for place in standing]


def test_the_last_seat_with_hp_wins() -> None:
    story = turns("2C 3C 4C | 8D 9D TD", hp=[5, 12])
    assert RULES.standing(story.state) is None

    events = passes(story, 0, 1)

    assert types(events) == ["turn_passed", "turn_passed", "hidden_revealed", "round_scored"][1:]
    assert places(story) == [(2, 0), (1, 12)]
    assert RULES.to_act(story.state) == ()
    assert legal(story, 1) == ()
    assert refusal(story, 1, kind="draw") == "not-your-turn"


def test_later_out_is_better_and_the_same_round_shares_the_place() -> None:
    story = turns("2C 3C 4C | 8D 9D TD | 2H 3H 4H |", hp=[5, 30, 5, 0], round=4)

    passes(story, 0, 1, 2)

    assert places(story) == [(2, 0), (1, 30), (2, 0), (4, 0)]


def test_after_round_60_places_go_by_hp() -> None:
    """Decision 27."""
    story = turns("2C 3C 4C | 8D 9D TD | 2H 3H 4H |", hp=[20, 30, 17, 0], round=60)

    events = passes(story, 0, 1, 2)

    assert types(events)[-1] == "round_scored"
    assert places(story) == [(2, 5), (1, 30), (3, 2), (4, 0)]


def test_equal_hp_after_round_60_share_the_place() -> None:
    story = turns("KC QC JC | KD QD JD | KH QH JH", hp=[20, 20, 30], round=60)

    passes(story, 0, 1, 2)

    assert places(story) == [(2, 15), (2, 15), (1, 25)]


def test_who_went_out_earlier_stands_behind_those_in_at_round_60() -> None:
    story = turns("2C 3C 4C | 8D 9D TD | 2H 3H 4H |", hp=[15, 30, 17, 0], round=60)

    passes(story, 0, 1, 2)

    assert places(story) == [(3, 0), (1, 30), (2, 2), (4, 0)]


def test_round_59_is_not_the_last() -> None:
    story = turns("2C 3C 4C | 8D 9D TD", round=59)

    assert only("round_dealt", passes(story, 0, 1)).round == 60
