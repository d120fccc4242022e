"""The server may go away at any moment: between moves, or after a commit whose answer never arrived."""

import contextlib
from threading import Thread

import psycopg
import pytest
from django.db import OperationalError, connection, transaction

from games.store.append import Appended, append, create
from games.store.append import _write as write_without_noticing
from games.store.load import history, load
from tests.servers import TestServers
from tests.store.games import break_connection, creation, current, new_id, running, saying, superuser


def _break_connection(servers: TestServers) -> None:
    """End this thread's backend, as a restart of the server would."""
    connection.ensure_connection()
    break_connection(servers, connection.connection)


def test_a_move_survives_a_broken_connection(servers: TestServers) -> None:
    game = running()
    move = saying(game, "well")
    _break_connection(servers)

    assert set(append([move])) == {game.table.id}
    assert history(game.table.id)[-1].version == move.version


def test_a_move_whose_answer_was_lost_is_known_to_stand_and_its_equal_rival_not_to(servers: TestServers) -> None:
    game = running()
    move, rival = saying(game, "well"), saying(game, "well")
    write_without_noticing([move])

    _break_connection(servers)
    assert set(append([move])) == {game.table.id}
    _break_connection(servers)
    assert append([rival]) == {}


@pytest.mark.parametrize("committed", [True, False])
def test_a_creation_whose_answer_was_lost_is_finished(servers: TestServers, *, committed: bool) -> None:
    first = creation([new_id()])
    if committed:
        create(first, "CODE1")
    _break_connection(servers)

    assert isinstance(create(first, "CODE1"), Appended)
    assert current(first.game_id).version == 2


def test_reads_survive_a_broken_connection(servers: TestServers) -> None:
    game = running()
    _break_connection(servers)

    assert load(game.table.id) == game


@pytest.mark.parametrize("action", ["append", "create", "load"])
def test_inside_a_transaction_a_broken_connection_is_the_callers_to_handle(servers: TestServers, action: str) -> None:
    game, first = running(), creation([new_id()])

    def work() -> None:
        with transaction.atomic():
            _break_connection(servers)
            match action:
                case "append":
                    append([saying(game, "x")])
                case "create":
                    create(first, "CODE")
                case _:
                    load(game.table.id)

    with pytest.raises(OperationalError):
        work()

    assert load(first.game_id) is None
    assert load(game.table.id) == game


def test_a_cancelled_statement_is_tried_again(servers: TestServers) -> None:
    game = running()
    with superuser(servers) as blocker, superuser(servers) as other, contextlib.ExitStack() as lock:
        lock.enter_context(blocker.transaction())
        blocker.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", [game.table.id])
        canceller = Thread(target=_cancel_then_unlock, args=(other, lock))
        canceller.start()

        assert set(append([saying(game, "well")])) == {game.table.id}
        canceller.join()


def _cancel_then_unlock(other: psycopg.Connection, lock: contextlib.ExitStack) -> None:
    waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    while (waits := other.execute(waiting).fetchone()) is None:
        pass
    other.execute("SELECT pg_cancel_backend(%s)", waits)
    lock.close()
