"""The road for moves answers as the view does: the same requests to both, compared in status, body and headers."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
import pytest_asyncio
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.db import connections

from accounts.models import Token
from accounts.tokens import of_player
from config.wire import gathered, limits
from config.wire.uploads import limited
from games.api.road import moves_by_road
from games.services import tables
from games.services.threads import in_thread
from games.store.load import load
from tests.games import Someone, database_away, hub_stopped, moved, opened, somebody, started

VIEW = limited(get_asgi_application(), settings.MAX_BODY_BYTES)


class Untaken(Exception):
    """A request that left the road."""


async def nowhere(_scope: Any, _receive: Any, _send: Any) -> None:
    raise Untaken


ROAD, ROAD_ALONE = moves_by_road(VIEW), moves_by_road(nowhere)


class Got(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Asking(NamedTuple):
    """A request to a game's moves."""

    who: Someone | None
    body: Any = None
    method: str = "POST"
    query: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    content_type: str | None = "application/json"
    token: str | None = None
    game_id: str | None = None


async def ask(application: Any, game_id: str, asking: Asking) -> Got:
    content = asking.body if isinstance(asking.body, bytes) else json.dumps(asking.body).encode()
    token = asking.token or (asking.who.token if asking.who else None)
    given = [("host", "localhost"), ("x-request-id", "test"), ("content-length", str(len(content)))]
    given += [("authorization", f"Bearer {token}")] if token else []
    given += [("content-type", asking.content_type)] if asking.content_type else []
    own = {name for name, _ in asking.headers}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": asking.method,
        "scheme": "http",
        "path": f"/api/v1/games/{asking.game_id or game_id}/moves/",
        "root_path": "",
        "query_string": asking.query.encode(),
        "headers": [
            (name.encode(), value.encode())
            for name, value in [*[pair for pair in given if pair[0] not in own], *asking.headers]
        ],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    communicator: Any = ApplicationCommunicator
    inner = communicator(application, scope)
    for begin in range(0, len(content) or 1, 20_000):
        part = content[begin : begin + 20_000]
        more = begin + 20_000 < len(content)
        await inner.send_input({"type": "http.request", "body": part, "more_body": more})
    start = await inner.receive_output(timeout=10)
    body = b""
    while True:
        message = await inner.receive_output(timeout=10)
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    await inner.wait(timeout=10)
    headers: dict[str, str] = {}
    for name, value in start["headers"]:
        key = name.decode().lower()
        assert key not in headers, f"{key} twice"
        headers[key] = value.decode()
    if "vary" in headers:
        headers["vary"] = ", ".join(sorted(word.strip().lower() for word in headers["vary"].split(",")))
    return Got(start["status"], headers, body)


@pytest_asyncio.fixture(autouse=True)
async def _nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)  # the view's threads end with its requests
    yield
    await hub_stopped()
    await gathered.stop()


class Table(NamedTuple):
    ada: Someone
    bob: Someone
    game_id: str
    pick: dict[str, Any]  # a legal action of Ada's


def table(**more: Any) -> Table:
    ada, bob = somebody("Ada"), somebody("Bob")
    game_id = started([ada, bob], **more)
    loaded = load(game_id)
    assert loaded is not None
    return Table(ada, bob, game_id, {"type": "pick", "card": str(loaded.table.state.hands[0][0])})


def without_id(got: Got) -> dict[str, Any]:
    return {name: value for name, value in got.json.items() if name != "request_id"}


def same(one: Got, other: Got, *, but: tuple[str, ...] = ()) -> None:
    assert one.status == other.status, (one, other)
    assert {k: v for k, v in one.headers.items() if k not in but} == {
        k: v for k, v in other.headers.items() if k not in but
    }


