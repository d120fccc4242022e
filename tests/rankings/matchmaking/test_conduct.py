"""Fair play: what counts, how long one waits for it, and how it is forgiven."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games.services.clock import look_after
from games.store.load import load
from rankings.matchmaking import conduct, matcher
from rankings.matchmaking.conduct import wait_for, worse
from rankings.matchmaking.models import Conduct, Lapse
from tests.rankings.matchmaking.players import Seeker, ahead


def started() -> tuple[str, list[Seeker]]:
    """A running ranked duel."""
    seekers = [Seeker("Ada"), Seeker("Bob")]
    ticket, _ = (seeker.seeks("gg", seats=2) for seeker in seekers)
    assert matcher.run() == 1
    game_id = seekers[0].ticket(ticket)["game_id"]
    look_after(game_id, ahead(4))
    return game_id, seekers


def counted() -> None:
    while conduct.follow():
        pass


def row(player: Seeker) -> Any:
    return Conduct.objects.filter(player_id=player.id).values_list("games", "marred", "strikes").first()


def test_the_wait_begins_with_the_second_strike_and_doubles() -> None:
    assert [wait_for(strikes, 60).total_seconds() for strikes in range(6)] == [0, 0, 60, 120, 240, 480]
    assert wait_for(10_000, 60) == timedelta(days=1)


@pytest.mark.parametrize(
    "known, reason, kind",
    [
        (None, "timeout", "timeout"),
        (None, "disconnected", "disconnected"),
        (None, "left", "left"),
        ("timeout", "timeout", "stalled"),
        ("disconnected", "disconnected", "disconnected"),
        ("disconnected", "timeout", "timeout"),
        ("stalled", "timeout", "stalled"),
        ("stalled", "left", "left"),
        ("left", "timeout", "left"),
    ],
)
def test_the_worst_of_a_game_counts(known: str | None, reason: str, kind: str) -> None:
    assert worse(known, reason) == kind


def test_who_leaves_waits_before_the_next_ranked_ticket_and_not_before_casual_play() -> None:
    game_id, (ada, bob) = started()
    ada.delete(f"games/{game_id}/seats/mine/").ok(204)
    bob.delete(f"games/{game_id}/seats/mine/").ok(204)
    look_after(game_id, ahead(5))  # nobody is left: the game is aborted
    counted()

    refused = ada.tries("gg")

    assert refused.code == "game-state"
    assert 1 <= refused.json["retry_after"] <= 65  # the game began on a clock four seconds ahead
    assert refused.headers["Retry-After"] == str(refused.json["retry_after"])
    assert refused.json["until"].endswith("Z")
    assert row(ada) == (1, 1, 2)
    assert ada.get(f"players/{ada.id}/").ok()["conduct"] == {"games": 1, "marred": 1, "rate": 1.0}
    assert ada.tries("gg", "casual").status == 201
    Conduct.objects.filter(player_id=bob.id).update(not_before=datetime.now(UTC))
    assert bob.tries("gg").status == 201


def test_events_are_counted_once_however_often_one_looks() -> None:
    game_id, (ada, bob) = started()
    ada.delete(f"games/{game_id}/seats/mine/").ok(204)
    bob.delete(f"games/{game_id}/seats/mine/").ok(204)
    counted()
    before = [row(ada), row(bob)]

    conduct.follow(everything=True)
    counted()

    assert [row(ada), row(bob)] == before
    assert Lapse.objects.filter(game_id=game_id).count() == 2


def test_running_out_of_time_counts_and_doing_so_again_is_stalling() -> None:
    game_id, seekers = started()
    loaded = load(game_id)
    assert loaded is not None
    seat = loaded.table.to_act[0]
    late = next(seeker for seeker in seekers if loaded.table.seat_of(seeker.id) == seat)
    deadline = loaded.table.clocks[seat].deadline

    look_after(game_id, lambda: deadline + timedelta(seconds=1))
    counted()

    assert row(late) == (0, 0, 1)
    assert Lapse.objects.get(player_id=late.id).kind == "timeout"


def test_clean_games_take_strikes_back() -> None:
    game_id, (ada, bob) = started()
    Conduct.objects.create(player_id=ada.id, games=3, marred=3, strikes=3)

    conduct._over(game_id)

    assert row(ada) == (4, 3, 2)
    assert row(bob) == (1, 0, 0)


def test_casual_games_are_not_counted() -> None:
    ada = Seeker()
    game = ada.starts(ada.opens("gg", 2, bots=[{"seat": 1, "level": "easy"}]))
    ada.delete(f"games/{game['id']}/seats/mine/").ok(204)
    counted()

    assert row(ada) is None


def test_the_export_shows_it_and_deleting_the_account_forgets_it() -> None:
    game_id, (ada, bob) = started()
    ada.delete(f"games/{game_id}/seats/mine/").ok(204)
    counted()
    bob.blocks(ada)
    ada.blocks(bob)

    held = ada.get("accounts/me/export/").ok()["matchmaking"]
    assert [ticket["game_id"] for ticket in held["tickets"]] == [game_id]
    assert [block["other_id"] for block in held["blocks"]] == [bob.id]
    assert held["lapses"][0]["kind"] == "left"
    assert held["conduct"]["strikes"] == 2

    ada.delete("accounts/me/").ok(204)
    assert row(ada) is None
    assert bob.get("accounts/me/export/").ok()["matchmaking"]["blocks"] == []
