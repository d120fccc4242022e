"""Closed sockets leave cycles behind; what piles up of them is bounded (config/garbage.py)."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from config import garbage


class Cycle:
    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def _never_by_itself() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_never_by_itself")
async def test_after_so_many_closed_sockets_everything_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "SOCKETS", 3)
    for _ in range(2):  # wherever the count stood before, three more are a look
        left = weakref.ref(Cycle())
        for _ in range(3):
            garbage.socket_closed()
        await asyncio.sleep(0)
        assert left() is None