def refusals(at: Table, stranger: Someone, private: str, over: str, waiting: str) -> dict[str, Asking]:
    """Requests that change nothing, so that both may be asked in turn."""
    good, where = {"action": at.pick}, at.game_id
    french = (("accept-language", "fr-FR,fr;q=0.9,en;q=0.1"),)
    return {
        "a stale version": Asking(at.ada, {**good, "expected_version": 1}),
        "a stale version, in French": Asking(at.ada, {**good, "expected_version": 1}, headers=french),
        "If-Match": Asking(at.ada, good, headers=(("if-match", '"1"'),)),
        "If-Match that is none": Asking(at.ada, good, headers=(("if-match", "one"),)),
        "If-Match against the body": Asking(at.ada, {**good, "expected_version": 1}, headers=(("if-match", '"2"'),)),
        "an illegal move": Asking(at.ada, {"action": {"type": "draw"}}),
        "an illegal move, in French": Asking(at.ada, {"action": {"type": "draw"}}, headers=french),
        "an unknown action": Asking(at.ada, {"action": {"type": "fly"}}),
        "an unknown card": Asking(at.ada, {"action": {"type": "pick", "card": "XX"}}),
        "nobody's seat": Asking(stranger, good),
        "no such game": Asking(at.ada, good, game_id=str(uuid4())),
        "no id": Asking(at.ada, good, game_id="nonsense"),
        "a private game": Asking(stranger, good, game_id=private),
        "a private game, a wrong code": Asking(stranger, good, query="code=AAAAAA", game_id=private),
        "a game that is over": Asking(at.ada, good, game_id=over),
        "a game that waits": Asking(at.ada, good, game_id=waiting),
        "an unknown query": Asking(at.ada, good, query="x=1"),
        "a code twice": Asking(at.ada, good, query="code=A&code=B"),
        "no JSON": Asking(at.ada, b"{not json"),
        "no object": Asking(at.ada, b"[]"),
        "nothing": Asking(at.ada, b""),
        "a member too many": Asking(at.ada, {**good, "x": 1}),
        "a member twice": Asking(at.ada, b'{"action":{"type":"draw"},"action":{"type":"draw"}}'),
        "a member of another type": Asking(at.ada, {"action": 7}),
        "NUL": Asking(at.ada, {"action": {"type": "\0"}}),
        "half a character": Asking(at.ada, b'{"action":{"type":"\\ud800"}}'),
        "nested deeply": Asking(at.ada, b'{"action":' + b'{"a":' * 20 + b"1" + b"}" * 21),
        "another media type": Asking(at.ada, good, content_type="text/plain"),
        "no media type": Asking(at.ada, good, content_type=None),
        "too much": Asking(at.ada, b'{"action":{"type":"' + b"x" * 70_000 + b'"}}'),
        "too much, not declared": Asking(
            at.ada, b'{"action":{"type":"' + b"x" * 70_000 + b'"}}', headers=(("content-length", "10"),)
        ),
        "no token": Asking(None, good),
        "a wrong token": Asking(None, good, token="repli_wrong"),
        "another scheme": Asking(None, good, headers=(("authorization", "Basic eDp5"),)),
        "another method": Asking(at.ada, good, method="PUT"),
        "GET": Asking(at.ada, good, method="GET"),
        "OPTIONS": Asking(at.ada, good, method="OPTIONS"),
        "an unknown host": Asking(at.ada, good, headers=(("host", "evil.test"),)),
        "a foreign origin": Asking(at.ada, {**good, "expected_version": 1}, headers=(("origin", "https://evil.test"),)),
        "our own origin": Asking(at.ada, {**good, "expected_version": 1}, headers=(("origin", "http://localhost"),)),
        "a key that is too long": Asking(at.ada, good, headers=(("idempotency-key", "x" * 65),)),
        "an empty key": Asking(at.ada, good, headers=(("idempotency-key", ""),)),
        "a refusal with a key": Asking(
            at.ada, {"action": {"type": "draw"}}, headers=(("idempotency-key", f"k{where}"),)
        ),
    }


def _over(at: Table) -> str:
    from tests.ws.test_game_socket import play_to_the_end

    game_id = started([at.ada, at.bob])
    play_to_the_end(at.ada, at.bob, game_id)
    return game_id


