"""Sockets while the database is away: they stay, or close with a code that says to come back (api.md, WebSocket)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from games.services.threads import in_thread
from tests.games import at_game, database_away, moved, socket_to, somebody, started


@pytest.fixture
async def connected_thread() -> AsyncIterator[ThreadPoolExecutor]:
    """A thread that is connected already."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: connection.ensure_connection()).result()  # noqa: PLW0108  (this thread's own)
        yield thread
        thread.submit(lambda: connection.close()).result()  # noqa: PLW0108


async def test_a_socket_that_cannot_be_served_now_is_closed_with_try_again_later() -> None:
    ada = await in_thread(somebody, "Ada")
    game_id = await in_thread(started, [ada, await in_thread(somebody, "Bob")])

    with database_away():
        client = socket_to(f"/ws/v1/games/{game_id}/", ada.token)
        assert (await client.connect())[0]
        assert await client.close_code() == 1013


async def test_a_move_during_an_outage_is_unavailable_and_its_repeat_stands() -> None:
    ada = await in_thread(somebody, "Ada")
    game_id = await in_thread(started, [ada, await in_thread(somebody, "Bob")])

    async with at_game(ada, game_id) as (client, welcome):
        action = {"type": "pick", "card": welcome["game"]["state"]["hand"][0]}
        with database_away():
            await client.send(type="move", command_id="c1", action=action)
            error = await client.of("error")
        await client.send(type="move", command_id="c1", action=action)
        ack = await client.of("ack")

    assert (error["code"], error["command_id"]) == ("unavailable", "c1")
    assert error["retry_after"] >= 1
    assert ack["version"] == welcome["version"] + 1


async def test_what_could_not_be_looked_up_during_an_outage_is_sent_soon_after(
    connected_thread: ThreadPoolExecutor,
) -> None:
    ada, bob = await in_thread(somebody, "Ada"), await in_thread(somebody, "Bob")
    game_id = await in_thread(started, [ada, bob])

    async with at_game(ada, game_id) as (client, welcome):
        card = welcome["game"]["state"]["hand"][0]
        with database_away():
            connected_thread.submit(moved, ada, game_id, {"type": "pick", "card": card}).result()
            assert await client.silence()
        events = await client.of("events")

    assert events["version"] == welcome["version"] + 1
