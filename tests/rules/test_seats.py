"""The way round the table."""

from __future__ import annotations

import pytest

from games.rules.seats import ANTICLOCKWISE, around, following, put


def test_clockwise_is_one_seat_on() -> None:
    assert list(around(2, 4)) == [2, 3, 0, 1]


def test_anticlockwise_is_one_seat_back() -> None:
    assert list(around(1, 4, ANTICLOCKWISE)) == [1, 0, 3, 2]


def test_the_following_seat_skips_those_that_are_not_among_them() -> None:
    assert following(1, 5, {0, 1, 4}) == 4
    assert following(1, 5, {0, 1, 4}, ANTICLOCKWISE) == 0


def test_a_seat_follows_itself_only_if_it_is_the_last() -> None:
    assert following(3, 5, {3}) == 3


def test_no_seat_follows_where_none_is_left() -> None:
    with pytest.raises(LookupError):
        following(3, 5, set())


def test_values_by_seat_are_changed_at_one_seat_alone() -> None:
    before = ("a", "b", "c")

    assert put(before, 1, "x") == ("a", "x", "c")
    assert before == ("a", "b", "c")