async def test_every_refusal_is_the_views_in_status_body_and_headers() -> None:
    at, stranger = await in_thread(table), await in_thread(somebody, "Eve")
    private = await in_thread(started, [at.ada, at.bob], visibility="private")
    over, waiting = await in_thread(_over, at), await in_thread(opened, [at.ada], seats=2)

    for name, asking in refusals(at, stranger, private, over, waiting).items():
        view, road = await ask(VIEW, at.game_id, asking), await ask(ROAD, at.game_id, asking)
        early = name.startswith("too much")  # refused while the body still arrives, under a new id
        same(road, view, but=("x-request-id",) if early else ())
        assert (name, without_id(road)) == (name, without_id(view)) if early else road.body == view.body, name
        assert view.status >= 400 or asking.method == "OPTIONS", name


TAKEN = (
    "a stale version", "a stale version, in French", "If-Match", "an illegal move", "an illegal move, in French",
    "an unknown action", "an unknown card", "nobody's seat", "no such game", "a private game",
    "a private game, a wrong code", "a game that is over", "a game that waits", "our own origin",
    "a refusal with a key",
)  # fmt: skip


async def test_refusals_that_play_brings_about_stay_on_the_road() -> None:
    at, stranger = await in_thread(table), await in_thread(somebody, "Eve")
    private = await in_thread(started, [at.ada, at.bob], visibility="private")
    over, waiting = await in_thread(_over, at), await in_thread(opened, [at.ada], seats=2)
    asked = refusals(at, stranger, private, over, waiting)

    for name in TAKEN:
        assert (await ask(ROAD_ALONE, at.game_id, asked[name])).status in {400, 403, 404, 409, 422}, name


@pytest.mark.parametrize("language", ["", "en", "fr", "de", "fr-CA;q=0.8, de"])
async def test_a_move_is_answered_as_by_the_view(language: str) -> None:
    at, other = await in_thread(table), await in_thread(table)
    more = (("accept-language", language), ("idempotency-key", "once")) if language else ()

    view = await ask(VIEW, other.game_id, Asking(other.ada, {"action": other.pick}, headers=more))
    road = await ask(ROAD_ALONE, at.game_id, Asking(at.ada, {"action": at.pick}, headers=more))

    same(road, view)
    assert view.status == 201
    loaded = await in_thread(load, at.game_id)
    assert loaded is not None
    assert road.json["receipt"] == loaded.head.hex()
    assert road.headers["etag"] == f'"{loaded.version}"'
    assert [event["type"] for event in road.json["events"]] == [event["type"] for event in view.json["events"]]


async def test_a_code_opens_a_private_game_to_its_seats_alone() -> None:
    at = await in_thread(table, visibility="private")
    loaded = await in_thread(load, at.game_id)
    assert loaded is not None
    stranger = await in_thread(somebody)
    asking = Asking(stranger, {"action": at.pick}, query=f"code={loaded.code.lower()}")

    view, road = await ask(VIEW, at.game_id, asking), await ask(ROAD_ALONE, at.game_id, asking)

    same(road, view)
    assert (road.status, road.json["code"]) == (403, "forbidden")
    assert road.body == view.body


async def test_repeats_are_answered_byte_for_byte_on_either_way() -> None:
    at = await in_thread(table)
    asking = Asking(at.ada, {"action": at.pick}, headers=(("idempotency-key", "once"),))
    first = await ask(ROAD_ALONE, at.game_id, asking)
    loaded = await in_thread(load, at.game_id)
    assert loaded is not None
    await in_thread(moved, at.bob, at.game_id, {"type": "pick", "card": str(loaded.table.state.hands[1][0])})

    again = [await ask(application, at.game_id, asking) for application in (ROAD_ALONE, VIEW)]
    other = Asking(at.ada, {"action": {"type": "draw"}}, headers=asking.headers)
    mismatches = [await ask(application, at.game_id, other) for application in (ROAD_ALONE, VIEW)]
    malformed = [await ask(application, at.game_id, asking._replace(body=b"{not json")) for application in (ROAD, VIEW)]

    assert first.status == 201
    for got in again:
        same(got, first)
        assert got.body == first.body
    assert [got.json["code"] for got in mismatches + malformed] == ["idempotency-mismatch"] * 4
    same(*mismatches)
    same(*malformed)


async def test_a_key_is_the_same_on_the_road_as_on_the_view() -> None:
    at = await in_thread(table)
    key = (("idempotency-key", "à 💥"),)
    view = await ask(VIEW, at.game_id, Asking(at.ada, {"action": at.pick}, headers=key))

    road = await ask(ROAD_ALONE, at.game_id, Asking(at.ada, {"action": at.pick, "expected_version": None}, headers=key))

    assert (view.status, view.body) == (road.status, road.body)


