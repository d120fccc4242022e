"""The benchmarks' own parts, without timing anything; `.ci/run` runs a quick one to see that they work."""

from __future__ import annotations

import math
from importlib import import_module
from pathlib import Path

import pytest

from tests.benchmarks import pgbench, profiling, results, soak, tables
from tests.benchmarks.__main__ import ALL, IN_ALL, LIMITS
from tests.benchmarks.load.orders import Done, due, percentile
from tests.benchmarks.rows import Row, middle
from tests.benchmarks.stack import Trouble, trusted
from tests.benchmarks.targets import TARGETS, Target

ROW = Row(
    figure="moves, 200 games",
    value=5_000.0,
    unit="1/s",
    spread=(4_800.0, 5_100.0),
    target=4_000.0,
    baseline="pgbench, 32 clients",
    ratio=0.3125,
    note="a remark",
)


def test_every_benchmark_can_be_run_without_its_optional_packages_being_imported() -> None:
    for name in LIMITS:
        assert callable(import_module(f"tests.benchmarks.{name}").run)


def test_every_target_has_a_benchmark_that_is_run_with_all() -> None:
    assert {target.benchmark for target in TARGETS} <= set(ALL)
    assert "soak" not in ALL
    assert IN_ALL <= 12 * 60


def test_the_figures_that_targets_name_are_those_of_the_benchmarks() -> None:
    for target in TARGETS:
        assert not (target.by == "ratio" and target.baseline is None)
        assert target.stretch is None or target.met(target.stretch, target.goal), "a stretch goes beyond its target"


def test_a_target_is_answered_by_the_row_with_its_baseline() -> None:
    other = Row(figure=ROW.figure, value=1.0, unit="1/s", spread=(1.0, 1.0), baseline="usual stack", ratio=14.0)
    target = next(each for each in TARGETS if each.baseline == "usual stack")

    assert target.measured([ROW, other]) == 14.0
    assert target.measured([ROW]) is None
    assert target.met(14.0, target.goal)
    assert not target.met(14.0, target.stretch or math.inf)


def test_less_is_better_where_a_target_says_so() -> None:
    target = Target(label="", benchmark="rest", figure="", goal=3.0, better="less")

    assert target.met(3.0, target.goal)
    assert not target.met(3.1, target.goal)


def test_the_table_of_rows_shows_spread_ratio_and_target() -> None:
    lines = tables.of_rows([ROW]).splitlines()

    assert len({len(line) for line in lines}) == 1, "columns are aligned"
    assert [cell.strip() for cell in lines[2].strip("|").split("|")] == [
        "moves, 200 games", "5,000", "4,800 – 5,100", "1/s", "0.312 · pgbench, 32 clients", "≥ 4,000", "yes",
        "a remark",
    ]  # fmt: skip


def test_a_missing_baseline_and_a_missing_row_are_said_not_hidden() -> None:
    row = Row(figure=ROW.figure, value=1.0, unit="1/s", spread=(1.0, 1.0), baseline=ROW.baseline)

    assert "? · pgbench" in tables.of_rows([row])
    assert tables.of_targets(TARGETS[:2], [row]).count("not measured") == 2


def test_a_latency_that_does_not_count_meets_no_target() -> None:
    row = Row(figure="x", value=math.inf, unit="ms", spread=(1.0, 2.0), target=3.0, better="less")

    assert "∞" in tables.of_rows([row])
    assert "NO" in tables.of_rows([row])


def test_recorded_figures_are_scaled_by_the_disk_of_the_day() -> None:
    assert pgbench.scaled(2_817.0, pgbench.REFERENCE) == 2_817.0
    assert pgbench.scaled(2_817.0, pgbench.REFERENCE / 2) == 1_408.5


def test_a_pace_asks_for_its_first_move_at_once_and_then_evenly() -> None:
    assert due(1_000.0, 0.0) == 1
    assert due(1_000.0, 0.0105) == 11
    assert due(4_000.0, 1.0) == 4_001


def test_percentiles_are_taken_from_the_sorted_values() -> None:
    values = [float(number) for number in range(1, 101)]

    assert percentile(values, 0.5) == 51.0
    assert percentile(values, 0.99) == 100.0
    assert percentile([], 0.99) == 0.0


def test_rates_and_shares_come_from_what_the_load_saw() -> None:
    done = Done(moves=3_000, seconds=2.0, cpu=0.5)

    assert (done.rate, done.share) == (1_500.0, 0.25)
    assert middle([3.0, 1.0, 2.0]) == (2.0, (1.0, 3.0))


def test_a_run_with_errors_is_no_result() -> None:
    assert trusted(Done(moves=10_000, errors={"stale-version": 10})).moves == 10_000
    with pytest.raises(Trouble, match="stale-version"):
        trusted(Done(moves=10_000, errors={"stale-version": 11}))


def test_the_soaks_slope_is_that_of_the_straight_line() -> None:
    assert soak.slope([(0.0, 100.0), (10.0, 101.0), (20.0, 102.0)]) == pytest.approx(0.1)
    assert soak.slope([(5.0, 7.0)]) == 0.0


def test_a_profile_tells_own_time_from_that_of_callees() -> None:
    text = profiling.summary(["run (a/b/c/loop.py:1);move (c/d/e/play.py:7) 3", "run (a/b/c/loop.py:2) 1"])

    own, _, whole = text.partition("with all")
    assert "75.0 %  move (d/e/play.py)" in own
    assert "25.0 %  run (b/c/loop.py)" in own
    assert "100.0 %  run (b/c/loop.py)" in whole


def test_only_the_measured_part_of_the_results_is_written_anew(tmp_path: Path) -> None:
    file = tmp_path / "RESULTS.md"
    file.write_text(f"by hand\n\n{results.BEGIN}\nold\n{results.END}\n\nafter\n", encoding="utf-8")
    text = results.measured("2 cores", {"moves": [ROW]}, {"rest": "it failed\nat length"})

    results.write(text, file)
    results.write(text, file)

    written = file.read_text(encoding="utf-8")
    assert written.startswith("by hand\n")
    assert written.endswith("after\n")
    assert "old" not in written
    assert written.count("## moves") == 1
    assert "- rest: it failed\n" in written
    assert results.BEGIN in results.FILE.read_text(encoding="utf-8")
