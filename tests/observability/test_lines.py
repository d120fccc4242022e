"""Lines of one request, socket or task can be found together, and tell nothing that a seat may not know."""

from __future__ import annotations

import io
import json
import logging
import logging.config
import re
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from celery import current_app, signals
from django.conf import settings

from config.logs import logging_config
from config.observability import context
from config.observability.tasks import HEADER, Observed
from games.services.threads import in_thread
from games.store.load import history, load
from tests.api.client import Visitor
from tests.games import Client, Someone, at_game, hub_stopped, somebody, started, unique

LOG = structlog.get_logger(__name__)
NEVER = {"action", "actions", "body", "card", "cards", "data", "events", "hand", "hands", "headers", "seed", "token"}


class Written:
    """What was written at the most talkative level, as JSON lines."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]

    def of(self, event: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["event"] == event]


@pytest.fixture
def written() -> Iterator[Written]:
    found = Written()
    config = logging_config("json", "DEBUG")
    config["handlers"]["console"]["stream"] = found.stream
    logging.config.dictConfig(config)
    yield found
    logging.config.dictConfig(logging_config(settings.REPLI.log_format, settings.REPLI.log_level))


def as_client(player: Someone) -> Visitor:
    visitor = Visitor()
    visitor.headers["Authorization"] = f"Bearer {player.token}"
    return visitor


async def play_on(client: Client, other: Visitor, game_id: str, game: dict[str, Any]) -> list[dict[str, Any]]:
    """Play to the end, one player by socket and the other over REST; the actions."""
    sent: list[dict[str, Any]] = []
    legal = game["legal_actions"]
    while True:
        if legal:
            sent.append(legal[-1])
            await client.send(type="move", command_id=f"c{len(sent)}", action=legal[-1])
        else:
            found = await in_thread(lambda: other.get(f"games/{game_id}/").json)
            if found["legal_actions"]:
                sent.append(found["legal_actions"][-1])
                reply = await in_thread(
                    other.post, f"games/{game_id}/moves/", {"action": sent[-1]}, X_Request_Id=f"r{len(sent)}"
                )
                assert reply.status == 201
        message = await client.of("events")
        legal = message["legal_actions"]
        if message["events"][-1]["type"] == "game_finished":
            return sent


async def test_a_whole_game_at_the_most_talkative_level_tells_no_card_seed_or_token(written: Written) -> None:
    ada, bob = await in_thread(somebody), await in_thread(somebody)
    game_id = await in_thread(lambda: started([ada, bob], rules="gg", options={"lives": 1, "quick": True}))
    try:
        async with at_game(ada, game_id) as (client, welcome):
            sent = await play_on(client, as_client(bob), game_id, welcome["game"])
    finally:
        await hub_stopped()

    loaded = await in_thread(load, game_id)
    records = await in_thread(history, game_id)
    assert loaded is not None
    assert len(written.of("move")) == len(sent) > 4
    assert {line["level"] for line in written.lines} <= {"debug", "info"}
    for secret in (ada.token, bob.token, loaded.seed.hex(), *secrets_of(records)):
        assert secret not in written.text
    assert [line for line in written.lines if NEVER & set(line)] == []
    assert cards_in(written.text) == []
    assert any(cards_in(json.dumps(action)) for action in sent), "a card would be noticed"


def secrets_of(records: Any) -> Iterator[str]:
    """What of the game's own events is random: revealed seeds and commitments come in hex."""
    for record in records:
        yield from re.findall(r"\b[0-9a-f]{32,}\b", repr(record.event))


def cards_in(text: str) -> list[str]:
    return re.findall(r"""["'](?:[2-9TJQKA][CDHS])["']""", text)


def test_a_requests_lines_carry_its_id_the_game_and_who_asked(written: Written) -> None:
    ada, bob = somebody(), somebody()
    game_id = started([ada, bob])
    visitor = as_client(ada)

    card = visitor.get(f"games/{game_id}/").json["state"]["hand"][0]
    reply = visitor.post(
        f"games/{game_id}/moves/", {"action": {"type": "pick", "card": card}}, X_Request_Id="from-the-proxy.1"
    )
    other = visitor.get(f"games/{game_id}/", X_Request_Id="not acceptable: a space")

    assert reply.headers["X-Request-Id"] == "from-the-proxy.1"
    (line,) = written.of("move")
    wanted = {"request_id": "from-the-proxy.1", "game": game_id, "player": ada.id, "seat": 0, "result": "accepted"}
    assert {name: line[name] for name in wanted} == wanted
    assert line["version"] == reply.json["version"]
    *_, answered, last = written.of("request answered")
    assert (answered["request_id"], answered["status"]) == ("from-the-proxy.1", 201)
    assert answered["route"] == "api/v1/games/<uuid:game_id>/moves/"
    assert last["request_id"] == other.headers["X-Request-Id"] != "not acceptable: a space"


async def test_a_sockets_lines_carry_its_id_and_the_commands(written: Written) -> None:
    ada, bob = await in_thread(somebody), await in_thread(somebody)
    game_id = await in_thread(started, [ada, bob])
    odd = f"Odd {ada.token}"[:64]
    try:
        async with at_game(ada, game_id) as (client, welcome):
            action = {"type": "pick", "card": welcome["game"]["state"]["hand"][0]}
            await client.send(type="move", command_id="c-1", action=action)
            await client.of("ack")
            await client.send(type="move", command_id=odd, action=action)
            await client.of("error")
    finally:
        await hub_stopped()

    first, second = written.of("move")
    assert (first["command_id"], first["game"], first["player"]) == ("c-1", game_id, ada.id)
    assert (first["seat"], first["version"]) == (0, welcome["version"] + 1)
    assert first["request_id"] == second["request_id"]
    assert second["command_id"].startswith("sha256:")
    assert odd not in written.text


def test_what_is_learnt_in_a_request_is_forgotten_behind_it(written: Written) -> None:
    with context.joined(request_id="r1"):
        context.learnt(game="g", seat=3)
        LOG.info("inside")
    LOG.info("outside")

    assert {"request_id": "r1", "game": "g", "seat": 3}.items() <= written.of("inside")[0].items()
    assert {"request_id", "game", "seat"} & set(written.of("outside")[0]) == set()


def test_a_line_says_itself_what_it_says() -> None:
    with context.joined(game="g1"):
        assert context.merge(None, "info", {"event": "e", "game": "g2"}) == {"event": "e", "game": "g2"}


def test_a_task_belongs_to_the_request_that_asked_for_it(written: Written) -> None:
    name = unique("tests.tells")

    @current_app.task(name=name, base=Observed)
    def tells() -> None:
        LOG.info("told by a task")

    headers: dict[str, Any] = {}
    with context.joined(request_id="r-7"):
        signals.before_task_publish.send(sender=name, headers=headers)
    tells.apply(headers=headers)
    tells.apply()

    first, second = written.of("told by a task")
    assert headers == {HEADER: "r-7"}
    assert (first["task"], first["request_id"]) == (name, "r-7")
    assert "request_id" not in second
    current_app.tasks.unregister(name)
