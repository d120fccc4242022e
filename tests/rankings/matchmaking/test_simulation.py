"""The simulation of arrivals, and its picture."""

from __future__ import annotations

import struct
import zlib
from io import StringIO
from pathlib import Path

from django.core.management import call_command

from rankings.matchmaking.pairing import Terms
from rankings.matchmaking.plot import Panel, draw, shares
from rankings.matchmaking.simulation import quantile, simulate


def test_strong_players_are_matched_within_a_minute_and_among_themselves() -> None:
    outcome = simulate(Terms(seats=4, least=2), players=2000, duration=720)

    top = outcome.top()
    assert len(outcome.seated) + outcome.left_over == 2000
    assert quantile([each.waited for each in top], 0.5) < 60
    assert quantile([each.spread for each in top], 0.5) < 200


def test_the_same_seed_gives_the_same_hour() -> None:
    terms = Terms(seats=2, least=2)

    assert simulate(terms, players=300, seed=4) == simulate(terms, players=300, seed=4)
    assert simulate(terms, players=300, seed=4) != simulate(terms, players=300, seed=5)


def test_shares_add_up_and_what_is_beyond_the_axis_counts_in_the_last_bin() -> None:
    (found,) = shares(Panel(series=[[0, 5, 9.9, 1000]], most=10, bins=2, step=5))

    assert found == [0.25, 0.75]


def test_the_picture_is_a_png_of_the_panels(tmp_path: Path) -> None:
    panel = Panel(series=[[1, 2, 3], [2]], most=10, step=5)

    draw(tmp_path / "plot.png", [panel, panel])

    written = (tmp_path / "plot.png").read_bytes()
    width, height = struct.unpack(">II", written[16:24])
    begin = written.index(b"IDAT") + 4
    pixels = zlib.decompress(written[begin : written.index(b"IEND") - 8])
    assert written.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(pixels) == height * (3 * width + 1)
    assert bytes((70, 120, 180)) in pixels


def test_the_command_prints_waits_and_spreads(tmp_path: Path) -> None:
    said = StringIO()
    call_command("simulate_matchmaking", players=200, seconds=120, plot=tmp_path / "plot.png", stdout=said)

    assert "top decile" in said.getvalue()
    assert (tmp_path / "plot.png").exists()
