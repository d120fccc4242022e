"""The player's own socket and the lobby's (api.md, WebSocket), and tokens that die while sockets are open."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from accounts import erasure, tokens
from accounts.models import Token
from games.services import rematch, tables
from games.services.threads import in_thread
from games.ws.hub import TOKEN_SECONDS, hub
from tests.games import Client, Someone, moved, opened, socket, somebody, started, state_of


@asynccontextmanager
async def listening(who: Someone, place: str) -> AsyncIterator[Client]:
    async with socket(who, f"/ws/v1/{place}/") as client:
        assert await client.of("welcome") == {"type": "welcome", "protocol": 1}
        yield client


async def about(client: Client, game_id: str) -> dict[str, Any]:
    """The next message about this table; the lobby tells of all tests' tables."""
    while (message := await client.of("table"))["id"] != game_id:
        pass
    return message


async def test_who_is_to_act_is_told_once_per_turn() -> None:
    ada, bob = await in_thread(somebody), await in_thread(somebody)
    game_id = await in_thread(opened, [ada, bob])
    async with listening(ada, "me") as first, listening(bob, "me") as second:
        await in_thread(tables.start, ada.caller, game_id, None)
        told = [await first.of("notice"), await second.of("notice")]
        hands = (await in_thread(state_of, game_id)).hands
        await in_thread(moved, ada, game_id, {"type": "pick", "card": hands[0][0]})
        await in_thread(moved, bob, game_id, {"type": "pick", "card": hands[1][0]})
        turn = await first.of("notice")
        await in_thread(moved, ada, game_id, {"type": "draw"})
        assert await first.silence(), "placing belongs to the same turn"
        assert await second.silence()

    notice = {"type": "notice", "kind": "your_turn", "game_id": game_id}
    assert told == [notice | {"version": told[0]["version"], "seat": seat} for seat in (0, 1)]
    assert (turn["seat"], turn["game_id"]) == (0, game_id)


async def test_a_rematch_is_told_to_the_others_of_the_table() -> None:
    ada, bob = await in_thread(somebody), await in_thread(somebody)
    game_id = await in_thread(started, [ada, bob])
    for player in (ada, bob):
        await in_thread(tables.leave, player.caller, game_id)
    async with listening(ada, "me") as first, listening(bob, "me") as second:
        await in_thread(rematch.rematch, ada.caller, game_id, None)
        notice = await second.of("notice")
        assert await first.silence()

    assert (notice["kind"], notice["of"]) == ("rematch", game_id)


async def test_the_lobby_tells_of_open_public_tables_as_they_come_change_and_go() -> None:
    ada, bob, watching = [await in_thread(somebody) for _ in range(3)]
    async with listening(watching, "lobby") as client:
        hidden = await in_thread(opened, [ada], seats=2, visibility="private")
        game_id = await in_thread(opened, [ada, bob])
        seen = [await about(client, game_id), await about(client, game_id)]
        await in_thread(tables.start, ada.caller, game_id, None)
        gone = await about(client, game_id)
        for player in (ada, bob):
            await in_thread(tables.leave, player.caller, game_id)
        await in_thread(opened, [ada], seats=2)
        after = [await client.next()]

    assert [message["change"] for message in seen] == ["open", "open"]
    assert [bool(seat["player"]) for seat in seen[1]["game"]["seats"]] == [True, True]
    assert "code" not in seen[0]["game"]
    assert seen[0]["game"]["me"] is None
    assert gone == {"type": "table", "id": game_id, "change": "gone", "game": None}
    assert {message["id"] for message in after}.isdisjoint({game_id, hidden})


@pytest.mark.parametrize("place", ["me", "lobby"])
async def test_these_sockets_understand_ping_and_nothing_else(place: str) -> None:
    ada = await in_thread(somebody)
    async with listening(ada, place) as client:
        await client.send(type="ping")
        await client.of("pong")
        await client.send(type="sync", after=0)
        assert (await client.of("error"))["code"] == "validation"
        await client.send(type="move", command_id="c", action={"type": "draw"})
        error = await client.of("error")
        assert (error["code"], error["command_id"]) == ("validation", "c")
        await client.send_text("[]")
        assert await client.close_code() == 4400


async def test_a_token_that_dies_takes_its_sockets_along_and_no_others() -> None:
    ada, bob = await in_thread(somebody), await in_thread(somebody)
    game_id = await in_thread(started, [ada, bob])
    paths = [f"/ws/v1/games/{game_id}/", "/ws/v1/me/", "/ws/v1/lobby/"]
    async with AsyncExitStack() as stack:
        going = [await stack.enter_async_context(socket(ada, path)) for path in paths]
        staying = [await stack.enter_async_context(socket(bob, path)) for path in paths]
        for client in (*going, *staying):
            await client.of("welcome")
        await in_thread(lambda: tokens.revoke(Token.objects.filter(player_id=ada.id)))

        await hub()._drop_tokens()

        assert [await client.close_code() for client in going] == [4401] * 3
        for client in staying:
            await client.send(type="ping")
            await client.of("pong")
    assert TOKEN_SECONDS < 60


async def test_a_deleted_account_s_sockets_close_too() -> None:
    ada = await in_thread(somebody)
    async with listening(ada, "me") as client:
        await in_thread(lambda: erasure.erase(ada.uuid))
        await hub()._drop_tokens()
        assert await client.close_code() == 4401


async def test_the_hub_looks_after_tokens_without_being_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.ws.hub.TOKEN_SECONDS", 0.2)
    ada = await in_thread(somebody)
    async with listening(ada, "me") as client:
        await in_thread(lambda: tokens.revoke(Token.objects.filter(player_id=ada.id)))
        assert await client.close_code() == 4401