async def test_an_expired_or_revoked_token_is_refused_at_once() -> None:
    at = await in_thread(table)
    stale = Asking(at.ada, {"action": at.pick, "expected_version": 1})
    assert (await ask(ROAD_ALONE, at.game_id, stale)).status == 409
    token = await in_thread(lambda: of_player(at.ada.uuid).get())
    expired = await in_thread(somebody)
    await in_thread(lambda: Token.objects.filter(player_id=expired.id).update(expires_at="2020-01-01T00:00:00Z"))

    from accounts import tokens

    await in_thread(lambda: tokens.revoke(Token.objects.filter(id=token.id)))

    for asking in (stale, stale._replace(who=expired)):
        view, road = await ask(VIEW, at.game_id, asking), await ask(ROAD, at.game_id, asking)
        same(road, view)
        assert (road.status, road.body) == (401, view.body)


async def test_a_token_that_cannot_be_looked_up_now_is_told_so_with_the_time_to_wait() -> None:
    at = await in_thread(table)

    with database_away():
        got = await ask(ROAD, at.game_id, Asking(at.ada, {"action": at.pick}))

    assert (got.status, got.json["code"]) == (503, "unavailable")
    assert int(got.headers["retry-after"]) >= 1


async def test_limits_are_counted_together_with_the_views(settings: Any) -> None:
    settings.REPLI = settings.REPLI.model_copy(update={"throttle_write": "4/minute", "throttle": True})
    limits.limit_of.cache_clear()
    at = await in_thread(table)
    stale = Asking(at.ada, {"action": at.pick, "expected_version": 1})
    try:
        answers = [await ask(way, at.game_id, stale) for way in (ROAD_ALONE, VIEW, ROAD_ALONE, VIEW, ROAD_ALONE, VIEW)]
    finally:
        limits.limit_of.cache_clear()

    assert [got.status for got in answers] == [409] * 4 + [429] * 2
    same(answers[4], answers[5], but=("retry-after",))
    for got in answers[4:]:
        assert 1 <= int(got.headers["retry-after"]) <= 60
        assert got.json["retry_after"] == int(got.headers["retry-after"])


async def test_limits_are_counted_where_the_views_counts_are_also_in_a_store_of_their_own(settings: Any) -> None:
    apart = urlsplit(settings.REPLI.redis)._replace(path="/7").geturl()
    settings.REPLI = settings.REPLI.model_copy(update={"throttle_write": "2/minute", "throttle": True, "cache": apart})
    limits.limit_of.cache_clear()
    limits.limiter.cache_clear()
    await gathered.stop()
    at = await in_thread(table)
    stale = Asking(at.ada, {"action": at.pick, "expected_version": 1})
    try:
        answers = [await ask(way, at.game_id, stale) for way in (ROAD_ALONE, VIEW, ROAD_ALONE, VIEW)]
    finally:
        limits.limit_of.cache_clear()
        limits.limiter.cache_clear()

    assert [got.status for got in answers] == [409] * 2 + [429] * 2


@pytest.mark.parametrize("name", ["accept-language", "host", "origin"])
async def test_a_header_that_would_be_kept_at_any_length_leaves_the_road(name: str) -> None:
    at = await in_thread(table)
    stale = Asking(at.ada, {"action": at.pick, "expected_version": 1}, headers=((name, "fr," * 1000),))

    with pytest.raises(Untaken):
        await ask(ROAD_ALONE, at.game_id, stale)
    same(await ask(ROAD, at.game_id, stale), await ask(VIEW, at.game_id, stale))


async def test_a_seat_in_a_bots_hands_is_refused_as_by_the_view() -> None:
    at = await in_thread(table)
    await in_thread(tables.leave, at.ada.caller, at.game_id)
    asking = Asking(at.ada, {"action": at.pick})

    road, view = await ask(ROAD_ALONE, at.game_id, asking), await ask(VIEW, at.game_id, asking)

    same(road, view)
    assert road.body == view.body
    assert road.json["code"] == "game-state"
