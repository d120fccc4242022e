"""Sockets run inside the test's own loop; the hub is ended with it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.games import hub_stopped
from tests.leak.world import put_away
from tests.servers import TestServers


@pytest.fixture
def superuser(servers: TestServers) -> str:
    return servers.superuser_database_url


@pytest_asyncio.fixture(autouse=True)
async def _nothing_is_left_open() -> AsyncIterator[None]:
    yield
    await hub_stopped()
    await put_away()
