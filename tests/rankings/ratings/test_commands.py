"""What operators type, and the measurements that the README quotes."""

import io
import re
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from rankings.ratings.comparison import FORMATS, compare, spearman
from rankings.ratings.contenders import CONTENDERS
from rankings.ratings.models import Adjustment, Rating
from tests.rankings.ratings.games import caught_up, finished, from_events_alone, tables
from tests.store.games import new_id


def _said(*command: Any, **options: Any) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out, **options)
    return out.getvalue()


def test_rebuilding_leaves_every_bit_where_it_was() -> None:
    from_events_alone()
    finished([str(uuid4()) for _ in range(3)], [1, 2, 2], rules="barbu")
    caught_up()
    before = tables()

    assert "made anew" in _said("rebuild_ratings")
    assert "made anew" in _said("rebuild_ratings", rules="barbu")
    assert tables() == before


def test_a_game_is_voided_with_author_and_reason() -> None:
    players = [str(uuid4()), str(uuid4())]
    game_id = finished(players, [1, 2])
    caught_up()

    said = _said("void_game", game_id, author="Ada", reason="played by arrangement")

    assert "is void" in said
    assert Adjustment.objects.get(game_id=game_id).author == "Ada"
    assert not Rating.objects.filter(player_id__in=players).exists()


@pytest.mark.parametrize("author, reason", [("", "x"), ("Ada", " "), ("Ada", "x" * 501), ("Ada", "unknown game")])
def test_voiding_needs_a_game_an_author_and_a_reason(author: str, reason: str) -> None:
    with pytest.raises(CommandError):
        _said("void_game", new_id(), author=author, reason=reason)


def test_the_leaderboard_is_measured_without_a_scan_of_all_rows_and_nothing_stays() -> None:
    before = Rating.objects.count()

    said = _said("measure_leaderboard", players=20_000)

    assert "Seq Scan" not in said
    assert len(re.findall(r"median [\d.]+ ms", said)) == 7
    assert Rating.objects.count() == before


def test_the_comparison_names_every_model_in_every_format() -> None:
    said = _said("compare_rating_models", players=8, populations=1, markdown=True, formats=FORMATS[:2])

    assert [line.split("|")[1].strip() for line in said.splitlines()[2:]] == [each.name for each in CONTENDERS]


@pytest.mark.parametrize("form", FORMATS, ids=[form.name for form in FORMATS])
def test_every_model_learns_who_plays_well_and_the_same_seed_gives_the_same_numbers(form: Any) -> None:
    scores = compare(CONTENDERS, form, players=16, seed=3, chances=["normal"])

    assert all(score.correlations[-1] > 0.7 for score in scores)
    assert compare(CONTENDERS[:1], form, players=16, seed=3, chances=["normal"]) == scores[:1]


def test_rank_correlation_counts_ties_as_means() -> None:
    assert spearman([1, 2, 3, 4], [10, 20, 30, 40]) == pytest.approx(1)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    assert spearman([1, 1, 2, 2], [1, 1, 2, 2]) == pytest.approx(1)
