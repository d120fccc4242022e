"""The game's socket: welcome, events, moves, catching up, refusals (api.md, WebSocket)."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

from games.services import presence, tables
from games.services.threads import in_thread
from games.store.load import load
from games.ws.hub import hub
from tests.games import Client, Someone, at_game, moved, opened, socket, socket_to, somebody, started


async def two_at_a_table() -> tuple[Someone, Someone, str]:
    players = [await in_thread(somebody, "Ada"), await in_thread(somebody, "Bob")]
    return players[0], players[1], await in_thread(started, players)


async def test_a_welcome_shows_the_game_as_get_does_and_nothing_follows() -> None:
    ada, _, game_id = await two_at_a_table()

    async with at_game(ada, game_id) as (client, welcome):
        assert welcome["protocol"] == 1
        assert welcome["version"] == welcome["game"]["version"]
        assert welcome["game"]["me"] == {"seat": 0}
        assert len(welcome["game"]["state"]["hand"]) == 3
        assert await client.silence()


async def test_a_move_is_acknowledged_and_every_socket_gets_its_events_redacted() -> None:
    ada, bob, game_id = await two_at_a_table()

    async with at_game(ada, game_id) as (first, welcome), at_game(bob, game_id) as (second, _):
        card = welcome["game"]["state"]["hand"][0]
        await first.send(type="move", command_id="c1", action={"type": "pick", "card": card})
        ack, own, other = await first.of("ack"), await first.of("events"), await second.of("events")

    assert ack["command_id"] == "c1"
    assert ack["version"] == own["version"] == other["version"] == welcome["version"] + 1
    loaded = await in_thread(load, game_id)
    assert loaded is not None
    assert ack["receipt"] == loaded.head.hex()
    assert own["events"][0]["data"] == {"seat": 0, "card": card}
    assert other["events"][0]["data"] == {"seat": 0}
    assert other["to_act"] == [1]


async def test_a_repeated_move_gets_the_first_acknowledgement_and_changes_nothing() -> None:
    ada, _, game_id = await two_at_a_table()

    async with at_game(ada, game_id) as (client, welcome):
        action = {"type": "pick", "card": welcome["game"]["state"]["hand"][0]}
        await client.send(type="move", command_id="c1", action=action)
        first = await client.of("ack")
        await client.send(type="move", command_id="c1", action=action)
        assert await client.of("ack") == first
        await client.send(type="move", command_id="c1", action={"type": "give", "to": 1})
        assert (await client.of("error"))["code"] == "idempotency-mismatch"


async def test_after_a_pause_a_socket_gets_what_it_missed_once_and_in_order() -> None:
    ada, bob, game_id = await two_at_a_table()
    async with at_game(ada, game_id) as (_, welcome):
        version = welcome["version"]
    await in_thread(play_to_the_end, ada, bob, game_id)

    async with at_game(ada, game_id, f"?after={version}") as (client, again):
        messages = [await client.of("events")]
        while messages[-1]["version"] < again["version"]:
            messages.append(await client.next())
        assert await client.silence()

    seqs = [event["seq"] for message in messages for event in message["events"]]
    assert seqs == list(range(version + 1, again["version"] + 1))
    assert all(message["to_act"] is None and message["legal_actions"] is None for message in messages[:-1])
    assert messages[-1]["to_act"] == []
    assert all(message["version"] == message["events"][-1]["seq"] for message in messages)


def play_to_the_end(ada: Someone, bob: Someone, game_id: str) -> None:
    for _ in range(20):
        loaded = load(game_id)
        assert loaded is not None
        if not loaded.table.to_act:
            return
        seat = loaded.table.to_act[0]
        view = loaded.table.ruleset.view(loaded.table.state, seat)
        action = loaded.table.ruleset.legal_actions(view)[0]
        moved((ada, bob)[seat], game_id, json.loads(_json(action)))
    raise AssertionError("the game did not end")


def _json(action: Any) -> bytes:
    import msgspec

    return msgspec.json.encode(action)


async def test_simultaneous_picks_a_gift_out_of_turn_and_two_step_turns_work_over_four_sockets() -> None:
    players = [await in_thread(somebody) for _ in range(4)]
    game_id = await in_thread(started, players)
    clients: list[Client] = []
    hands = []
    async with (
        at_game(players[0], game_id) as (a, wa),
        at_game(players[1], game_id) as (b, wb),
        at_game(players[2], game_id) as (c, wc),
        at_game(players[3], game_id) as (d, wd),
    ):
        clients, hands = [a, b, c, d], [w["game"]["state"]["hand"] for w in (wa, wb, wc, wd)]
        picks = [
            client.send(type="move", command_id="pick", action={"type": "pick", "card": hand[0]})
            for client, hand in zip(clients, hands, strict=True)
        ]
        await asyncio.gather(*picks)
        for client in clients:
            assert (await client.of("ack"))["command_id"] == "pick"
        await d.send(type="move", command_id="gift", action={"type": "give", "to": 0})
        assert (await d.of("ack"))["command_id"] == "gift"
        for client in clients:
            await client.send(type="move", command_id="draw", action={"type": "draw"})
            await client.of("ack")
            await client.send(type="move", command_id="place", action={"type": "place", "slot": "left"})
            await client.of("ack")
        while (last := await b.of("events"))["to_act"]:
            pass

    assert [event["type"] for event in last["events"]] == ["card_placed", "scored", "game_finished"]
    assert last["events"][1]["data"]["quick"] is True


async def test_the_clock_of_a_two_step_turn_goes_on_from_draw_to_place() -> None:
    ada, bob, game_id = await two_at_a_table()
    async with at_game(ada, game_id) as (first, wa), at_game(bob, game_id) as (second, wb):
        await first.send(type="move", command_id="1", action={"type": "pick", "card": wa["game"]["state"]["hand"][0]})
        await first.of("ack")
        await second.send(type="move", command_id="1", action={"type": "pick", "card": wb["game"]["state"]["hand"][0]})
        await second.of("ack")
        await first.of("events")
        turn = await first.of("events")
        await first.send(type="move", command_id="2", action={"type": "draw"})
        drawn = await first.of("events")

    assert turn["to_act"] == drawn["to_act"] == [0]
    assert drawn["deadline"] == turn["deadline"]


async def test_refusals_come_as_errors_with_their_command_id() -> None:
    ada, _, game_id = await two_at_a_table()
    spectator = await in_thread(somebody)

    async with at_game(ada, game_id) as (client, welcome), at_game(spectator, game_id) as (watching, seen):
        assert seen["game"]["me"] is None
        assert seen["game"]["state"]["hand"] == []
        assert "code" not in seen["game"]
        await client.send(type="move", command_id="x", action={"type": "draw"})
        assert (await client.of("error")) | {"title": "", "detail": ""} == {
            "type": "error",
            "command_id": "x",
            "code": "illegal-move",
            "reason": "wrong-phase",
            "phase": "picking",
            "title": "",
            "detail": "",
        }
        await client.send(type="move", command_id="y", action={"type": "give", "to": 1}, expected_version=3)
        error = await client.of("error")
        assert (error["code"], error["version"]) == ("stale-version", welcome["version"])
        await client.send(type="move", command_id="z", action={"type": "fly"})
        assert (await client.of("error"))["code"] == "validation"
        await client.send(type="move", command_id="z", action={"type": "draw"}, extra=1)
        assert (await client.of("error"))["code"] == "validation"
        await watching.send(type="move", command_id="w", action={"type": "draw"})
        assert (await watching.of("error"))["code"] == "forbidden"


async def test_ping_and_sync() -> None:
    ada, _, game_id = await two_at_a_table()

    async with at_game(ada, game_id) as (client, welcome):
        await client.send(type="ping")
        assert (await client.of("pong"))["server_time"].endswith("Z")
        await client.send(type="sync", after=welcome["version"] - 1)
        assert [event["seq"] for event in (await client.of("events"))["events"]] == [welcome["version"]]


async def test_presence_tells_the_others_who_comes_and_goes() -> None:
    ada, bob, game_id = await two_at_a_table()

    async with at_game(ada, game_id) as (client, _):
        async with at_game(bob, game_id) as (other, _):
            assert await client.next() == {"type": "presence", "seat": 1, "connected": True}
            async with at_game(bob, game_id):
                assert await client.silence()
            assert await client.silence()
            assert await other.silence()
        assert await client.next() == {"type": "presence", "seat": 1, "connected": False}


async def test_tokens_are_taken_from_the_header_or_the_subprotocol_and_from_nowhere_else() -> None:
    ada, _, game_id = await two_at_a_table()
    path = f"/ws/v1/games/{game_id}/"
    offered = ["repli.v1", f"bearer.{ada.token}"]
    inner = socket_to(path, None, subprotocols=offered)
    assert await inner.connect() == (True, "repli.v1")
    assert (await inner.next())["type"] == "welcome"
    await inner.disconnect()

    for token, query in ((None, ""), ("wrong", ""), (None, f"?token={ada.token}")):
        inner = socket_to(path + query, token)
        assert await inner.connect() == (True, None)
        assert await inner.close_code() == 4401


async def test_unknown_games_private_games_and_bad_addresses_close_with_their_codes() -> None:
    ada, bob = await in_thread(somebody), await in_thread(somebody)
    private = await in_thread(opened, [ada], seats=2, visibility="private")
    loaded = await in_thread(load, private)
    assert loaded is not None
    expected = {
        f"/ws/v1/games/{private}/": 4404,
        "/ws/v1/games/00000000-0000-7000-8000-000000000000/": 4404,
        "/ws/v1/games/nonsense/": 4404,
        f"/ws/v1/games/{private}/?code={loaded.code}&after=x": 4400,
        "/ws/v1/nowhere/": 4404,
    }
    for path, code in expected.items():
        async with socket(bob, path) as client:
            assert (path, await client.close_code()) == (path, code)
    async with at_game(bob, private, f"?code={loaded.code.lower()}") as (_, welcome):
        assert welcome["game"]["id"] == private
        assert "code" not in welcome["game"]


async def test_malformed_frames_close_with_4400_and_a_flood_with_4429() -> None:
    ada, _, game_id = await two_at_a_table()
    for frame in ("{", "[]", '"x"', "{}", '{"type": 1}'):
        async with at_game(ada, game_id) as (client, _):
            await client.send_text(frame)
            assert await client.close_code() == 4400
    async with at_game(ada, game_id) as (client, _):
        for _ in range(200):
            await client.send(type="ping")
        assert await client.close_code() == 4429


async def test_other_sites_pages_are_refused_in_the_handshake() -> None:
    ada, _, game_id = await two_at_a_table()
    path = f"/ws/v1/games/{game_id}/"
    for origin in (b"https://evil.test", b"http://[", b"null", b""):
        foreign = socket_to(path, ada.token, headers=[(b"host", b"repli.test"), (b"origin", origin)])
        assert (await foreign.connect())[0] is False
    own = socket_to(path, ada.token, headers=[(b"host", b"repli.test"), (b"origin", b"https://repli.test")])
    assert (await own.connect())[0] is True
    await own.disconnect()


async def test_who_sits_down_with_an_open_socket_is_missed_after_the_short_grace_period() -> None:
    ada, bob = await in_thread(somebody), await in_thread(somebody)
    game_id = await in_thread(opened, [ada], seats=2)
    await in_thread(tables.clear_bot, ada.caller, game_id, 1)
    async with at_game(bob, game_id) as (client, _):
        await in_thread(tables.join, bob.caller, game_id, None, None)
        await client.of("events")
        await in_thread(presence.renew, list(hub().rooms[game_id].leases()))  # as the hub does every few seconds

    assert (game_id, bob.id) in await in_thread(presence.lost, datetime.now(UTC) + timedelta(seconds=11))
