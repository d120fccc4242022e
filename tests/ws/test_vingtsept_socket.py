"""27 over sockets and REST: picks at the same time, gifts out of turn, deadlines of their own, a whole team game."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any

import msgspec

from games.rules.lifecycle import SeatControlled
from games.services import clock
from games.services.threads import in_thread
from games.store.load import history, load
from tests.api.client import Player
from tests.games import Client, Someone, at_game, moved, somebody, started

TEAMS = {"teams": True}


def table_of(game_id: str) -> Any:
    loaded = load(game_id)
    assert loaded is not None
    return loaded.table


def choices(game_id: str, seat: int) -> list[dict[str, Any]]:
    """The seat's legal actions as the service would send them."""
    table = table_of(game_id)
    return [
        msgspec.to_builtins(action) for action in table.ruleset.legal_actions(table.ruleset.view(table.state, seat))
    ]


async def four_sockets(stack: AsyncExitStack, game_id: str, players: list[Someone]) -> list[Client]:
    return [(await stack.enter_async_context(at_game(player, game_id)))[0] for player in players]


async def test_four_seats_pick_at_the_same_time_without_a_conflict() -> None:
    players = [await in_thread(somebody) for _ in range(4)]
    game_id = await in_thread(lambda: started(players, rules="vingtsept", options=TEAMS))

    async with AsyncExitStack() as stack:
        clients = await four_sockets(stack, game_id, players)
        for number in range(3):
            picks = [(await in_thread(choices, game_id, seat))[0] for seat in range(4)]
            sends = [
                client.send(type="move", command_id=f"pick {number}", action=pick)
                for client, pick in zip(clients, picks, strict=True)
            ]
            await asyncio.gather(*sends)
            for client in clients:
                answer = await client.next()
                while answer["type"] not in ("ack", "error"):
                    answer = await client.next()
                assert (answer["type"], answer["command_id"]) == ("ack", f"pick {number}")

    table = await in_thread(table_of, game_id)
    assert table.ruleset.phase(table.state) in ("turn", "picking")  # picking: a Triple Nine at the deal is possible
    assert [table.state.held(seat) for seat in range(4)] == [3, 3, 3, 3]


async def test_a_gift_out_of_turn_arrives_and_only_the_mates_see_which() -> None:
    players = [await in_thread(somebody) for _ in range(4)]
    game_id = await in_thread(lambda: started(players, rules="vingtsept", options=TEAMS))

    async with AsyncExitStack() as stack:
        clients = await four_sockets(stack, game_id, players)
        pick = (await in_thread(choices, game_id, 2))[0]
        await clients[2].send(type="move", command_id="pick", action=pick)
        assert (await clients[2].of("ack"))["command_id"] == "pick"
        gift = {"type": "give", "atout": pick["atout"], "to": 0}
        assert gift in await in_thread(choices, game_id, 2)
        await clients[2].send(type="move", command_id="gift", action=gift)
        assert (await clients[2].of("ack"))["command_id"] == "gift"
        told = []
        for client in clients:
            while (event := (await client.of("events"))["events"][0])["type"] != "atout_given":
                pass
            told.append(event["data"])

    assert told[0] == told[2] == {"seat": 2, "to": 0, "atout": pick["atout"]}
    assert told[1] == told[3] == {"seat": 2, "to": 0}


def test_each_seats_deadline_expires_on_its_own() -> None:
    """Three of four seats have picked once more, so their clocks began later: only the fourth is overdue."""
    players = [somebody() for _ in range(4)]
    game_id = started(players, rules="vingtsept", options={"mode": "custom", "move_seconds": 30})
    clocks = table_of(game_id).clocks
    first = clocks[3].deadline
    for seat in range(3):
        moved(players[seat], game_id, choices(game_id, seat)[0])
    later = table_of(game_id).clocks
    assert all(later[seat].deadline > first for seat in range(3))
    assert later[3].deadline == first

    clock.look_after(game_id, lambda: first + timedelta(milliseconds=300))

    events = [record.event for record in history(game_id)]
    controlled = [event for event in events if isinstance(event, SeatControlled)]
    assert (controlled[0].seat, controlled[0].by, controlled[0].reason) == (3, "bot", "timeout")
    follows = events[events.index(controlled[0]) + 1]
    assert (follows.type, getattr(follows, "seat", None)) == ("atout_picked", 3)


async def test_a_whole_team_game_over_rest_and_sockets_driven_by_legal_actions() -> None:
    """Seats 0 and 2 move over sockets, 1 and 3 over REST; all choose among the legal actions that they are sent."""
    guests = [await in_thread(Player, f"Guest {seat}") for seat in range(4)]
    players = [Someone(id=guest.id, token=guest.headers["Authorization"].split()[1]) for guest in guests]
    game_id = await in_thread(lambda: started(players, rules="vingtsept", options=TEAMS))
    chance = random.Random(27)
    gifts = 0

    async with AsyncExitStack() as stack:
        clients = await four_sockets(stack, game_id, players)
        for number in range(1500):
            seen = await in_thread(guests[0].sees, {"id": game_id})
            if seen["status"] != "playing":
                break
            seat = chance.choice(seen["to_act"]) if chance.random() < 0.9 else chance.randrange(4)
            own = await in_thread(guests[seat].sees, {"id": game_id})
            if not own["legal_actions"]:
                continue
            action = _some(own["legal_actions"], chance)
            gifts += action["type"] == "give"
            if seat in (0, 2):
                await clients[seat].send(type="move", command_id=f"{number}", action=action)
                assert (await clients[seat].of("ack"))["command_id"] == f"{number}"
            else:
                reply = await in_thread(guests[seat].moves, {"id": game_id}, action)
                assert reply.status == 201, reply.content

    assert seen["status"] == "finished"
    places = {entry["seat"]: entry["place"] for entry in seen["seats"]}
    assert places in ({0: 1, 1: 3, 2: 1, 3: 3}, {0: 3, 1: 1, 2: 3, 3: 1})
    assert gifts > 0
    replay = await in_thread(guests[0].get, f"games/{game_id}/replay/")
    assert [event["seq"] for event in replay.json["events"]] == list(range(1, seen["version"] + 1))


def _some(actions: list[dict[str, Any]], chance: random.Random) -> dict[str, Any]:
    """Mostly what brings the round on; gifts and Atouts in between."""
    passes = [action for action in actions if action["type"] == "pass"]
    return passes[0] if passes and chance.random() < 0.5 else chance.choice(actions)
