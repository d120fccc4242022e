"""The past of a game: its events and states as the caller saw them, and, once it is over, everything.

Invariant: without a token only what is over and public is shown; anything else asks for a token first, whether or
not there is such a game.
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.http import HttpResponse
from msgspec import UNSET
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from config.wire import typed
from config.wire.languages import language_of
from config.wire.pages import envelope, page_of
from config.wire.problems import Problem
from games.api.asking import GameView, caller, known, reply, shown
from games.api.describing import described
from games.api.requests import CodeQuery, EventsQuery, EyesQuery, ReplayQuery, StateQuery, StatesQuery
from games.services import eyes, replays, watch
from games.services.command import Caller
from games.services.documents import (
    EventDocument,
    FairnessDocument,
    MovesDocument,
    ReplayDocument,
    StateDocument,
    StatesDocument,
)


class Events(GameView):
    @described("games_events", page_of(EventDocument), query=EventsQuery, refuses=["not-found"])
    def get(self, request: Request, game_id: UUID) -> Response:
        """The stream after a version, as the caller may see it: redacted, also after the end."""
        asked = typed.query(request, EventsQuery)
        events, version = watch.events(str(game_id), known(request, asked.code), asked.after, asked.limit)
        last = asked.after + len(events)
        following = _page(request, last) if events and last < version else None
        previous = _page(request, max(0, asked.after - asked.limit)) if asked.after > 0 else None
        return envelope(list(events), following, previous)


def _page(request: Request, after: int) -> str:
    query = request.query_params.copy()
    query["after"] = str(after)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")


class State(GameView):
    @described("games_state", StateDocument, query=StateQuery, refuses=["not-found"])
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """The caller's own view as of a version, the present one if none is named."""
        asked = typed.query(request, StateQuery)
        document = watch.state_at(str(game_id), known(request, asked.code), asked.at)
        return shown(document)


class Replay(GameView):
    permission_classes = (AllowAny,)

    @described(
        "games_replay",
        ReplayDocument,
        query=ReplayQuery,
        refuses=["not-found", "game-state"],
        public=True,
        text=True,
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """A game that is over, with everything unhidden, or in words. Public ones need no token."""
        asked = typed.query(request, ReplayQuery)
        return opened(request, asked.code, lambda who: _replay(request, str(game_id), who, asked.format))


def opened(request: Request, code: str | None, show: Callable[[Caller], HttpResponse]) -> HttpResponse:
    """What is open once a game is over: to everybody if it is public, else to those who may know of it."""
    if request.auth is not None:
        return show(known(request, code))
    try:
        return show(Caller())
    except Problem as refusal:
        if refusal.code == "validation":
            raise
        raise Problem("unauthenticated") from refusal


def _replay(request: Request, game_id: str, who: Caller, form: str) -> HttpResponse:
    if form == "json":
        return shown(replays.replay(game_id, who))
    language = language_of(request)
    response = reply(replays.text(game_id, who, language).encode(), 200, None)
    response["Content-Type"] = "text/plain; charset=utf-8"
    response["Content-Language"] = language
    return response


class ReplayMoves(GameView):
    permission_classes = (AllowAny,)

    @described("games_replay_moves", MovesDocument, query=EyesQuery, refuses=["not-found", "game-state"], public=True)
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """A game that is over, move by move in words, as a seat (`eyes=2`), a `spectator` or `open` hands show it."""
        asked, language = typed.query(request, EyesQuery), language_of(request)
        return opened(request, asked.code, lambda who: shown(eyes.moves(str(game_id), who, asked.eyes, language)))


class ReplayStates(GameView):
    permission_classes = (AllowAny,)

    @described(
        "games_replay_states", StatesDocument, query=StatesQuery, refuses=["not-found", "game-state"], public=True
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """What those eyes saw after each move of a game that is over; with `open`, all hands."""
        asked = typed.query(request, StatesQuery)
        return opened(
            request,
            asked.code,
            lambda who: shown(eyes.states(str(game_id), who, asked.eyes, asked.at, asked.limit)),
        )


class Fairness(GameView):
    permission_classes = (AllowAny,)

    @described("games_fairness", FairnessDocument, query=CodeQuery, refuses=["not-found"], public=True)
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """All that is needed to check the deals; the seed only once the game is over."""
        if request.auth is not None:
            return shown(watch.fairness(str(game_id), caller(request)))
        typed.query(request, CodeQuery)
        try:
            document = watch.fairness(str(game_id), Caller())
        except Problem as refusal:
            raise Problem("unauthenticated") from refusal
        if document.seed is UNSET:
            raise Problem("unauthenticated")
        return shown(document)
