"""Every refusal of what is asked at a table before and around the game: its code, and the sentence that says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from config.wire.problems import DETAILS, Problem
from games.services import branch, command, play, rematch, tables
from games.services.command import Caller
from games.services.tables import BotSeat, NewTable
from games.store.load import load
from tests.games import Someone, opened, somebody, started


class Scene:
    """A waiting table with a free seat, a full one, a running game, one that is over, and a private table."""

    def __init__(self) -> None:
        self.host, self.guest, self.outsider = somebody("Host"), somebody("Guest"), somebody("Outsider")
        both = [self.host, self.guest]
        self.waiting = opened(both, seats=3)
        tables.clear_bot(self.host.caller, self.waiting, 2)
        self.full, self.running, self.over = opened(both, seats=3), started(both), started(both)
        for player in both:
            tables.leave(player.caller, self.over)
        self.private = opened(both, seats=3, visibility="private")
        self.left = started(both)
        tables.leave(self.guest.caller, self.left)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene()


Asked = Callable[[Scene], Any]
NOBODY = str(uuid4())


def new(**changes: Any) -> NewTable:
    members: dict[str, Any] = {"rules": "tiny", "seats": 3, "options": {}, "visibility": "public", **changes}
    return NewTable(**members)


def bots(*seats: int) -> list[BotSeat]:
    return [BotSeat(seat=seat, level="easy") for seat in seats]


REFUSALS: list[tuple[str, str, Asked]] = [
    ("validation", "rules", lambda s: tables.create_table(s.host.caller, new(rules="chess"), None)),
    ("validation", "seats", lambda s: tables.create_table(s.host.caller, new(seats=5), None)),
    ("validation", "options", lambda s: tables.create_table(s.host.caller, new(options={"x": 1}), None)),
    ("validation", "bots", lambda s: tables.create_table(s.host.caller, new(bots=bots(0)), None)),
    ("validation", "bots", lambda s: tables.create_table(s.host.caller, new(bots=bots(3)), None)),
    ("validation", "bots", lambda s: tables.create_table(s.host.caller, new(bots=bots(1, 1)), None)),
    ("not-found", "no-such-game", lambda s: tables.join(s.outsider.caller, NOBODY, None, None)),
    ("not-found", "no-such-game", lambda s: tables.join(s.outsider.caller, s.private, 9, None)),
    ("not-found", "no-such-game", lambda s: tables.join(coded(s.outsider, "WRONG"), s.private, None, None)),
    ("not-found", "no-such-code", lambda s: tables.join_by_code(s.outsider.caller, "0O1I", None)),
    ("validation", "seat", lambda s: tables.join(s.outsider.caller, s.waiting, 3, None)),
    ("game-state", "already-started", lambda s: tables.join(s.outsider.caller, s.running, None, None)),
    ("game-state", "already-started", lambda s: tables.join(s.outsider.caller, s.over, None, None)),
    ("game-state", "already-seated", lambda s: tables.join(s.guest.caller, s.waiting, 2, None)),
    ("game-state", "seat-taken", lambda s: tables.join(s.outsider.caller, s.waiting, 1, None)),
    ("game-state", "full", lambda s: tables.join(s.outsider.caller, s.full, None, None)),
    ("not-found", "no-such-game", lambda s: tables.leave(s.outsider.caller, s.private)),
    ("forbidden", "not-seated", lambda s: tables.leave(s.outsider.caller, s.waiting)),
    ("game-state", "not-playing", lambda s: tables.leave(s.host.caller, s.over)),
    ("game-state", "already-left", lambda s: tables.leave(s.guest.caller, s.left)),
    ("forbidden", "not-host", lambda s: tables.remove(s.guest.caller, s.waiting, 0)),
    ("not-found", "no-such-seat", lambda s: tables.remove(s.host.caller, s.waiting, 3)),
    ("game-state", "seat-free", lambda s: tables.remove(s.host.caller, s.waiting, 2)),
    ("game-state", "seat-free", lambda s: tables.remove(s.host.caller, s.full, 2)),
    ("game-state", "host-leaves-otherwise", lambda s: tables.remove(s.host.caller, s.waiting, 0)),
    ("game-state", "already-started", lambda s: tables.remove(s.host.caller, s.running, 1)),
    ("forbidden", "not-host", lambda s: tables.set_bot(s.guest.caller, s.waiting, 2, "easy")),
    ("not-found", "no-such-seat", lambda s: tables.set_bot(s.host.caller, s.waiting, 3, "easy")),
    ("game-state", "seat-taken", lambda s: tables.set_bot(s.host.caller, s.waiting, 1, "easy")),
    ("game-state", "already-started", lambda s: tables.set_bot(s.host.caller, s.running, 1, "easy")),
    ("game-state", "no-bot", lambda s: tables.clear_bot(s.host.caller, s.waiting, 2)),
    ("game-state", "no-bot", lambda s: tables.clear_bot(s.host.caller, s.waiting, 1)),
    ("forbidden", "not-host", lambda s: tables.clear_bot(s.outsider.caller, s.full, 2)),
    ("validation", "options", lambda s: tables.change_options(s.guest.caller, s.waiting, {"move_seconds": 0})),
    ("forbidden", "not-host", lambda s: tables.change_options(s.guest.caller, s.waiting, {})),
    ("game-state", "already-started", lambda s: tables.change_options(s.host.caller, s.running, {})),
    ("not-found", "no-such-game", lambda s: tables.change_options(s.outsider.caller, s.private, {"x": 1})),
    ("forbidden", "not-host", lambda s: tables.start(s.guest.caller, s.full, None)),
    ("game-state", "seats-free", lambda s: tables.start(s.host.caller, s.waiting, None)),
    ("game-state", "already-started", lambda s: tables.start(s.host.caller, s.running, None)),
    ("forbidden", "not-seated", lambda s: tables.give_client_seed(s.outsider.caller, s.waiting, "x")),
    ("game-state", "already-started", lambda s: tables.give_client_seed(s.host.caller, s.running, "x")),
    ("forbidden", "not-seated", lambda s: play.resume(s.outsider.caller, s.running, None)),
    ("game-state", "not-playing", lambda s: play.resume(s.host.caller, s.waiting, None)),
    ("game-state", "bot-in-control", lambda s: play.move(s.guest.caller, s.left, {"type": "draw"}, None, None)),
    ("game-state", "not-over", lambda s: rematch.rematch(s.host.caller, s.running, None)),
    ("forbidden", "not-seated", lambda s: rematch.rematch(s.outsider.caller, s.over, None)),
    ("game-state", "not-over", lambda s: branch.branch(s.host.caller, s.running, 5, 0, "easy", None)),
    ("validation", "seat", lambda s: branch.branch(s.host.caller, s.over, 5, 2, "easy", None)),
    ("validation", "at", lambda s: branch.branch(s.host.caller, s.over, 1, 0, "easy", None)),
    ("validation", "idempotency_key", lambda s: command.key("start", "x" * 65, {})),
]  # fmt: skip


@pytest.mark.parametrize("code, why, asked", REFUSALS, ids=[f"{i}-{why}" for i, (_, why, _) in enumerate(REFUSALS)])
def test_a_refusal_says_why_and_changes_nothing(scene: Scene, code: str, why: str, asked: Asked) -> None:
    before = versions(scene)

    with pytest.raises(Problem, match=code) as refusal:
        asked(scene)

    assert why in (refusal.value.facts["errors"] if code == "validation" else [refusal.value.detail])
    assert versions(scene) == before


def test_every_reason_has_its_sentence_in_both_languages() -> None:
    reasons = {why for code, why, _ in REFUSALS if code != "validation"}

    assert {why for why in reasons if DETAILS.get(why, {}).keys() != {"en", "fr"}} == set()


def test_what_changes_nothing_appends_nothing() -> None:
    host = somebody()
    table = opened([host], seats=2, options={"move_seconds": 9})
    tables.give_client_seed(host.caller, table, "seed")
    before = load(table)

    tables.set_bot(host.caller, table, 1, "easy")
    tables.give_client_seed(host.caller, table, "seed")
    tables.change_options(host.caller, table, {"move_seconds": 9})

    assert load(table) == before


def test_a_bot_s_new_level_is_told_as_leaving_and_sitting_down() -> None:
    host = somebody()
    table = opened([host], seats=2)
    before = load(table)
    assert before is not None

    tables.set_bot(host.caller, table, 1, "hard")

    after = load(table)
    assert after is not None
    assert after.version == before.version + 2
    assert after.table.chairs[1] is not None
    assert after.table.chairs[1].bot == "hard"


def coded(player: Someone, code: str) -> Caller:
    return Caller(player_id=player.id, code=code)


def versions(scene: Scene) -> list[int]:
    found = [load(g) for g in (scene.waiting, scene.full, scene.running, scene.over, scene.private, scene.left)]
    return [game.version for game in found if game is not None]
