"""The fold over a game's events, and what can be done with a table (table.py, play.py)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from games.rules import lifecycle as life
from games.rules import play
from games.rules.bidding import Bid
from games.rules.errors import NotYourTurn
from games.rules.gg import GG
from games.rules.lifecycle import Event
from games.rules.registry import ruleset
from games.rules.stream import commitment
from games.rules.table import Chair, Recorded, Table, advance, appends, event_types, fold
from tests.builders import NOON, SEED

OPTIONS = msgspec.to_builtins(GG().complete_options({}, 2, "casual"))


def created(**changes: Any) -> life.GameCreated:
    facts: dict[str, Any] = {"rules": "gg", "options": OPTIONS, "seats": 2, "visibility": "private", "mode": "casual"}
    return life.GameCreated(**{**facts, "commitment": commitment(SEED), **changes})


def opened(*events: Event, **changes: Any) -> Table:
    """A table after `game_created` and these events, each an append of its own."""
    table = Table(id="some-game")
    for event in (created(**changes), *events):
        table = play.record(table, [event], NOON).table
    return table


ANN, BEN = life.SeatTaken(seat=0, player_id="ann"), life.SeatTaken(seat=1, player_id="ben")


def test_a_new_table_is_as_it_was_created() -> None:
    table = opened()

    assert (table.rules, table.seats, table.visibility, table.status) == ("gg", 2, "private", "waiting")
    assert (table.version, table.created_at, table.to_act, table.host) == (1, NOON, (), None)
    assert table.options == GG().complete_options({}, 2, "casual")


def test_seats_are_taken_and_left() -> None:
    table = opened(ANN, BEN, life.SeatLeft(seat=0, player_id="ann"))

    assert table.chairs == (None, Chair(player_id="ben"))
    assert (table.seat_of("ben"), table.seat_of("ann"), table.seat_of(None)) == (1, None, None)


def test_the_host_is_the_lowest_seat_held_by_a_player() -> None:
    assert opened(life.SeatTaken(seat=0, bot="easy"), BEN).host == 1
    assert opened(ANN, BEN).host == 0
    assert opened(ANN, BEN, mode="ranked").host is None


def test_a_player_who_left_for_good_is_no_host_until_it_returns() -> None:
    left = life.SeatControlled(seat=0, by="bot", reason="left")

    assert opened(ANN, BEN, left).host == 1
    assert opened(ANN, BEN, left, life.SeatControlled(seat=0, by="player", reason="returned")).host == 0


def test_options_change_before_the_start() -> None:
    table = opened(life.OptionsChanged(options={**OPTIONS, "lives": 2}))

    assert table.options.lives == 2


def test_a_start_brings_client_seeds_hands_and_a_clock() -> None:
    table = opened(ANN, BEN, life.ClientSeedGiven(seat=1, client_seed="abc"))

    move = play.start(table, SEED, NOON)

    assert [record.event.type for record in move.records] == ["game_started", "starter_drawn", "hands_dealt"]
    assert {record.base for record in move.records} == {table.version}
    assert move.records[0].event == life.GameStarted(client_seeds=["", "abc"])
    assert move.table.status == "playing"
    assert move.table.words == move.records[-1].words > 50
    (seat,) = move.table.to_act
    assert move.table.clocks[seat].deadline == NOON + timedelta(seconds=30)


def test_times_are_cut_to_milliseconds_and_never_go_back() -> None:
    table = opened(ANN)

    assert play.moment(table, NOON - timedelta(hours=1)) == NOON
    assert play.moment(table, NOON + timedelta(microseconds=1999)) == NOON + timedelta(milliseconds=1)
    assert play.moment(Table(id="new"), NOON) == NOON


def test_an_action_goes_to_the_rules_of_the_game() -> None:
    table = play.start(opened(ANN, BEN), SEED, NOON).table
    (seat,) = table.to_act

    move = play.act(table, seat, Bid(tricks=1), SEED, NOON + timedelta(seconds=2))

    assert [record.event.type for record in move.records] == ["bid_made"]
    assert move.table.clocks[1 - seat].since == NOON + timedelta(seconds=2)
    with pytest.raises(NotYourTurn):
        play.act(move.table, seat, Bid(tricks=1), SEED, NOON)


def test_a_seat_in_a_bots_hands_is_played_by_it() -> None:
    table = play.control(opened(ANN, life.SeatTaken(seat=1, bot="hard")), 0, "bot", "timeout", NOON).table

    assert [chair.played_by_bot for chair in table.chairs if chair] == [True, True]
    back = play.control(table, 0, "player", "returned", NOON).table
    assert [chair.played_by_bot for chair in back.chairs if chair] == [False, True]


def test_an_aborted_game_waits_for_nobody() -> None:
    table = play.start(opened(ANN, BEN), SEED, NOON).table

    table = play.record(table, [life.GameAborted(reason="all-left")], NOON).table

    assert (table.status, table.to_act, table.clocks) == ("aborted", (), {})


def test_lifecycle_events_are_seen_whole_by_all() -> None:
    assert play.seen(opened(), ANN, None) == {"seat": 0, "player_id": "ann"}


def test_appends_are_told_apart() -> None:
    table = opened(ANN, BEN)
    begun = play.start(table, SEED, NOON)
    bid = play.act(begun.table, begun.table.to_act[0], Bid(tricks=1), SEED, NOON)

    groups = appends([*begun.records, *bid.records])

    assert [len(group) for group in groups] == [3, 1]


def test_a_whole_stream_folds_to_the_table() -> None:
    events = [created(), ANN, BEN]
    records = [Recorded(version, event, NOON, 0, 0) for version, event in enumerate(events, start=1)]

    assert fold("some-game", records).chairs == opened(ANN, BEN).chairs


def test_an_unknown_event_is_no_history() -> None:
    class Strange(Event, frozen=True, kw_only=True):
        type = "game_aborted"  # known by name, of another class

    with pytest.raises(TypeError):
        advance(opened(), [Recorded(2, Strange(), NOON, 0, 1)])
    with pytest.raises(TypeError):
        GG().evolve(play.start(opened(ANN, BEN), SEED, NOON).table.state, Strange(), NOON)


def test_a_game_may_hold_lifecycle_events_and_those_of_its_rules() -> None:
    assert event_types("gg") == {**life.LIFECYCLE, **GG.event_types}


def test_an_unknown_ruleset_is_none() -> None:
    with pytest.raises(KeyError):
        ruleset("whist")
