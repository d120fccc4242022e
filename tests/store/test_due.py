from datetime import timedelta

from games.models import Game
from games.rules import lifecycle as life
from games.rules import play
from games.store.append import append, prepare
from games.store.due import Due, find_due, postpone
from tests.servers import TestServers
from tests.store.games import LATER, current, now, running, saying, superuser, waiting

ALL = 100_000


def _due(game_id: str) -> list[Due]:
    return [each for each in find_due(now(), ALL) if each.game_id == game_id]


def test_a_game_is_due_once_its_time_has_come() -> None:
    past = now() - timedelta(seconds=1)
    overdue, early, never = running(due_at=past), running(due_at=now() + LATER), running(due_at=None)

    assert _due(overdue.table.id) == [Due(overdue.table.id, 5, "playing", past)]
    assert _due(early.table.id) == _due(never.table.id) == []


def test_a_waiting_table_can_be_due_as_well() -> None:
    table = waiting(due_at=now() - LATER)

    assert [each.status for each in _due(table.table.id)] == ["waiting"]


def test_a_move_only_lowers_the_time_to_check_and_the_sweep_lifts_it() -> None:
    soon, later, latest = (now() + timedelta(hours=hours) for hours in (1, 2, 3))
    game = running(due_at=later)
    row = Game.objects.filter(id=game.table.id)

    append([saying(game, "a", due_at=latest)])
    assert row.values_list("due_at", "check_at").get() == (latest, later)
    append([saying(current(game.table.id), "b", due_at=soon)])
    assert row.values_list("due_at", "check_at").get() == (soon, soon)
    append([saying(current(game.table.id), "c", due_at=latest)])
    assert row.values_list("due_at", "check_at").get() == (latest, soon)

    assert game.table.id not in {each.game_id for each in find_due(soon, ALL)}
    assert row.values_list("due_at", "check_at").get() == (latest, latest)


def test_a_game_that_waits_for_nothing_any_more_leaves_the_sweep() -> None:
    game = running(due_at=now() - LATER)
    append([saying(game, "a", due_at=None)])

    assert _due(game.table.id) == []
    assert Game.objects.get(id=game.table.id).check_at is None


def test_a_game_that_is_over_is_never_due() -> None:
    game = running(due_at=now() - LATER)
    move = play.record(game.table, [life.GameAborted(reason="idle")], now())
    append([prepare(game, move, due_at=now() - LATER)])

    assert _due(game.table.id) == []


def test_the_sweep_waits_for_no_lock(servers: TestServers) -> None:
    game = running(due_at=now() - LATER)
    append([saying(game, "a", due_at=now() + LATER)])
    with superuser(servers) as other, other.transaction():
        other.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", [game.table.id])

        assert _due(game.table.id) == []
    assert _due(game.table.id) == []
    assert Game.objects.filter(id=game.table.id, check_at__gt=now()).exists()


def test_those_not_due_yet_do_not_hide_those_that_are() -> None:
    long_ago = now() - timedelta(days=300)
    for _ in range(6):
        game = running(due_at=long_ago)
        append([saying(game, "a", due_at=now() + LATER)])
    overdue = running(due_at=long_ago + timedelta(hours=1))

    assert [each.game_id for each in find_due(long_ago + LATER, 2)] == [overdue.table.id]


def test_a_game_that_cannot_be_moved_on_can_be_put_off() -> None:
    game = running(due_at=now() - LATER)

    postpone([game.table.id], now() + LATER)

    assert _due(game.table.id) == []
