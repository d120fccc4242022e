"""One stack for all drills of the suite: two web processes, worker and beat."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.drills.clocks import GRACES
from tests.drills.journal import Journal
from tests.drills.kills import SETTINGS
from tests.drills.wire import Wire
from tests.servers import RunningStack, running_stack


@pytest.fixture(scope="package")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    with running_stack(
        tmp_path_factory.mktemp("drills") / "data", web_processes=2, settings=SETTINGS | GRACES
    ) as stack:
        yield stack


@pytest_asyncio.fixture
async def wire(stack: RunningStack) -> AsyncIterator[Wire]:
    async with Wire(stack.urls, Journal(), random.Random(1)) as wire:
        yield wire
