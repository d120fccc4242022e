"""Tickets over REST: what they are, whom they bind, and how they end."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings

from accounts.models import Player as Account
from games.services import presence
from rankings.matchmaking import matcher
from rankings.matchmaking.models import Membership, Ticket
from tests.api.client import Player
from tests.rankings.matchmaking.players import TICKETS, Seeker, ahead, match_for


def test_a_ticket_says_what_it_looks_for() -> None:
    ada = Seeker()

    ticket = ada.seeks("gg", seats=3)

    assert ticket | {"id": "", "created_at": "", "waited_seconds": 0} == {
        "id": "",
        "rules": "gg",
        "mode": "ranked",
        "seats": 3,
        "party": [{"id": ada.id, "accepted": True}],
        "status": "searching",
        "game_id": None,
        "created_at": "",
        "waited_seconds": 0,
        "rating_window": pytest.approx(settings.REPLI.match_window, abs=20),
    }
    assert ada.ticket(ticket)["status"] == "searching"
    assert [shown["id"] for shown in ada.get(TICKETS).ok()["results"]] == [ticket["id"]]
    assert Seeker().get(f"{TICKETS}{ticket['id']}/").code == "not-found"


@pytest.mark.parametrize(
    "body, member",
    [
        ({"rules": "chess", "mode": "casual"}, "rules"),
        ({"rules": "gg", "mode": "friendly"}, "mode"),
        ({"rules": "gg", "mode": "casual", "seats": 9}, "seats"),
        ({"rules": "barbu", "mode": "casual", "seats": 2}, "seats"),
        ({"rules": "gg", "mode": "casual", "party": ["x"]}, "party"),
        ({"rules": "gg", "mode": "casual", "party": [str(uuid4())]}, "party"),
        ({"rules": "gg", "mode": "casual", "level": 3}, "level"),
        ({"mode": "casual"}, "rules"),
    ],
)
def test_what_makes_no_sense_is_refused_by_member(body: Any, member: str) -> None:
    reply = Seeker().post(TICKETS, body)

    assert (reply.code, list(reply.json["errors"])) == ("validation", [member])


def test_a_player_has_one_live_ticket() -> None:
    ada = Seeker()
    first = ada.seeks("gg")

    refused = ada.tries("plie", "casual")

    assert (refused.code, refused.json["ticket_id"]) == ("game-state", first["id"])
    assert ada.cancels(first).status == 204
    assert ada.cancels(first).status == 204
    assert ada.ticket(first)["status"] == "cancelled"
    ada.seeks("plie", "casual")


def test_a_repeat_with_the_same_key_is_the_same_ticket() -> None:
    ada, body = Seeker(), {"rules": "gg", "mode": "ranked"}

    first = ada.post(TICKETS, body, Idempotency_Key="once").ok(201)

    assert ada.post(TICKETS, body, Idempotency_Key="once").ok(201) == first
    assert ada.post(TICKETS, {**body, "seats": 2}, Idempotency_Key="once").code == "idempotency-mismatch"


def test_guests_play_ranked_once_they_have_upgraded() -> None:
    guest = Player()
    refused = guest.post(TICKETS, {"rules": "gg", "mode": "ranked"})

    assert refused.code == "forbidden"
    assert "upgrading" in refused.json["detail"]
    guest.post(TICKETS, {"rules": "gg", "mode": "casual"}).ok(201)

    Account.objects.filter(id=guest.id).update(is_guest=False)
    guest.delete(f"{TICKETS}{guest.get(TICKETS).ok()['results'][0]['id']}/").ok(204)
    guest.post(TICKETS, {"rules": "gg", "mode": "ranked"}).ok(201)


# --- parties ----------------------------------------------------------------------------------------------------


def test_a_party_is_inviting_until_everybody_has_accepted() -> None:
    ada, bob, cyd = Seeker("Ada"), Seeker("Bob"), Seeker("Cyd")
    ticket = ada.seeks("gg", party=[bob.id, cyd.id])
    assert (ticket["status"], ticket["waited_seconds"]) == ("inviting", 0)
    assert bob.get(TICKETS).ok()["results"][0]["id"] == ticket["id"]

    assert bob.accepts(ticket).ok()["status"] == "inviting"
    assert bob.accepts(ticket).ok()["status"] == "inviting"
    assert bob.tries("gg").code == "game-state"
    assert Seeker().accepts(ticket).code == "not-found"

    assert cyd.accepts(ticket).ok()["status"] == "searching"
    assert all(member["accepted"] for member in ada.ticket(ticket)["party"])


def test_whoever_looks_for_a_table_already_cannot_accept() -> None:
    ada, bob = Seeker(), Seeker()
    ticket = ada.seeks("gg", party=[bob.id])
    bob.seeks("plie")

    assert bob.accepts(ticket).code == "game-state"
    assert ada.ticket(ticket)["status"] == "inviting"


def test_any_player_of_a_party_may_end_its_ticket() -> None:
    ada, bob = Seeker(), Seeker()
    ticket = ada.seeks("gg", party=[bob.id])

    bob.cancels(ticket).ok(204)

    assert ada.ticket(ticket)["status"] == "cancelled"
    assert bob.accepts(ticket).json["ticket_status"] == "cancelled"


def test_a_guest_cannot_accept_a_ranked_invitation() -> None:
    ada, guest = Seeker(), Player()
    ticket = ada.seeks("gg", party=[guest.id])

    assert guest.post(f"{TICKETS}{ticket['id']}/accept/").code == "forbidden"


def test_a_party_fits_its_table_and_leaves_room_for_somebody_else() -> None:
    ada, others = Seeker(), [Seeker().id for _ in range(3)]

    assert ada.tries("gg", party=others).code == "validation"
    assert ada.tries("gg", party=[ada.id]).code == "validation"
    assert ada.tries("gg", party=[others[0], others[0]]).code == "validation"
    assert ada.tries("vingtsept", party=others[:2]).code == "validation"
    assert ada.tries("vingtsept", party=others[:1], seats=2).code == "validation"
    assert ada.tries("gg", "casual", party=others).status == 201


# --- blocks ------------------------------------------------------------------------------------------------------


def test_blocks_can_be_made_and_taken_back() -> None:
    ada, bob = Seeker(), Seeker()
    ada.blocks(bob)
    ada.blocks(bob)

    assert ada.tries("gg", party=[bob.id]).code == "forbidden"
    assert ada.put(f"players/{ada.id}/block/").code == "forbidden"
    assert ada.put(f"players/{uuid4()}/block/").code == "not-found"
    ada.delete(f"players/{bob.id}/block/").ok(204)
    ada.delete(f"players/{bob.id}/block/").ok(204)
    assert ada.tries("gg", party=[bob.id]).status == 201


def test_who_has_blocked_somebody_does_not_join_their_party() -> None:
    ada, bob = Seeker(), Seeker()
    bob.blocks(ada)
    ticket = ada.seeks("gg", party=[bob.id])

    assert bob.accepts(ticket).code == "forbidden"


# --- who has gone -------------------------------------------------------------------------------------------------


def passing(seconds: int) -> None:
    """The matcher runs every five seconds."""
    for second in range(0, seconds + 1, 5):
        matcher.run(ahead(second))


def test_a_ticket_whose_player_has_gone_expires() -> None:
    ada = Seeker()
    ticket = ada.seeks()

    passing(25)
    assert ada.ticket(ticket)["status"] == "searching"
    passing(35)

    assert ada.ticket(ticket)["status"] == "expired"
    assert ada.cancels(ticket).json["ticket_status"] == "expired"
    ada.seeks()


def test_a_socket_is_a_sign_of_life() -> None:
    ada = Seeker()
    ticket = ada.seeks()
    Membership.objects.filter(player_id=ada.id).update(seen_at=ahead(-25)())
    presence.around([ada.id])

    passing(20)
    assert ada.ticket(ticket)["status"] == "searching"


def test_a_poll_is_a_sign_of_life() -> None:
    ada = Seeker()
    ticket = ada.seeks()
    before = Membership.objects.filter(player_id=ada.id).update(seen_at=ahead(-25)())

    ada.ticket(ticket)
    passing(20)

    assert before == 1
    assert ada.ticket(ticket)["status"] == "searching"


def test_after_a_pause_of_the_matcher_nobody_expires_at_once_and_the_unseen_are_not_matched() -> None:
    seekers = [Seeker() for _ in range(2)]
    tickets = [seeker.seeks(seats=2) for seeker in seekers]
    Membership.objects.filter(live=True).update(seen_at=ahead(-60)())

    assert matcher.run() == 0
    assert set(Ticket.objects.filter(id__in=[t["id"] for t in tickets]).values_list("status", flat=True)) == {
        "searching"
    }


def test_an_invitation_that_nobody_answers_expires() -> None:
    ada = Seeker()
    ticket = ada.seeks(party=[Seeker().id])

    match_for(310)

    assert ada.ticket(ticket)["status"] == "expired"
