"""Kill -9 of every kind of process under load, once each; `python -m tests.drills kill` does it twenty times."""

from __future__ import annotations

import pytest

from tests.drills.kills import TARGETS, Drill
from tests.servers import RunningStack


@pytest.mark.timeout(300)
async def test_no_acknowledged_move_is_lost_and_none_stands_twice_or_by_half(stack: RunningStack) -> None:
    report = await Drill(stack=stack, each=1, tables=6, before=40, seconds=120).run()

    assert {kill.target for kill in report.kills} == set(TARGETS)
    assert all(kill.in_flight for kill in report.kills)
    assert report.broken == []
    assert report.tracebacks == []
    assert report.verdict.acknowledged >= 4 * 40
