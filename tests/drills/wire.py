"""Requests as an ordinary client sends them: insisting where an answer may have been lost.

Invariant: a request that was begun is ended, also when nobody waits for it any longer. Cancelling one while it
connects would leave its socket open: httpx only knows of connections that are complete.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Self
from uuid import uuid4

import httpx

from tests.drills.journal import Journal

PATIENCE = 60.0  # seconds that a client insists on one request
ONE_ANSWER = 15.0  # seconds until an answer counts as lost


@dataclass(frozen=True, kw_only=True)
class Account:
    """A guest."""

    id: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A running table; `players` on the first seats."""

    id: str
    players: Sequence[Account]


class Wire:
    """The service's web processes, asked at random."""

    def __init__(self, urls: Sequence[str], journal: Journal, dice: random.Random) -> None:
        self.urls = list(urls)
        self.journal = journal
        self.dice = dice
        limits = httpx.Limits(max_connections=200, max_keepalive_connections=100)
        self.http = httpx.AsyncClient(timeout=ONE_ANSWER, limits=limits)
        self._begun: set[asyncio.Task[httpx.Response]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await asyncio.gather(*self._begun, return_exceptions=True)
        await self.http.aclose()

    def url(self) -> str:
        return self.dice.choice(self.urls)

    async def once(
        self, method: str, path: str, account: Account | None, body: Any = None, key: str | None = None
    ) -> httpx.Response | None:
        """One request to one process; None if no answer came, or one that is neither a success nor a problem."""
        headers = dict(account.headers) if account else {}
        if key is not None:
            headers["Idempotency-Key"] = key
        try:
            answer = await self._ended(self.http.request(method, self.url() + path, json=body, headers=headers))
        except httpx.TransportError as error:
            self.journal.answers[f"REST {type(error).__name__}"] += 1
            return None
        if (code := _code(answer)) is None:
            self.journal.answers[f"REST {answer.status_code} in other words"] += 1
            self.journal.promise(f"{method} {path} answered {answer.status_code}, no problem: {answer.text[:200]!r}")
            return None
        self.journal.answer("REST", answer.status_code, code, retry_after="retry-after" in answer.headers)
        return answer

    async def _ended(self, request: Coroutine[Any, Any, httpx.Response]) -> httpx.Response:
        """The answer; the request goes on to its end if the caller is cancelled."""
        task = asyncio.create_task(request)
        self._begun.add(task)
        task.add_done_callback(self._end)
        return await asyncio.shield(task)

    def _end(self, task: asyncio.Task[httpx.Response]) -> None:
        self._begun.discard(task)
        if not task.cancelled():
            task.exception()  # asked for by the caller, if there still is one

    async def insist(self, method: str, path: str, account: Account | None = None, body: Any = None) -> httpx.Response:
        """The answer to a request that is repeated, with one key, until there is one."""
        key = str(uuid4()) if method == "POST" and account else None
        async with asyncio.timeout(PATIENCE):
            while True:
                answer = await self.once(method, path, account, body, key)
                if answer is not None and answer.status_code < 500:
                    return answer
                await asyncio.sleep(0.1 + self.dice.random() * 0.3)

    async def guest(self) -> Account:
        found = (await self.insist("POST", "/api/v1/accounts/guest/")).json()
        return Account(id=found["player"]["id"], token=found["token"])

    async def registered(self) -> Account:
        """A full account, for ranked games."""
        body = {"username": f"r{uuid4().hex[:16]}", "password": f"pass-{uuid4().hex}"}
        found = (await self.insist("POST", "/api/v1/accounts/register/", None, body)).json()
        return Account(id=found["player"]["id"], token=found["token"])

    async def opened(self, players: int, seats: int, *, rules: str = "gg", **options: Any) -> Opened:
        """A running game with guests on the first seats and bots on the others."""
        accounts = [await self.guest() for _ in range(players)]
        bots = [{"seat": seat, "level": "easy"} for seat in range(players, seats)]
        table = {"rules": rules, "seats": seats, "options": options, "visibility": "public", "bots": bots}
        made = _good(await self.insist("POST", "/api/v1/games/", accounts[0], table))
        path = f"/api/v1/games/{made['id']}"
        for account in accounts[1:]:
            _good(await self.insist("POST", f"{path}/seats/", account, {}))
        _good(await self.insist("POST", f"{path}/start/", accounts[0]))
        return Opened(id=made["id"], players=accounts)

    async def game(self, game_id: str, account: Account) -> dict[str, Any]:
        """The game as this player sees it."""
        return _good(await self.insist("GET", f"/api/v1/games/{game_id}/", account))

    async def events(self, game_id: str, account: Account) -> list[dict[str, Any]]:
        """The whole stream as this player sees it."""
        found: list[dict[str, Any]] = []
        while True:
            path = f"/api/v1/games/{game_id}/events/?after={len(found)}&limit=200"
            page = _good(await self.insist("GET", path, account))
            found += page["results"]
            if not page["next"]:
                return found


def _code(answer: httpx.Response) -> str | None:
    """The code of a refusal, empty for an answer that is none; None for a refusal without one."""
    if answer.is_success:
        return ""
    try:
        problem = answer.json()
    except ValueError:
        return None
    return str(problem["code"]) if isinstance(problem, dict) and "code" in problem else None


def _good(answer: httpx.Response) -> dict[str, Any]:
    assert answer.is_success, f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text}"
    found: dict[str, Any] = answer.json()
    return found
