"""A ranked game from tickets to rating changes, as clients live it: real tokens, REST and sockets, every ruleset."""

from __future__ import annotations

import asyncio
import time

import httpx
import pytest

from games.rules.registry import RULESETS
from tests.drills.client import Client
from tests.drills.wire import Account, Wire

PATIENCE = 60.0


async def until(wire: Wire, account: Account, path: str, wanted: str) -> httpx.Response:
    """The answer at a path once its body holds some text."""
    limit = time.monotonic() + PATIENCE
    while wanted not in (answer := await wire.insist("GET", path, account)).text:
        assert time.monotonic() < limit, answer.text
        await asyncio.sleep(0.2)
    return answer


@pytest.mark.timeout(400)
@pytest.mark.parametrize("rules", [rules.key for rules in RULESETS])
async def test_tickets_become_a_game_and_the_game_becomes_ratings(rules: str, wire: Wire) -> None:
    seats = 3 if rules == "barbu" else 2
    players = [await wire.registered() for _ in range(seats)]
    ask = {"rules": rules, "mode": "ranked", "seats": seats}
    tickets = [(await wire.insist("POST", "/api/v1/matchmaking/tickets/", one, ask)).json() for one in players]
    matched = [
        (await until(wire, one, f"/api/v1/matchmaking/tickets/{ticket['id']}/", '"matched"')).json()
        for one, ticket in zip(players, tickets, strict=True)
    ]
    game_id = matched[0]["game_id"]
    assert {ticket["game_id"] for ticket in matched} == {game_id}

    clients = [Client(wire, game_id, one) for one in players]
    await asyncio.gather(*(client.run() for client in clients))

    game = await wire.game(game_id, players[0])
    assert (game["mode"], game["status"], game["host"]) == ("ranked", "finished", None)
    places = {seat["player"]["id"]: seat["place"] for seat in game["seats"]}
    for one in players:
        path = f"/api/v1/players/{one.id}/ratings/{rules}/history/"
        row = (await until(wire, one, path, game_id)).json()["results"][0]
        assert (row["game_id"], row["place"], row["seats"]) == (game_id, places[one.id], seats)
        assert row["before"] == 1500
    assert wire.journal.broken == []
