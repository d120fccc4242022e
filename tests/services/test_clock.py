"""Deadlines, bots and absence (rules/README.md, Shared vocabulary; details.md, Shapes)."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from config.wire.problems import Problem
from games.rules import play as rules
from games.rules.lifecycle import Event, GameAborted, SeatControlled
from games.services import clock, play, presence, tables
from games.services.command import Caller, write
from games.services.due import due_at, next_due
from games.store.append import prepare
from games.store.due import find_due
from games.store.load import history, load
from tests.games import moved, opened, somebody, started, together


def at(seconds: float) -> Any:
    """A clock that stands so many seconds ahead."""
    return lambda: datetime.now(UTC) + timedelta(seconds=seconds)


def table_of(game_id: str) -> Any:
    loaded = load(game_id)
    assert loaded is not None
    return loaded.table


def events_of(game_id: str, kind: str) -> list[Event]:
    return [record.event for record in history(game_id) if record.event.type == kind]


def controls(game_id: str) -> list[tuple[int, str, str]]:
    events = (record.event for record in history(game_id))
    return [(event.seat, event.by, event.reason) for event in events if isinstance(event, SeatControlled)]


def test_a_turn_expires_300_ms_after_its_deadline_and_a_bot_plays_at_once() -> None:
    ada = somebody()
    game_id = started([ada], rules="gg", seats=2, options={"move_seconds": 30})
    clock.look_after(game_id)  # the bot's move, if it begins
    deadline = table_of(game_id).clocks[0].deadline
    assert clock.look_after(game_id, lambda: deadline + timedelta(milliseconds=299)) == 0

    assert clock.look_after(game_id, lambda: deadline + timedelta(milliseconds=300)) > 1

    assert controls(game_id) == [(0, "bot", "timeout")]
    taken = next(record for record in history(game_id) if isinstance(record.event, SeatControlled))
    following = next(record for record in history(game_id) if record.version == taken.version + 1)
    assert following.at == taken.at
    assert getattr(following.event, "seat", None) == 0


def test_every_seat_of_a_simultaneous_choice_has_its_own_deadline() -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob], options={"move_seconds": 10})
    hand = table_of(game_id).state.hands[0]
    moved(ada, game_id, {"type": "pick", "card": hand[0]})

    clock.look_after(game_id, at(11))

    assert controls(game_id)[0] == (1, "bot", "timeout")
    assert table_of(game_id).state.picked.keys() == {0, 1}


def test_a_move_is_refused_while_a_bot_holds_the_seat_and_resume_gives_it_back() -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob], options={"move_seconds": 10})
    hand = table_of(game_id).state.hands[1]
    moved(bob, game_id, {"type": "pick", "card": hand[0]})
    clock.look_after(game_id, at(11))
    assert controls(game_id) == [(0, "bot", "timeout")]

    with pytest.raises(Problem, match="game-state"):
        moved(ada, game_id, {"type": "give", "to": 1})
    play.resume(ada.caller, game_id, None)
    moved(ada, game_id, {"type": "give", "to": 1})

    assert controls(game_id) == [(0, "bot", "timeout"), (0, "player", "returned")]


def test_the_bot_never_moves_after_its_player_is_back() -> None:
    players = [somebody(), somebody()]
    game_id = started(players, rules="gg")
    late = table_of(game_id).to_act[0]
    clock.look_after(game_id, at(31))
    assert controls(game_id) == [(late, "bot", "timeout")]
    play.resume(players[late].caller, game_id, None)
    back = table_of(game_id).version
    clock.look_after(game_id, at(62))

    assert controls(game_id)[1] == (late, "player", "returned")
    moves = [r.event for r in history(game_id) if r.version > back and r.event.type in {"bid_made", "card_played"}]
    assert {getattr(move, "seat", None) for move in moves} == {1 - late}


def test_coming_back_does_not_renew_an_expired_turn() -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob], options={"move_seconds": 10})
    loaded = load(game_id)
    assert loaded is not None
    late = loaded.table.clocks[0].deadline + timedelta(seconds=1)
    taken = rules.control(loaded.table, 0, "bot", "timeout", late)
    assert write(prepare(loaded, taken, due_at=due_at(taken.table)), late)
    play.resume(ada.caller, game_id, None)

    due = next_due(table_of(game_id))

    assert due is not None
    assert (due.seat, due.kind) == (0, "timeout")
    assert due.at == loaded.table.clocks[0].deadline + timedelta(milliseconds=300)


@pytest.mark.parametrize("_again", range(10))
def test_exactly_one_of_a_move_and_the_timeout_stands(_again: int) -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob], options={"move_seconds": 10})
    action = {"type": "pick", "card": table_of(game_id).state.hands[0][0]}
    version = table_of(game_id).version

    outcome, _ = together(
        lambda: play.move(ada.caller, game_id, action, version, None),
        lambda: clock.look_after(game_id, at(10.5)),
    )

    expired = (0, "bot", "timeout") in controls(game_id)
    assert isinstance(outcome, Problem) == expired
    if expired:
        assert outcome.code in {"game-state", "stale-version"}
    assert [getattr(e, "seat", None) for e in events_of(game_id, "card_picked")].count(0) == 1


def test_a_game_with_only_bots_left_to_move_goes_on_to_its_end() -> None:
    ada = somebody()
    game_id = started([ada], rules="gg", seats=4)
    tables.leave(ada.caller, game_id)

    assert table_of(game_id).status == "aborted"
    assert controls(game_id) == [(0, "bot", "left")]
    assert isinstance(history(game_id)[-1].event, GameAborted)


def test_bots_play_on_for_a_player_who_is_gone_while_anybody_may_come_back() -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob], rules="gg", seats=4)
    tables.leave(ada.caller, game_id)
    for minute in range(200):
        clock.look_after(game_id, at(60 * minute))
        if table_of(game_id).status != "playing":
            break

    assert table_of(game_id).status == "finished"


def test_the_ruleset_s_own_moment_ends_the_game() -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob], options={"move_seconds": 120})
    dealt = table_of(game_id).state.dealt_at
    assert dealt is not None
    for seat, player in enumerate((ada, bob)):
        moved(player, game_id, {"type": "pick", "card": table_of(game_id).state.hands[seat][0]})
    play.move(ada.caller, game_id, {"type": "draw"}, None, None)
    loaded = load(game_id)
    assert loaded is not None
    assert next_due(loaded.table).kind == "timeout"  # type: ignore[union-attr]

    rung = rules.ring(loaded.table, loaded.seed, dealt + timedelta(minutes=10))

    assert [record.event.type for record in rung.records] == ["time_called", "scored", "game_finished"]


def test_the_sweep_finds_what_is_due_and_nothing_else() -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob], options={"move_seconds": 10})

    now = datetime.now(UTC)
    assert game_id not in {due.game_id for due in find_due(now + timedelta(seconds=9), 1000)}
    assert game_id in {due.game_id for due in find_due(now + timedelta(seconds=11), 1000)}


def test_a_waiting_table_that_nobody_touches_for_an_hour_is_closed() -> None:
    game_id = opened([somebody()], seats=2)

    assert clock.look_after(game_id, at(3599)) == 0
    assert clock.look_after(game_id, at(3601)) == 1
    assert table_of(game_id).status == "aborted"


def test_a_player_without_a_socket_for_the_grace_period_is_replaced() -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob])
    presence.opened(game_id, ada.id, "socket")
    presence.closed(game_id, ada.id, "socket")
    now = datetime.now(UTC)

    clock.take_over_absent(now + timedelta(seconds=9))
    assert controls(game_id) == []
    clock.take_over_absent(now + timedelta(seconds=11))

    assert controls(game_id) == [(0, "bot", "disconnected")]


def test_a_request_a_second_socket_or_a_dying_server_stretches_the_grace() -> None:
    players = [somebody() for _ in range(4)]
    game_id = started(players)
    now = datetime.now(UTC)
    for number, player in enumerate(players):
        presence.opened(game_id, player.id, f"socket-{number}")
    presence.opened(game_id, players[1].id, "second")
    presence.closed(game_id, players[0].id, "socket-0")
    presence.closed(game_id, players[1].id, "socket-1")
    presence.closed(game_id, players[2].id, "socket-2", going_away=True)

    clock.take_over_absent(now + timedelta(seconds=30))
    assert controls(game_id) == [(0, "bot", "disconnected")]
    clock.take_over_absent(now + timedelta(seconds=62))
    assert {seat for seat, _, _ in controls(game_id)} >= {0, 2}


def test_a_player_who_never_had_a_socket_is_not_lost() -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob])
    presence.active(game_id, ada.id)

    clock.take_over_absent(datetime.now(UTC) + timedelta(hours=1))

    assert controls(game_id) == []


def test_strangers_may_not_act_nor_take_back_a_seat() -> None:
    ada, bob, eve = somebody(), somebody(), somebody()
    game_id = started([ada, bob])

    with pytest.raises(Problem, match="forbidden"):
        play.resume(Caller(player_id=eve.id), game_id, None)


def test_a_bot_whose_choice_is_quick_waits_until_the_thinking_time_is_over(settings: Any) -> None:
    """Otherwise the time would tell how hard the hand is; how long a choice may take at all is nobody's promise."""
    settings.REPLI = settings.REPLI.model_copy(update={"bot_thinking": 0.2})
    ada = somebody()
    game_id = started([ada], rules="tiny", seats=2)
    begun = time.monotonic()

    assert clock.look_after(game_id, at(60)) >= 1

    assert [record for record in history(game_id) if getattr(record.event, "seat", None) == 1]
    assert time.monotonic() - begun >= 0.2
