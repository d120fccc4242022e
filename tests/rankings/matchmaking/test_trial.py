"""Many clients and two matcher processes at once; the longer form is `python -m tests.rankings.matchmaking.trial`."""

from __future__ import annotations

from tests.rankings.matchmaking.trial import run


def test_with_two_matchers_and_clients_who_come_and_go_every_sum_is_right() -> None:
    sums = run(clients=32, seconds=60, enough=96)

    assert sums.faults() == []
    assert sums.created >= 96
