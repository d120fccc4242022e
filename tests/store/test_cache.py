from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from django.conf import settings

from games.rules.table import Table
from games.store import cache
from games.store.cache import Loaded
from games.store.load import load, load_all
from tests.servers import TestServers
from tests.store.games import current, new_id, running, say, superuser


def _loaded(game_id: str, version: int = 1) -> Loaded:
    return Loaded(table=Table(id=game_id, version=version), seed=b"", head=b"", code="")


@pytest.fixture(autouse=True)
def _empty() -> None:
    cache.clear()


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> int:
    """Room for few games; the settings themselves are frozen."""
    monkeypatch.setattr(settings, "REPLI", settings.REPLI.model_copy(update={"cached_games": 5}))
    return 5


def test_it_never_holds_more_than_the_setting_allows(limit: int) -> None:
    def fill(number: int) -> None:
        for each in range(200):
            cache.put(_loaded(f"{number}-{each}"))
            cache.get(f"{number}-{each // 2}")
            assert cache.size() <= limit

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(fill, range(4)))

    assert cache.size() == limit


def test_the_game_used_longest_ago_makes_room(limit: int) -> None:
    for each in "abcde":
        cache.put(_loaded(each))
    cache.get("a")

    cache.put(_loaded("f"))

    assert [each for each in "abcdef" if cache.get(each)] == list("acdef")


def test_an_older_version_never_replaces_a_newer_one() -> None:
    cache.put(_loaded("a", version=5))
    cache.put(_loaded("a", version=4))

    found = cache.get("a")

    assert found is not None
    assert found.version == 5


def test_a_game_that_moved_on_elsewhere_is_caught_up_from_the_table() -> None:
    old = running()
    new = say(old, "one", "two")
    cache.clear()
    cache.put(old)

    assert load(old.table.id) == new
    assert cache.get(old.table.id) == new


@pytest.mark.parametrize("version", [5, 50])
def test_a_state_that_the_table_does_not_confirm_is_dropped(version: int) -> None:
    game = running()
    cache.clear()
    stray = msgspec.structs.replace(game.table, version=version, rules="something else")
    cache.put(msgspec.structs.replace(game, table=stray, head=b"another history"))

    assert load(game.table.id) == game


def test_an_unknown_game_is_none_and_leaves_nothing(servers: TestServers) -> None:
    unknown = new_id()
    cache.put(_loaded(unknown))

    assert load(unknown) is None
    assert cache.get(unknown) is None


def test_reading_an_unchanged_game_folds_nothing(servers: TestServers) -> None:
    game = current(running().table.id)
    with superuser(servers) as other:
        assert other.execute("SELECT version FROM games_game WHERE id = %s", [game.table.id]).fetchone() == (5,)

    assert load(game.table.id) is game


def test_many_games_are_read_at_once_each_as_if_alone_and_in_the_order_asked(servers: TestServers) -> None:
    unchanged, behind, unknown, missing = running(), running(), new_id(), running()
    moved_on = say(behind, "one", "two")
    stray = running()
    cache.clear()
    for kept in (unchanged, behind, _loaded(unknown), msgspec.structs.replace(stray, head=b"another history")):
        cache.put(kept)

    asked = [stray.table.id, missing.table.id, unknown, behind.table.id, unchanged.table.id]
    assert load_all(asked) == [stray, missing, moved_on, unchanged]

    assert cache.get(unknown) is None
    assert [cache.get(game_id) for game_id in (behind.table.id, missing.table.id)] == [moved_on, missing]
    assert load_all([]) == []
