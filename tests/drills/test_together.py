"""A short form of `python -m tests.drills together`."""

from __future__ import annotations

from tests.drills.together import together
from tests.drills.wire import Wire
from tests.servers import RunningStack


async def test_two_processes_with_the_same_games_lose_double_and_halve_nothing(stack: RunningStack, wire: Wire) -> None:
    seen = await together(stack, wire, seconds=3, tables=3)

    assert seen.broken + wire.journal.broken == []
    assert seen.verdict.acknowledged > 50
    assert seen.twins
    assert seen.rivals
