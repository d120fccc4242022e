"""Whatever breaks, and however talkative the log: a line tells what kind of thing broke and where, never a card.

The log is read as the product's own formatter writes it, in both styles.
"""

from __future__ import annotations

import io
import json
import logging
import logging.config
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
import uvicorn.config
from django.conf import settings

from config.logs import logging_config
from games import tasks
from games.rules import play as rules_play
from games.services import bots
from games.services.threads import in_thread
from games.store.load import load
from tests.api.client import Player
from tests.games import at_game, somebody, started
from tests.leak.lines import noted

SECRET = "QH-of-seat-2"


class _Stored(Exception):
    """Like a driver's: its message quotes a row."""


@pytest.fixture(params=["console", "json"])
def written(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """What is written at the most talkative level, in either style."""
    text = io.StringIO()
    logging.config.dictConfig(uvicorn.config.LOGGING_CONFIG)  # as the web server does before it loads our settings
    config = logging_config(request.param, "DEBUG")
    config["handlers"]["console"]["stream"] = text
    logging.config.dictConfig(config)
    yield text
    logging.config.dictConfig(logging_config(settings.REPLI.log_format, settings.REPLI.log_level))


def _stores() -> None:
    raise _Stored(f"Failing row contains ({SECRET})")


def _broken() -> None:
    try:
        _stores()
    except _Stored as error:
        raise ExceptionGroup(f"two of {SECRET}", [TypeError(repr({"hands": SECRET})), KeyError(SECRET)]) from error


def test_an_exception_is_told_by_kind_and_place_alone(written: io.StringIO) -> None:
    try:
        _broken()
    except ExceptionGroup as group:
        structlog.get_logger("games.ours").exception("it broke", game="g1")
        logging.getLogger("somebody.else").exception("it broke there", exc_info=group)
        logging.getLogger("uvicorn.error").exception("it broke in a socket", exc_info=group)

    assert logging.getLogger("uvicorn").handlers == []
    said = written.getvalue()
    assert SECRET not in said
    for word in (
        "it broke",
        "it broke there",
        "it broke in a socket",
        "_Stored",
        "TypeError",
        "KeyError",
        "ExceptionGroup",
        "in _broken",
    ):
        assert word in said


def test_addresses_are_not_logged(written: io.StringIO) -> None:
    logging.getLogger("uvicorn.access").info('%s - "GET %s"', "127.0.0.1", f"/?code={SECRET}")
    logging.getLogger("uvicorn.error").info('%s - "WebSocket %s" [accepted]', "127.0.0.1", f"/?code={SECRET}")

    assert written.getvalue() == ""


def test_no_library_logs_frames_or_headers_at_the_most_talkative_level(written: io.StringIO) -> None:
    for name in ("uvicorn.error", "uvicorn.asgi", "websockets.server", "websockets.protocol"):
        logging.getLogger(name).debug("> %s", f"TEXT '{SECRET}'")
        logging.getLogger(name).warning("worth a line of %s", name)

    said = written.getvalue()
    assert SECRET not in said
    assert said.count("worth a line") == 4


def test_a_broken_game_is_told_by_its_id(superuser: str, monkeypatch: pytest.MonkeyPatch) -> None:
    player = somebody()
    game_id = started([player], seats=3)
    hands = _hands(game_id)
    _break(monkeypatch, bots, "choose")

    with noted() as lines:
        tasks.look_after(game_id)

    said = _said(lines.by_phase)
    assert game_id in said
    assert "TypeError" in said
    _says_nothing_of(hands, said)


async def test_a_move_that_breaks_tells_nobody_a_card(superuser: str, monkeypatch: pytest.MonkeyPatch) -> None:
    player = await in_thread(somebody)
    game_id = await in_thread(started, [player, await in_thread(somebody)])
    hands = await in_thread(_hands, game_id)
    _break(monkeypatch, rules_play, "act")
    visitor = await in_thread(Player)
    visitor.headers["Authorization"] = f"Bearer {player.token}"
    action = {"type": "give", "to": 1}

    with noted() as lines:
        async with at_game(player, game_id) as (client, _):
            await client.send(type="move", command_id="c1", action=action)
            error = await client.of("error")
        reply = await in_thread(visitor.moves, {"id": game_id}, action)

    assert error["code"] == reply.code == "internal"
    said = _said(lines.by_phase)
    assert "builtins.TypeError" in said  # by the socket
    assert "error=TypeError" in said  # by REST
    for text in (said, json.dumps(error), reply.content.decode()):
        _says_nothing_of(hands, text)


def _hands(game_id: str) -> list[str]:
    loaded = load(game_id)
    assert loaded is not None
    return [repr(hand) for hand in loaded.table.state.hands.values()]


def _break(patch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    """Let a function fail with all that it was given in its message."""

    def fails(*given: Any) -> None:
        raise TypeError(f"not like this: {given!r}")

    patch.setattr(owner, name, fails)


def _said(by_phase: dict[str, list[str]]) -> str:
    return "\n".join(line for lines in by_phase.values() for line in lines)


def _says_nothing_of(hands: list[str], text: str) -> None:
    assert hands
    assert not any(hand in text for hand in hands)
