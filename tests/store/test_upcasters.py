"""The real example: what is said was once a single `word`, today it is a list of `words`."""

from typing import Any

import msgspec
import pytest

from games.rules import chain
from games.rules import lifecycle as life
from games.store import cache, verify
from games.store.append import Append, append
from games.store.load import history
from games.store.upcasters import upcast, upcaster
from tests.store.counting import Said
from tests.store.games import current, now, running, say, saying


@upcaster("counting", "said", 1)
def words_were_one(data: dict[str, Any]) -> dict[str, Any]:
    return {"seat": data["seat"], "words": [data["word"]]}


def _written_by(schema: int, move: Append, data: dict[str, Any]) -> Append:
    """The same move as the code of that time stored it, chain and all."""
    raw, link, rows = chain.canonical(data), move.before.head, []
    for row, record in zip(move.rows, move.records, strict=True):
        said = record.event.type == "said"
        changed = msgspec.structs.replace(row, schema=schema, data=msgspec.Raw(raw)) if said else row
        event = chain.stored(row.version, row.type, record.at, bytes(changed.data))
        link = chain.link(link, move.before.seed, row.version, event)
        rows.append(msgspec.structs.replace(changed, hash=link.hex()))
    return msgspec.structs.replace(move, rows=tuple(rows), head=link)


def test_an_old_row_is_read_in_todays_shape_and_verified_in_its_own() -> None:
    game = running()
    append([_written_by(1, saying(game, "hello"), {"seat": 0, "word": "hello"})])
    cache.clear()

    read = current(game.table.id)

    assert history(game.table.id)[5].event == Said(seat=0, words=["hello"])
    assert read.table.state.last == ("hello",)
    checked = verify.check_game(game.table.id)
    assert checked is not None
    assert checked.finding is None
    assert say(read, "and on").table.state.last == ("and", "on")


def test_a_row_that_newer_code_wrote_is_not_guessed_at() -> None:
    game = running()
    append([_written_by(3, saying(game, "hello"), {"seat": 0, "phrase": "hello"})])

    with pytest.raises(LookupError, match="newer"):
        history(game.table.id)


def test_an_old_shape_without_a_step_is_named() -> None:
    with pytest.raises(LookupError, match="schema 1 of lifecycle game_started"):
        upcast("", "game_started", 1, 2, {})


def test_steps_follow_one_another() -> None:
    upcaster("counting", "grown", 1)(lambda data: data | {"second": True})
    upcaster("counting", "grown", 2)(lambda data: data | {"third": "second" in data})

    assert upcast("counting", "grown", 1, 3, {"first": 1}) == {"first": 1, "second": True, "third": True}
    assert upcast("counting", "grown", 3, 3, {"first": 1}) == {"first": 1}


def test_an_old_shape_has_one_reading() -> None:
    with pytest.raises(AssertionError):
        upcaster("counting", "said", 1)(words_were_one)


def test_lifecycle_events_are_todays() -> None:
    started = history(running().table.id)[3]

    assert isinstance(started.event, life.GameStarted)
    assert started.at <= now()
