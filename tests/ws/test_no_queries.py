"""A move costs its batch's statement and no other, whichever way it comes and whoever watches."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import pytest_asyncio
from psycopg._connection_base import BaseConnection
from psycopg._cursor_base import BaseCursor

from accounts import tokens
from config.wire import gathered
from games.services.threads import in_thread
from games.store.load import load
from tests.api.test_road import ROAD_ALONE, Asking, ask
from tests.games import Client, Someone, at_game, somebody, started

MOVES = 30


@pytest_asyncio.fixture(autouse=True)
async def _limits_let_go() -> AsyncIterator[None]:
    yield
    await gathered.stop()


@contextmanager
def statements(patch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every statement that this process sends meanwhile, from any thread and over any connection."""
    sent: list[str] = []
    by_cursor, by_connection = BaseCursor._maybe_prepare_gen, BaseConnection._exec_command

    def from_cursor(self: Any, query: Any, **more: Any) -> Any:
        sent.append(query.query.decode())
        return by_cursor(self, query, **more)

    def from_connection(self: Any, command: Any, *more: Any, **named: Any) -> Any:
        sent.append(str(command))
        return by_connection(self, command, *more, **named)

    with patch.context() as patched:
        patched.setattr(BaseCursor, "_maybe_prepare_gen", from_cursor)
        patched.setattr(BaseConnection, "_exec_command", from_connection)
        yield sent


def table(players: int) -> tuple[list[Someone], str]:
    """A game that is long, whose every seat is a player's."""
    seated = [somebody() for _ in range(players)]
    return seated, started(seated, rules="gg")


async def next_actions(game_id: str) -> tuple[int, dict[str, Any]]:
    """Who is to act, and how, by the state that the process has in memory."""
    from games.store import cache

    loaded = cache.get(game_id)
    assert loaded is not None
    rules, seat = loaded.table.ruleset, loaded.table.to_act[0]
    action = rules.legal_actions(rules.view(loaded.table.state, seat))[0]
    import msgspec

    return seat, msgspec.to_builtins(action, str_keys=True)


def appends(sent: list[str]) -> int:
    return sum("advanced" in statement for statement in sent)


def test_every_statement_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    with statements(monkeypatch) as sent:
        load("00000000-0000-7000-8000-000000000000")

    assert any("games_game" in statement for statement in sent)


async def test_socket_moves_cost_no_query_but_their_batchs(monkeypatch: pytest.MonkeyPatch) -> None:
    players, game_id = await in_thread(table, 2)
    async with at_game(players[0], game_id) as (one, _), at_game(players[1], game_id) as (two, _):
        clients: list[Client] = [one, two]
        await asyncio.sleep(0.3)  # leases are written, and what was said at the start has been heard
        with statements(monkeypatch) as sent:
            for number in range(MOVES):
                seat, action = await next_actions(game_id)
                await clients[seat].send(type="move", command_id=f"c{number}", action=action)
                ack = await clients[seat].of("ack")
                for client in clients:
                    assert (await client.of("events"))["version"] == ack["version"]
            await asyncio.sleep(0.2)

    assert appends(sent) == len(sent) == MOVES


async def test_rest_moves_cost_no_query_but_their_batchs(monkeypatch: pytest.MonkeyPatch) -> None:
    players, game_id = await in_thread(table, 2)
    for player in players:  # a token's check is believed for seconds, by a cache that begins when it listens
        await in_thread(tokens.authenticate, player.token)
    await asyncio.sleep(0.5)
    for player in players:
        await in_thread(tokens.authenticate, player.token)
    async with at_game(players[0], game_id):
        await asyncio.sleep(0.3)
        with statements(monkeypatch) as sent:
            for number in range(MOVES):
                seat, action = await next_actions(game_id)
                keys = (("idempotency-key", f"k{number}"),)
                got = await ask(ROAD_ALONE, game_id, Asking(players[seat], {"action": action}, headers=keys))
                assert got.status == 201, got
            await asyncio.sleep(0.2)

    assert appends(sent) == MOVES
    assert [statement for statement in sent if "advanced" not in statement and "accounts_token" not in statement] == []
    assert len(sent) - MOVES <= 2 * len(players), "a token that was believed long enough is checked anew"


async def test_moves_at_once_share_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [await in_thread(table, 2) for _ in range(12)]
    for players, game_id in tables:
        await in_thread(load, game_id)
        for player in players:
            await in_thread(tokens.authenticate, player.token)
    turns = [(players, game_id, *(await next_actions(game_id))) for players, game_id in tables]

    with statements(monkeypatch) as sent:
        got = await asyncio.gather(
            *(
                ask(ROAD_ALONE, game_id, Asking(players[seat], {"action": action}))
                for players, game_id, seat, action in turns
            )
        )

    assert [each.status for each in got] == [201] * 12
    assert appends(sent) < 12
    assert all(isinstance(json.loads(each.body)["version"], int) for each in got)
