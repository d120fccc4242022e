from __future__ import annotations

import pytest

from tests.rankings.matchmaking.players import clear


@pytest.fixture(autouse=True)
def _empty_queues(request: pytest.FixtureRequest) -> None:
    if "test_pairing" not in request.node.nodeid:
        clear()
