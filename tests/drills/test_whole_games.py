"""Whole games over sockets on two processes: the messages alone make the game that a fresh GET shows."""

from __future__ import annotations

import asyncio

from tests.drills.tables import differences, played
from tests.drills.wire import Wire


async def test_four_clients_play_a_game_to_its_end_and_know_what_get_shows(wire: Wire) -> None:
    games = await asyncio.gather(*(played(wire, 4, 4, quick=True, lives=1) for _ in range(2)))

    for client in (client for clients in games for client in clients):
        assert await differences(client) == []
        assert client.events[-1]["type"] == "game_finished"
    assert wire.journal.broken == []
