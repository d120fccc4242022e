"""Players as HTTP clients, in process: real requests through Django's whole stack, real tokens, the real database."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from django.db import connections
from django.test import Client

from accounts import tokens
from accounts.models import Player as Account
from games.rules.registry import ruleset
from games.services.clock import look_after

Result = TypeVar("Result")

API = "/api/v1"


class Reply:
    """What came back."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status_code
        self.content: bytes = response.content
        self.headers = response.headers

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def code(self) -> str | None:
        """A problem's code; None if this is none. A problem always has its own media type."""
        if self.status < 400:
            return None
        assert self.headers["Content-Type"] == "application/problem+json", self.content
        assert self.json["status"] == self.status
        return str(self.json["code"])

    def ok(self, status: int = 200) -> Any:
        """The JSON of a success."""
        assert self.status == status, self.content
        return self.json if self.content else None


class Visitor:
    """Somebody without a token."""

    def __init__(self, language: str | None = None) -> None:
        self.headers: dict[str, str] = {"Accept-Language": language} if language else {}
        self.http = Client(raise_request_exception=False)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """Send a request; `body` is JSON, or bytes as they are. Header names come with underscores."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        kind = named.pop("Content-Type", "application/json")
        where = path if path.startswith(("/", "http")) else f"{API}/{path}"
        return Reply(self.http.generic(method, where, content, content_type=kind, headers={**self.headers, **named}))

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Reply:
        return self.ask("POST", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Reply:
        return self.ask("PUT", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Reply:
        return self.ask("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Reply:
        return self.ask("DELETE", path, **headers)


class Player(Visitor):
    """A guest with a token."""

    def __init__(self, name: str = "Guest", language: str | None = None) -> None:
        super().__init__(language)
        account = Account.objects.create(display_name=name, is_guest=True)
        self.id, self.name = str(account.id), name
        self.headers["Authorization"] = f"Bearer {tokens.issue(account, 'tests').token}"

    # --- tables -------------------------------------------------------------------------------------------------

    def opens(self, rules: str = "tiny", seats: int = 2, visibility: str = "public", **more: Any) -> Any:
        """A new table's document."""
        return self.post("games/", {"rules": rules, "seats": seats, "visibility": visibility, **more}).ok(201)

    def sees(self, game: Any) -> Any:
        return self.get(f"games/{game['id']}/").ok()

    def joins(self, game: Any, **body: Any) -> Any:
        return self.post(f"games/{game['id']}/seats/", body).ok(201)

    def starts(self, game: Any) -> Any:
        return self.post(f"games/{game['id']}/start/").ok()

    def moves(self, game: Any, action: Any, **more: Any) -> Reply:
        return self.post(f"games/{game['id']}/moves/", {"action": action, **more})


def table(*, rules: str = "tiny", visibility: str = "public", others: int = 1, **more: Any) -> tuple[Any, list[Player]]:
    """A running game and its players by seat."""
    players = [Player(f"Player {seat}") for seat in range(others + 1)]
    game = players[0].opens(rules, others + 1, visibility, **more)
    for player in players[1:]:
        player.joins(game, code=players[0].sees(game)["code"])
    return players[0].starts(game), players


def plays_on(game: Any, players: Sequence[Player], seed: int = 7) -> Any:
    """Let players take legal actions until the game is over, as the documents alone tell them; the last document."""
    whim, seat = random.Random(seed), 0
    for _ in range(10_000):
        seen = players[seat].sees(game)
        if seen["status"] != "playing":
            return seen
        if seat not in seen["to_act"]:
            seat = seen["to_act"][0]
            continue
        players[seat].moves(game, some(seen["legal_actions"], whim), expected_version=seen["version"]).ok(201)
        seat = (seat + 1) % len(players)  # a guess, which spares a look more often than not
    raise AssertionError("the game does not end")


def played_with_bots(rules: str, seats: int | None = None, seed: int = 7) -> tuple[Any, list[Player]]:
    """A finished game of one player against bots, whose moves are made as a worker makes them; and the player."""
    host, count, whim = Player(), seats or ruleset(rules).min_seats, random.Random(seed)
    bots = [{"seat": seat, "level": "easy"} for seat in range(1, count)]
    game = host.starts(host.opens(rules, count, bots=bots, options=SHORT.get(rules, {})))
    for _ in range(10_000):
        look_after(game["id"])
        seen = host.sees(game)
        if seen["status"] != "playing":
            return seen, [host]
        if 0 in seen["to_act"]:
            host.moves(game, some(seen["legal_actions"], whim)).ok(201)
    raise AssertionError("the game does not end")


@cache
def finished(rules: str) -> tuple[Any, list[Player]]:
    """A whole game of the fewest seats, played once a run, and its players."""
    game, players = table(rules=rules, others=ruleset(rules).min_seats - 1, options=SHORT.get(rules, {}))
    return plays_on(game, players), players


SHORT: dict[str, dict[str, Any]] = {"gg": {"lives": 1, "quick": True}}
"""Options that make games of a ruleset short."""


def some(legal_actions: Sequence[Any], whim: random.Random) -> Any:
    """One of them, ready to be sent; gifts out of turn are left aside, they move no turn on."""
    action = whim.choice([action for action in legal_actions if action["type"] != "give"])
    if action.get("card") == "JK" and "as" not in action:  # the one entry that must be completed (details.md)
        return {**action, "as": "2C"}
    return action


def at_once(number: int, act: Callable[[int], Result]) -> list[Result]:
    """`act` on so many threads at the same time, each with a database connection of its own."""

    def run(place: int) -> Result:
        try:
            return act(place)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(run, range(number)))
