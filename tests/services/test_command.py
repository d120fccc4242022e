"""Keys of repeatable commands (details.md, Shapes)."""

from __future__ import annotations

from datetime import datetime

import pytest

from config.wire.problems import Problem
from games.services import command, play
from games.services.command import Plan
from games.store.cache import Loaded
from tests.games import opened, somebody


def test_a_move_has_the_same_identity_over_rest_and_over_a_socket() -> None:
    action = {"type": "bid", "tricks": 2}

    over_socket = play.move_key("k", action, None)

    assert command.key("move", "k", {"action": action}) == over_socket
    assert command.key("move", "k", {"action": {"tricks": 2, "type": "bid"}, "expected_version": None}) == over_socket
    assert command.key("move", "k", {"action": action, "expected_version": 7}) != over_socket


@pytest.mark.parametrize("given", ["x", "x" * 64, "à la carte", "👨\u200d👩\u200d👧", "é" * 64])
def test_a_key_may_be_any_text(given: str) -> None:
    assert command.key("move", given, {}) is not None


@pytest.mark.parametrize("given", ["", "x" * 65, "a\nb", "\x9f", "\ud800"])
def test_a_key_has_1_to_64_characters_and_no_control_characters(given: str) -> None:
    with pytest.raises(Problem, match="validation"):
        command.key("move", given, {})


def test_a_key_that_another_request_took_meanwhile_does_not_answer_this_one() -> None:
    ada = somebody()
    game_id = opened([ada], seats=2)
    mine, other = (command.key("seat", "k", {"seat": seat}) for seat in range(2))

    def nothing(_loaded: Loaded, _now: datetime) -> Plan:
        return Plan(move=None, status=200, body=lambda _head: b'{"version":1}')

    def late(loaded: Loaded, now: datetime) -> Plan:
        command.run(ada.caller, game_id, other, nothing)
        return nothing(loaded, now)

    with pytest.raises(Problem, match="idempotency-mismatch"):
        command.run(ada.caller, game_id, mine, late)
    again = command.run(ada.caller, game_id, other, nothing)
    assert (again.again, again.body) == (True, b'{"version":1}')
