"""From tickets to tables: the games that are opened, whom they seat, and what stands in the way."""

from __future__ import annotations

import functools
import threading
from typing import Any

import pytest
from django.conf import settings
from django.db import connections, transaction

from config.wire.problems import Problem
from games.rules.registry import listed
from games.services import farewell
from games.services.clock import look_after
from games.store.connection import rows
from games.store.load import load
from games.store.seated import seats_of
from rankings.matchmaking import matcher
from rankings.matchmaking.models import Ticket
from rankings.ratings.scale import NEWCOMER
from tests.api.client import at_once
from tests.games import Someone, hub_stopped, socket, together
from tests.rankings.matchmaking.players import Seeker, ahead, match_for


def duel(**more: Any) -> tuple[list[Seeker], list[Any]]:
    """Two players whose tickets have just been matched."""
    seekers = [Seeker("Ada"), Seeker("Bob")]
    tickets = [seeker.seeks("gg", seats=2, **more) for seeker in seekers]
    assert matcher.run() == 1
    return seekers, [seeker.ticket(ticket) for seeker, ticket in zip(seekers, tickets, strict=True)]


def table_of(game_id: str) -> Any:
    loaded = load(game_id)
    assert loaded is not None
    return loaded.table


# --- ranked -----------------------------------------------------------------------------------------------------


def test_a_match_is_a_ranked_game_with_all_seats_taken() -> None:
    seekers, tickets = duel()

    assert [ticket["status"] for ticket in tickets] == ["matched", "matched"]
    assert tickets[0]["game_id"] == tickets[1]["game_id"]
    game = seekers[0].get(f"games/{tickets[0]['game_id']}/").ok()
    assert (game["mode"], game["status"], game["host"], game["rules"]) == ("ranked", "waiting", None, "gg")
    assert {seat["player"]["id"] for seat in game["seats"]} == {seeker.id for seeker in seekers}
    assert game["me"] is not None


def test_it_starts_after_three_seconds_in_which_client_seeds_can_be_given() -> None:
    seekers, tickets = duel()
    game_id = tickets[0]["game_id"]
    seekers[0].put(f"games/{game_id}/seats/mine/", {"client_seed": "mine"}).ok()

    look_after(game_id, ahead(settings.REPLI.ranked_start_delay - 1))
    assert table_of(game_id).status == "waiting"
    look_after(game_id, ahead(settings.REPLI.ranked_start_delay + 0.1))

    table = table_of(game_id)
    assert table.status == "playing"
    assert "mine" in table.client_seeds


def test_nobody_has_powers_over_a_match_or_leaves_it_before_the_start() -> None:
    seekers, tickets = duel()
    game_id, first = tickets[0]["game_id"], seekers[0]

    assert first.patch(f"games/{game_id}/", {"options": {}}).code == "forbidden"
    assert first.post(f"games/{game_id}/start/").code == "forbidden"
    assert first.delete(f"games/{game_id}/seats/1/").code == "forbidden"
    assert first.put(f"games/{game_id}/seats/1/bot/", {"level": "easy"}).code == "forbidden"
    assert first.delete(f"games/{game_id}/seats/mine/").code == "game-state"
    assert Seeker().post(f"games/{game_id}/seats/").code == "game-state"
    with pytest.raises(Problem, match="unavailable"):
        farewell.erase(first.id)  # type: ignore[arg-type]

    look_after(game_id, ahead(4))
    first.delete(f"games/{game_id}/seats/mine/").ok(204)


def test_a_player_has_one_ranked_game_at_a_time() -> None:
    seekers, tickets = duel()

    refused = seekers[0].tries("plie")

    assert (refused.code, refused.json["game_id"]) == ("game-state", tickets[0]["game_id"])
    assert seekers[0].tries("plie", "casual").status == 201


@pytest.mark.parametrize("rules", [known.key for known in listed()])
def test_every_ruleset_is_matched_at_its_usual_size_with_its_default_options(rules: str) -> None:
    usual = settings.REPLI.seats_to_match[rules]
    seekers = [Seeker() for _ in range(usual)]
    tickets = [seeker.seeks(rules) for seeker in seekers]

    assert matcher.run() == 1

    table = table_of(seekers[0].ticket(tickets[0])["game_id"])
    assert table.seats == usual
    assert table.mode == "ranked"
    if rules == "vingtsept":
        assert (table.options.mode, table.options.teams) == ("ranked", False)


def test_a_party_of_two_plays_27_two_against_two_on_seats_0_and_2() -> None:
    ada, bob, cyd, dan = (Seeker(name) for name in ("Ada", "Bob", "Cyd", "Dan"))
    singles = [cyd.seeks("vingtsept", seats=4), dan.seeks("vingtsept", seats=4)]
    party = ada.seeks("vingtsept", party=[bob.id])
    assert matcher.run() == 0
    bob.accepts(party).ok()

    assert matcher.run() == 1

    table = table_of(ada.ticket(party)["game_id"])
    assert (table.options.mode, table.options.teams) == ("ranked", True)
    assert [table.seat_of(player.id) for player in (ada, bob)] == [0, 2]
    assert cyd.ticket(singles[0])["game_id"] == table.id


