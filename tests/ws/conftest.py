"""Sockets run inside the test's own loop; the hub is ended with it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.games import hub_stopped


@pytest_asyncio.fixture(autouse=True)
async def _no_hub_is_left() -> AsyncIterator[None]:
    yield
    await hub_stopped()
