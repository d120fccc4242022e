"""The test of leaks catches leaks: one is planted in each channel, and the comparison must name that channel.

Each plant tells something that depends on hidden cards and nothing else. A game may happen not to bring it out (two
worlds can agree by chance), so a few are tried.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import msgspec
import pytest
import structlog
from django.http import HttpResponse

from games.api import games as games_api
from games.api import history as history_api
from games.rules import play as rules_play
from games.rules.conformance.playthrough import Case
from games.rules.errors import RuleViolation
from games.rules.registry import ruleset
from games.rules.table import Table
from games.services import command, due, lists, play, watch
from games.store.load import load
from games.ws import room
from tests.leak.transcript import Leak
from tests.leak.trials import carry_out

GAMES = 8
Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


def hidden(table: Table) -> str:
    """Something that only who knows all hands and the pile can say; six letters."""
    state = table.state
    return "" if state is None else hashlib.sha256(repr((state.hands, state.pile)).encode()).hexdigest()[:6]


def share(table: Table) -> float:
    return int(hidden(table) or "0", 16) / 16**6


def _wrapped(patch: Patch, owner: Any, name: str, around: Callable[..., Any]) -> None:
    """Put `around(original, *args)` in the place of a function."""
    original = getattr(owner, name)
    patch.setattr(owner, name, lambda *args, **more: around(original, *args, **more))


def in_the_view(patch: Patch) -> None:
    def state(original: Any, table: Table, seat: Any) -> Any:
        return original(table, seat) | ({"next": table.state.pile[0]} if table.state else {})

    _wrapped(patch, watch, "state", state)


def in_an_events_redaction(patch: Patch) -> None:
    patch.setattr(watch, "seen", lambda table, event, seat: rules_play.plain(event))


def in_legal_actions(patch: Patch) -> None:
    def legal(original: Any, table: Table, seat: Any) -> Any:
        found = original(table, seat)
        return [*found, {"type": "pick", "card": table.state.pile[-1]}] if found else found

    _wrapped(patch, watch, "legal_actions", legal)


def in_a_refusals_facts(patch: Patch) -> None:
    def act(original: Any, table: Table, seat: int, action: Any, *more: Any) -> Any:
        try:
            return original(table, seat, action, *more)
        except RuleViolation as refusal:
            raise RuleViolation(refusal.code, **refusal.facts, known=hidden(table)) from None

    _wrapped(patch, rules_play, "act", act)


def in_the_sockets_events(patch: Patch) -> None:
    def message(original: Any, telling: watch.Telling, *more: Any, **named: Any) -> Any:
        return original(telling, *more, **named) | {"pile": hidden(telling.after)}

    _wrapped(patch, watch, "events_message", message)


def in_the_welcome(patch: Patch) -> None:
    def welcome(original: Any, caller: Any, game_id: str) -> Any:
        loaded, payload = original(caller, game_id)
        return loaded, payload[:-1] + f',"seen":"{hidden(loaded.table)}"}}'.encode()

    _wrapped(patch, room, "_welcome", welcome)


def in_an_idempotent_repeat(patch: Patch) -> None:
    def first_answer(original: Any, first: Any, asked: Any) -> Any:
        answer, loaded = original(first, asked), load(first.game_id)
        if loaded is None or not answer.body.endswith(b"}"):
            return answer
        return msgspec.structs.replace(answer, body=answer.body[:-1] + f',"x":"{hidden(loaded.table)}"}}'.encode())

    _wrapped(patch, command, "first_answer", first_answer)


def in_a_header(patch: Patch) -> None:
    def shown(original: Any, document: Any, *more: Any) -> HttpResponse:
        response: HttpResponse = original(document, *more)
        loaded = load(document.id)
        assert loaded is not None
        response["ETag"] = f'"{document.version}-{hidden(loaded.table)}"'
        return response

    _wrapped(patch, games_api, "shown", shown)


def in_a_log_line(patch: Patch) -> None:
    def decide(original: Any, table: Table, *more: Any) -> Any:
        structlog.get_logger("games.services.play").debug("decides", hands=table.state.hands)
        return original(table, *more)

    _wrapped(patch, play, "decide", decide)


def in_an_order(patch: Patch) -> None:
    def documents(original: Any, *args: Any) -> Any:
        found = []
        for loaded, document in zip(args[0], original(*args), strict=True):
            hands = loaded.table.state.hands if loaded.table.state else {}
            ordered = sorted(document.seats, key=partial(_strength, hands))
            found.append(msgspec.structs.replace(document, seats=ordered))
        return found

    _wrapped(patch, watch, "documents", documents)


def _strength(hands: Any, seat: Any) -> Any:
    return hands.get(seat.seat, ())


def in_a_length(patch: Patch) -> None:
    def shown(original: Any, *args: Any) -> HttpResponse:
        response: HttpResponse = original(*args)
        loaded = load(SECRET["game"])
        if loaded is not None:
            response.content += b" " * int(share(loaded.table) * 50)
        return response

    def state_at(original: Any, game_id: str, *more: Any) -> Any:
        SECRET["game"] = game_id
        return original(game_id, *more)

    _wrapped(patch, watch, "state_at", state_at)
    _wrapped(patch, history_api, "shown", shown)


SECRET: dict[str, str] = {"game": ""}


def in_a_bots_pause(patch: Patch) -> None:
    def pause(original: Any, table: Table, *more: Any) -> timedelta:
        return original(table, *more) * (0.5 + 3 * share(table))  # type: ignore[no-any-return]

    _wrapped(patch, due, "_pause", pause)


def in_the_list(patch: Patch) -> None:
    def shown(original: Any, game_ids: Any, player_id: str) -> Any:
        found = []
        for document in original(game_ids, player_id):
            loaded = load(document.id)
            known = hidden(loaded.table) if loaded and loaded.table.rules == "tiny" else ""
            found.append(msgspec.structs.replace(document, state={**document.state, "known": known}))
        return found

    _wrapped(patch, lists, "shown", shown)


def in_fairness(patch: Patch) -> None:
    def fairness(original: Any, loaded: Any) -> Any:
        return msgspec.structs.replace(original(loaded), seed=loaded.seed.hex())

    _wrapped(patch, watch, "fairness_of", fairness)


def in_a_state_of_the_past(patch: Patch) -> None:
    def state_at(original: Any, game_id: str, caller: Any, at: Any) -> Any:
        shown, loaded = original(game_id, caller, at), load(game_id)
        assert loaded is not None
        return msgspec.structs.replace(shown, state={**shown.state, "pile": hidden(loaded.table)})

    _wrapped(patch, watch, "state_at", state_at)


def in_a_receipt_for_everybody(patch: Patch) -> None:
    def document(original: Any, loaded: Any, *more: Any) -> Any:
        found = original(loaded, *more)
        return msgspec.structs.replace(found, commitment=loaded.head.hex())

    _wrapped(patch, watch, "_document", document)


def in_the_notice_of_a_turn(patch: Patch) -> None:
    from games.services import follow
    from games.services.wake import Wake

    def turns(original: Any, before: Table, after: Table) -> Any:
        return [
            Wake(kind=wake.kind, id=wake.id, notice={**wake.notice, "pile": hidden(after)})
            for wake in original(before, after)
        ]

    _wrapped(patch, follow, "_turns", turns)


PLANTS: list[tuple[Plant, str]] = [
    (in_the_view, "GET|peek|socket|REST"),
    (in_an_events_redaction, "events"),
    (in_legal_actions, "GET|start|socket|REST"),
    (in_a_refusals_facts, "moves|error"),
    (in_the_sockets_events, "socket events"),
    (in_the_welcome, "welcome"),
    (in_an_idempotent_repeat, "move POST"),
    (in_a_header, "GET games/GAME/|peek "),
    (in_a_log_line, "log"),
    (in_an_order, ""),
    (in_a_length, "state/|fairness/"),
    (in_a_bots_pause, "course"),
    (in_the_list, "GET games/?limit"),
    (in_fairness, "fairness/"),
    (in_a_state_of_the_past, "state/"),
    (in_a_receipt_for_everybody, ""),
    (in_the_notice_of_a_turn, "me notice"),
]


@pytest.mark.parametrize("plant, channel", PLANTS, ids=lambda plant: getattr(plant, "__name__", None))
async def test_a_leak_is_caught(plant: Plant, channel: str, superuser: str, monkeypatch: Patch) -> None:
    plant(monkeypatch)

    caught = await _first_leak(superuser, length=20 if plant is in_a_bots_pause else 6)

    assert caught is not None, "the leak was not noticed"
    assert any(word in caught.channel for word in channel.split("|")), caught


async def test_without_a_plant_the_same_games_are_clean(superuser: str) -> None:
    assert await _first_leak(superuser, games=2) is None


async def test_a_hidden_atout_that_is_told_is_caught(superuser: str, monkeypatch: Patch) -> None:
    def seen(original: Any, table: Table, event: Any, seat: Any) -> Any:
        return rules_play.plain(event) if event.type == "atout_picked" else original(table, event, seat)

    _wrapped(monkeypatch, watch, "seen", seen)

    caught = await _first_leak(superuser, rules="vingtsept", length=10)

    assert caught is not None, "the leak was not noticed"
    assert "events" in caught.channel, caught


async def _first_leak(superuser: str, games: int = GAMES, length: int = 6, rules: str = "tiny") -> Leak | None:
    for number in range(games):
        case = Case(ruleset(rules), seed=88, number=number)
        try:
            await carry_out(case, length, superuser, kinds=2)
        except Leak as leak:
            return leak
    return None