def test_ratings_part_players_until_their_windows_meet() -> None:
    strong, weak = Seeker(level=2000), Seeker(level=1700)
    strong.seeks(seats=2)
    weak.seeks(seats=2)

    assert match_for(15) == 0
    assert match_for(25) == 1


def test_the_provisional_count_as_rating_minus_deviation() -> None:
    new, weak, usual = Seeker(), Seeker(level=NEWCOMER.mu - NEWCOMER.sigma + 10), Seeker(level=NEWCOMER.mu)
    usual.seeks(seats=2)
    new.seeks(seats=2)
    assert matcher.run() == 0
    weak.seeks(seats=2)

    assert matcher.run() == 1
    assert {seat.player_id for seat in table_of(seats_of(new.id, "waiting")[0].game_id).chairs} == {new.id, weak.id}


def test_blocked_players_are_never_matched() -> None:
    ada, bob = Seeker(), Seeker()
    ada.blocks(bob)
    ada.seeks(seats=2)
    bob.seeks(seats=2)

    assert match_for(120) == 0
    ada.delete(f"players/{bob.id}/block/").ok(204)
    assert matcher.run() == 1


def test_those_who_met_lately_are_matched_with_others_first() -> None:
    (ada, bob), tickets = duel()
    look_after(tickets[0]["game_id"], ahead(4))
    rows("UPDATE games_game SET status = 'finished' WHERE id = %s RETURNING id", [tickets[0]["game_id"]])
    cyd = Seeker("Cyd")
    again = [seeker.seeks("gg", seats=2) for seeker in (ada, bob, cyd)]

    assert matcher.run() == 1

    assert ada.ticket(again[0])["game_id"] == cyd.ticket(again[2])["game_id"]
    assert bob.ticket(again[1])["status"] == "searching"


# --- casual -----------------------------------------------------------------------------------------------------


def test_casual_tickets_are_filled_up_with_bots_and_begin_at_once() -> None:
    ada = Seeker()
    ticket = ada.seeks("gg", "casual")
    assert matcher.run() == 0

    assert match_for(settings.REPLI.match_bots_after + 5) == 1

    table = table_of(ada.ticket(ticket)["game_id"])
    assert (table.mode, table.status, table.seats) == ("casual", "playing", 4)
    assert [bool(chair.bot) for chair in table.chairs] == [False, True, True, True]


def test_ranked_tickets_never_are() -> None:
    Seeker().seeks("gg")

    assert match_for(200) == 0


# --- races --------------------------------------------------------------------------------------------------------


def test_exactly_one_of_matched_and_cancelled_wins() -> None:
    outcomes = set()
    for _ in range(8):
        ada, bob = Seeker(), Seeker()
        first, second = ada.seeks(seats=2), bob.seeks(seats=2)

        made, reply = together(matcher.run, functools.partial(ada.cancels, first))

        if made:
            assert reply.code == "game-state"
            assert ada.ticket(first)["status"] == bob.ticket(second)["status"] == "matched"
        else:
            assert reply.status == 204
            assert (ada.ticket(first)["status"], bob.ticket(second)["status"]) == ("cancelled", "searching")
            bob.cancels(second).ok(204)
        outcomes.add(bool(made))
    assert outcomes


def test_a_ticket_that_is_just_being_cancelled_is_passed_over_and_not_waited_for() -> None:
    ada, bob = Seeker(), Seeker()
    first = ada.seeks(seats=2)
    bob.seeks(seats=2)

    with transaction.atomic():
        Ticket.objects.select_for_update().get(id=first["id"])
        assert at_once(1, lambda _: matcher.run()) == [0]

    assert matcher.run() == 1


def test_copies_of_the_matcher_take_turns() -> None:
    Seeker().seeks(seats=2)
    Seeker().seeks(seats=2)
    entered, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            rows("SELECT 1 FROM rankings_queue WHERE rules = 'gg' AND mode = 'ranked' FOR UPDATE")
            entered.set()
            leave.wait(10)
        connections.close_all()

    holder = threading.Thread(target=hold)
    holder.start()
    entered.wait(10)
    assert matcher.run() == 0
    leave.set()
    holder.join()

    assert sum(at_once(4, lambda _: matcher.run())) == 1


async def test_players_are_told_of_a_match_on_their_own_socket() -> None:
    from asgiref.sync import sync_to_async

    ada, bob = await sync_to_async(lambda: (Seeker("Ada"), Seeker("Bob")))()
    me = Someone(id=ada.id, token=ada.headers["Authorization"].removeprefix("Bearer "))
    async with socket(me, "/ws/v1/me/") as client:
        await client.of("welcome")
        ticket = await sync_to_async(lambda: (ada.seeks(seats=2), bob.seeks(seats=2))[0])()
        assert await sync_to_async(matcher.run)() == 1

        notice = await client.of("notice")

    found = await sync_to_async(ada.ticket)(ticket)
    assert notice | {"seat": 0} == {
        "type": "notice",
        "kind": "matched",
        "game_id": found["game_id"],
        "ticket_id": ticket["id"],
        "seat": 0,
    }
    await hub_stopped()
