"""Late and lost seats with real worker and beat (details.md, Shapes; architecture, presence)."""

from __future__ import annotations

from tests.drills.clocks import Clocks
from tests.drills.wire import Wire
from tests.servers import RunningStack


async def test_a_late_seat_is_played_by_a_bot_until_its_player_is_back_for_good(
    stack: RunningStack, wire: Wire
) -> None:
    clocks = Clocks(stack, wire)

    seen = await clocks.late()

    assert seen.reason == "timeout"
    assert seen.taken_over >= 0
    assert clocks.broken + wire.journal.broken == []


async def test_a_seat_whose_socket_is_gone_is_taken_over_after_the_grace_period(
    stack: RunningStack, wire: Wire
) -> None:
    seen = await Clocks(stack, wire).lost()

    assert seen.reason == "disconnected"
    assert wire.journal.broken == []
