"""Who is connected, with Valkey and without it (details.md; only time takes a seat over while Valkey is away)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import redis

from config.embedded import ports
from games.services import clock, presence, tables, wake, watch
from games.store.load import load
from tests.games import moved, opened, somebody, started, state_of


@pytest.fixture
def without_valkey(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Valkey cannot be reached: the real client, at an address where nobody listens."""
    nowhere = redis.Redis.from_url(f"redis://127.0.0.1:{ports.free()}/0", socket_connect_timeout=1)
    for module in (wake, presence):
        monkeypatch.setattr(module, "client", lambda: nowhere)
    yield
    nowhere.close()


def later(seconds: float) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=seconds)


def test_a_player_is_there_while_any_of_their_sockets_is() -> None:
    ada = somebody()
    game_id = opened([ada], seats=2)

    presence.opened(game_id, ada.id, "phone")
    presence.opened(game_id, ada.id, "laptop")
    presence.closed(game_id, ada.id, "phone")
    assert presence.is_connected(game_id, ada.id)
    presence.closed(game_id, ada.id, "laptop")

    assert not presence.is_connected(game_id, ada.id)
    assert (game_id, ada.id) in presence.lost(later(11))


def test_a_request_gives_the_grace_period_anew_but_only_to_who_had_a_socket() -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob])
    presence.opened(game_id, ada.id, "socket")
    presence.closed(game_id, ada.id, "socket", going_away=True)

    presence.active(game_id, ada.id)
    presence.active(game_id, bob.id)

    lost = presence.lost(later(59))
    assert (game_id, ada.id) not in lost, "a request never shortens what a deploy has given"
    assert (game_id, bob.id) not in presence.lost(later(3600))
    assert (game_id, ada.id) in presence.lost(later(61))


def test_who_is_back_is_not_taken_off_the_list() -> None:
    ada = somebody()
    game_id = opened([ada], seats=2)
    presence.opened(game_id, ada.id, "socket")

    presence.forget(game_id, ada.id)

    assert (game_id, ada.id) in presence.lost(later(61))


def test_the_documents_of_many_games_tell_who_is_there() -> None:
    ada, bob = somebody(), somebody()
    games = [opened([ada, bob]), opened([ada, bob])]
    presence.opened(games[1], bob.id, "socket")
    loaded = [found for game_id in games if (found := load(game_id))]

    shown = watch.documents(loaded, ada.id)

    assert [[seat.connected for seat in game.seats] for game in shown] == [[False, False], [False, True]]


def test_without_valkey_games_go_on_and_nobody_counts_as_lost(without_valkey: None) -> None:
    ada, bob = somebody(), somebody()
    game_id = opened([ada, bob])
    tables.start(ada.caller, game_id, None)
    presence.opened(game_id, ada.id, "socket")
    presence.active(game_id, ada.id)
    presence.closed(game_id, ada.id, "socket")
    presence.forget(game_id, ada.id)

    card = state_of(game_id).hands[0][0]

    assert moved(ada, game_id, {"type": "pick", "card": card})["version"] > 0
    assert clock.take_over_absent(later(3600)) == 0
    assert watch.game(game_id, ada.caller).seats[0].connected is False
    wake.beat("tests")


def test_without_valkey_late_turns_still_expire(without_valkey: None) -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob], options={"move_seconds": 10})

    assert clock.look_after(game_id, lambda: later(11)) > 0

    assert watch.game(game_id, ada.caller).seats[0].controller == "bot"
