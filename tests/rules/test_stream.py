"""api.md, Fairness, and details.md, Random stream, against a second reading of those pages."""

from __future__ import annotations

import hashlib
import itertools

import pytest

from games.rules.cards import pack
from games.rules.stream import WORD_RANGE, Stream, commitment
from tests.builders import SEED
from tests.rules.trials import number, shuffle, words


def test_words_are_those_of_the_page() -> None:
    stream = Stream(SEED, "some-game", ["", "abc", ""])

    assert [stream.word() for _ in range(40)] == list(itertools.islice(words(SEED, "some-game", ["", "abc", ""]), 40))


def test_a_known_word_never_changes() -> None:
    assert Stream(SEED, "some-game", ["", "abc"]).word() == 0x5F54E690


def test_the_stream_goes_on_from_any_place() -> None:
    whole = Stream(SEED, "g", ())
    first = [whole.word() for _ in range(30)]

    assert [Stream(SEED, "g", (), place).word() for place in range(30)] == first


@pytest.mark.parametrize("limit", [2, 3, 4, 52, 1000, 2**31 + 1])
def test_numbers_are_those_of_the_page(limit: int) -> None:
    stream, source = Stream(SEED, "g", ()), words(SEED, "g", ())

    assert [stream.below(limit) for _ in range(50)] == [number(source, limit) for _ in range(50)]


def test_words_beyond_the_largest_multiple_are_skipped_and_counted() -> None:
    limit = 2**31 + 1
    stream = Stream(SEED, "g", ())

    for _ in range(20):
        stream.below(limit)

    assert stream.position > 20
    assert WORD_RANGE // limit == 1


def test_a_choice_among_one_uses_no_word() -> None:
    stream = Stream(SEED, "g", ())

    assert (stream.below(1), stream.position) == (0, 0)


def test_a_shuffle_is_that_of_the_page() -> None:
    stream, source = Stream(SEED, "g", ()), words(SEED, "g", ())

    assert stream.shuffled(pack()) == shuffle(source, pack())
    assert stream.shuffled(pack(joker=True)) == shuffle(source, pack(joker=True))


class Planted(Stream):
    """A stream whose every third word lies above the ceiling of every number that is no power of two."""

    __slots__ = ()

    def _words(self, number: int) -> tuple[int, ...]:
        return tuple(WORD_RANGE - 1 if place % 3 == 0 else 7919 * (8 * number + place + 1) for place in range(8))


@pytest.mark.parametrize("used", [0, 1, 7, 8])
def test_a_shuffle_skips_and_counts_the_same_words_as_single_numbers(used: int) -> None:
    whole, single = (Planted(SEED, "g", (), used) for _ in range(2))
    expected = list(pack())
    for last in range(len(expected) - 1, 0, -1):
        other = single.below(last + 1)
        expected[last], expected[other] = expected[other], expected[last]

    assert whole.shuffled(pack()) == expected
    assert whole.position == single.position > used + 51


def test_a_shuffle_leaves_its_argument_alone() -> None:
    cards = list(pack())
    Stream(SEED, "g", ()).shuffled(cards)

    assert cards == list(pack())


def test_the_commitment_is_over_the_raw_bytes() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
