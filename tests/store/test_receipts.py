from datetime import timedelta
from uuid import UUID

from games import tasks
from games.models import Event
from games.rules.play import plain
from games.store import personal
from games.store.append import Appended, append, create
from games.store.load import load
from games.store.receipts import NO_GAME, Receipt, find, forget_before, keep
from tests.servers import TestServers
from tests.store.games import creation, current, new_id, now, receipt, running, say, saying, superuser


def test_the_answer_is_kept_with_the_move_byte_for_byte() -> None:
    game, player = running(), new_id()
    move = saying(game, "hello")
    answer = receipt(player, "k-1", game_id=game.table.id, body=b'{"receipt":"%b"}\xff' % move.head.hex().encode())

    append([move.answered(answer)])

    assert find(player, "move", game.table.id, "k-1") == answer
    assert list(Event.objects.filter(game_id=game.table.id, command_id="k-1").values_list("version")) == [(6,)]


def test_a_known_key_appends_nothing_even_at_the_right_version() -> None:
    game, player = running(), new_id()
    answer = receipt(player, "k-1", game_id=game.table.id)
    append([saying(game, "hello").answered(answer)])
    after = current(game.table.id)

    assert append([saying(after, "again").answered(answer)]) == {}
    assert current(game.table.id) == after


def test_equal_keys_of_another_player_operation_or_game_are_other_keys() -> None:
    game, other, player = running(), running(), new_id()
    append([saying(game, "a").answered(receipt(player, "k", game_id=game.table.id))])

    for different in (
        receipt(new_id(), "k", game_id=game.table.id),
        receipt(player, "k", game_id=game.table.id, operation="resume"),
    ):
        assert append([saying(current(game.table.id), "b").answered(different)])
    assert append([saying(other, "c").answered(receipt(player, "k", game_id=other.table.id))])
    assert find(player, "move", game.table.id, "unknown") is None


def test_an_overtaken_move_leaves_no_receipt() -> None:
    game, player = running(), new_id()
    late = saying(game, "late").answered(receipt(player, "late", game_id=game.table.id))
    say(game, "early")

    assert append([late]) == {}
    assert find(player, "move", game.table.id, "late") is None


def test_an_answer_without_an_append_is_kept_once() -> None:
    player = new_id()
    first, second = receipt(player, "k", body=b"1"), receipt(player, "k", body=b"2")

    assert keep(first) == first
    assert keep(second) == first


def test_a_repeated_creation_gives_the_first_answer_and_no_second_game() -> None:
    player = new_id()
    first = creation([player], asked=receipt(player, "k", operation="create", body=b"first"))
    second = creation([player], asked=receipt(player, "k", operation="create", body=b"second"))
    assert isinstance(create(first, "CODE1"), Appended)

    again = create(second, "CODE2")

    assert isinstance(again, Receipt)
    assert again.body == b"first"
    assert load(second.game_id) is None
    assert not Event.objects.filter(game_id=second.game_id).exists()


def _written_long_ago(servers: TestServers, player: str) -> None:
    with superuser(servers) as database:
        database.execute("SET session_replication_role = replica")
        database.execute(
            "UPDATE games_receipt SET written_at = now() - interval '40 days' WHERE player_id = %s", [player]
        )


def test_old_answers_are_forgotten_in_bites_and_young_ones_kept(servers: TestServers) -> None:
    old, young = new_id(), new_id()
    for key in "abc":
        keep(receipt(old, key))
    _written_long_ago(servers, old)
    keep(receipt(young, "a"))

    week_ago = now() - timedelta(days=7)

    assert [forget_before(week_ago, limit=2) for _ in range(3)] == [2, 1, 0]
    assert find(old, "move", NO_GAME, "a") is None
    assert find(young, "move", NO_GAME, "a") is not None


def test_the_task_forgets_what_is_older_than_the_setting_says(servers: TestServers) -> None:
    old, young = new_id(), new_id()
    keep(receipt(old, "a"))
    _written_long_ago(servers, old)
    keep(receipt(young, "a"))

    tasks.forget()

    assert find(old, "move", NO_GAME, "a") is None
    assert find(young, "move", NO_GAME, "a") is not None


def test_the_answers_of_a_player_who_goes_are_forgotten_and_the_events_stay() -> None:
    player, other = new_id(), new_id()
    game = running([player, other])
    append([saying(game, "a").answered(receipt(player, "k", game_id=game.table.id))])
    keep(receipt(player, "k"))
    keep(receipt(other, "k", game_id=game.table.id))

    personal.erase(UUID(player))
    personal.erase(UUID(player))

    assert find(player, "move", game.table.id, "k") is None
    assert find(player, "move", NO_GAME, "k") is None
    assert find(other, "move", game.table.id, "k") is not None
    assert current(game.table.id).version == 7


def test_what_is_held_about_a_player_names_their_games_and_seats() -> None:
    player = new_id()
    game = say(running([new_id(), player], until=1), "end")

    (held,) = personal.export(UUID(player))

    assert held == {
        "game_id": UUID(game.table.id),
        "rules": "counting",
        "options": plain(game.table.options),
        "mode": "casual",
        "visibility": "private",
        "status": "finished",
        "created_at": game.table.created_at,
        "last_event_at": game.table.at,
        "seats": 2,
        "seat": 1,
        "controller": "player",
        "left": False,
        "place": 2,
        "score": 0,
        "client_seeds": [],
        "actions": [],
    }
