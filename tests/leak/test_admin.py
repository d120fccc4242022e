"""Staff, superusers too, see no more of a running game in the admin than a spectator: not in any page's one byte.

The same game is played in two worlds that differ in what no spectator may know, hidden cards and the seed; every page
of the admin that can be reached about it is the same in both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from accounts.models import Player
from accounts.staff import listings
from games import admin as games_admin
from games.rules import play as rules_play
from games.rules.conformance.playthrough import Case
from games.rules.registry import listed, ruleset
from games.services import inspection, watch
from tests.games import unique
from tests.leak.exchange import Doings, Swap, swap_for
from tests.leak.playing import next_step
from tests.leak.sources import Sources
from tests.leak.staff import about, crawl, logged_in, superuser
from tests.leak.transcript import Leak
from tests.leak.trial import Step, Trial, trial
from tests.leak.world import World, blocking, world

KEYS = [*(rules.key for rules in listed()), "tiny"]
LENGTH = 8
Patch = pytest.MonkeyPatch
Look = Callable[[World, Player], dict[str, str]]


class Kept(NamedTuple):
    steps: list[Step]
    swap: Swap
    pages: dict[str, str]


@pytest.mark.parametrize("key", KEYS)
async def test_every_page_about_a_running_game_is_the_same_whatever_is_hidden(key: str, superuser_url: str) -> None:
    pages = await compared(key, superuser_url)

    assert any(address.startswith("/admin/games/game/0") for address in pages), "the game's own page was found"
    for word in ("records/receipts/", "records/feed/", "records/seats/", "records/audit/", "deeds/abort_game/"):
        assert any(word in address for address in pages), word


def events_as_stored(patch: Patch) -> None:
    patch.setattr(watch, "seen", lambda table, event, seat: rules_play.plain(event))


def the_state_of_a_seat(patch: Patch) -> None:
    patch.setattr(inspection, "state", lambda loaded: watch.state(loaded.table, 0))


def the_seed(patch: Patch) -> None:
    patch.setattr(inspection, "fairness", lambda loaded: {"seed": loaded.seed.hex()})


def columns(name: str, *more: str) -> Callable[[Patch], None]:
    def plant(patch: Patch) -> None:
        listing = listings._listings[name]
        patch.setitem(listings._listings, name, replace(listing, columns=(*listing.columns, *more)))

    plant.__name__ = f"columns_{'_'.join(more)}_of_{name}"
    return plant


def the_chain_in_a_column(patch: Patch) -> None:
    def head(_admin: Any, game: Any) -> str:
        return bytes(game.head).hex()

    patch.setattr(games_admin.GameAdmin, "head", head, raising=False)
    patch.setattr(games_admin.GameAdmin, "list_display", ("id", "head"))


PLANTS = [
    events_as_stored,
    the_state_of_a_seat,
    the_seed,
    columns("receipts", "body"),
    columns("receipts", "body_hash"),
    the_chain_in_a_column,
]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
async def test_a_leak_in_the_admin_is_caught(
    plant: Callable[[Patch], None], superuser_url: str, monkeypatch: Patch
) -> None:
    plant(monkeypatch)

    with pytest.raises(Leak):
        await compared("tiny", superuser_url, _few)


@pytest.fixture
def superuser_url(superuser: str) -> str:
    return superuser


async def compared(key: str, superuser_url: str, look: Look | None = None) -> dict[str, str]:
    """Play in both worlds and compare what the admin shows; the pages. Raises Leak."""
    case = Case(ruleset(key), seed=61, number=KEYS.index(key))
    tried = await blocking(trial, case, 4)
    staff = await blocking(superuser, unique("root")[:28])
    length, first = LENGTH, None
    while first is None:
        first = await _first(tried, length, superuser_url, staff, look or _all)
        length += 3
        assert length < 40, "something is hidden at some point"
    sources = Sources(case, first.swap.exchanges, second=True)
    async with world(tried, sources, superuser_url, first.swap.doings) as other:
        await other.set_up()
        for number, step in enumerate(first.steps):
            await other.take(number, step)
        await other.settle()
        pages = await blocking(look or _all, other, staff)
    for address in dict.fromkeys((*first.pages, *pages)):
        one, two = first.pages.get(address, ""), pages.get(address, "")
        if one != two:
            pairs = zip(one.splitlines(), two.splitlines(), strict=False)
            raise Leak("a superuser", address, *next((pair for pair in pairs if pair[0] != pair[1]), (one, two)))
    return pages


async def _first(tried: Trial, length: int, superuser_url: str, staff: Player, look: Look) -> Kept | None:
    """The first world; None if nothing is hidden from a spectator at its end, or the game is over by then."""
    noise, sources, steps = tried.case.noise("steps"), Sources(tried.case), list[Step]()
    doings: Doings | None = None
    async with world(tried, sources, superuser_url, doings) as made:
        await made.set_up()
        for number in range(length):
            step = next_step(await made.table(), tried.viewers, sources.now, noise)
            await made.take(number, step)
            steps.append(step)
        await made.settle()
        running = (await made.table()).status == "playing"
        swap = swap_for(await made.story(), None, sources, tried.case.noise("swaps"))
        if swap is None or not running:
            return None
        return Kept(steps, swap, await blocking(look, made, staff))


def _few(made: World, staff: Player) -> dict[str, str]:
    return about(logged_in(staff), made.game_id)


def _all(made: World, staff: Player) -> dict[str, str]:
    players = [viewer.player_id for viewer in made.trial.players]
    return crawl(logged_in(staff), made.game_id, players, made.code)
