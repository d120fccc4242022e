"""A player with a socket on /ws/v1/me/ is told what a game did to the rating."""

from collections.abc import AsyncIterator

import pytest_asyncio
from asgiref.sync import sync_to_async

from tests.games import hub_stopped, socket, somebody
from tests.rankings.ratings.games import caught_up, finished


@pytest_asyncio.fixture(autouse=True)
async def _no_hub_is_left() -> AsyncIterator[None]:
    yield
    await hub_stopped()


async def test_both_players_are_told() -> None:
    one, other = await sync_to_async(somebody)(), await sync_to_async(somebody)()
    async with socket(one, "/ws/v1/me/") as first, socket(other, "/ws/v1/me/") as second:
        await first.of("welcome")
        await second.of("welcome")
        game_id = await sync_to_async(finished)([one.id, other.id], [1, 2])
        await sync_to_async(caught_up)()

        won, lost = await first.of("notice"), await second.of("notice")

    assert won == {
        "type": "notice",
        "kind": "rating",
        "game_id": game_id,
        "rules": "gg",
        "before": 1500,
        "after": won["after"],
        "deviation": won["deviation"],
        "provisional": True,
        "place": 1,
        "seats": 2,
    }
    assert won["after"] > 1500 > lost["after"]
