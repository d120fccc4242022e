from games.models import Event
from games.store.append import Appended, append, create
from games.store.load import load
from games.store.receipts import Receipt, find, keep
from tests.store.games import creation, current, new_id, receipt, running, say, saying


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
