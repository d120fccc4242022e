"""Every process asked to end and started anew while games go on; `python -m tests.drills rolling` does it at length."""

from __future__ import annotations

import pytest

from tests.drills.deployment import Supervised
from tests.drills.rolling import RANKED, SHORT, Rolling
from tests.servers import RunningStack


@pytest.mark.timeout(300)
async def test_a_rolling_restart_loses_nothing_and_does_nothing_twice(stack: RunningStack) -> None:
    plans = [RANKED["vingtsept"], SHORT["gg"], SHORT["gg"]]
    drill = Rolling(fleet=Supervised(stack), plans=plans, begin=0.0)

    report = await drill.run()

    assert {each.process for each in report.restarts} == {"web", "web-2", "worker", "beat"}
    assert report.broken == []
    assert report.rated == 2
    assert report.journal.reopened > 0
