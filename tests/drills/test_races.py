"""Many at once over two processes (details.md, Shapes: idempotency; api.md, General)."""

from __future__ import annotations

from tests.drills.races import Rounds, same_key, same_version, table_for_two
from tests.drills.wire import Wire


async def test_of_fifty_moves_at_one_version_one_stands_and_the_others_are_409(wire: Wire) -> None:
    seen = Rounds()

    async with table_for_two(wire) as table:
        for _ in range(3):
            await same_version(table, seen)

    assert seen.broken + wire.journal.broken == []
    assert sum(times for answer, times in seen.answers.items() if answer.endswith("stands")) == 3


async def test_one_key_is_one_event_and_its_answers_are_equal_to_the_byte(wire: Wire) -> None:
    seen = Rounds()

    async with table_for_two(wire) as table:
        for _ in range(3):
            await same_key(table, seen)

    assert seen.broken + wire.journal.broken == []
    assert {answer for answer in seen.answers if "answered" in answer} == {"REST answered", "socket answered"}
    assert seen.answers["the other's equal key: its own event"] > 0
