"""Leaderboards, a player's ratings, and their history (api.md, Matchmaking and rankings)."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import caller
from accounts.models import Player
from config.wire import typed
from config.wire.faults import invalid
from config.wire.pages import PageQuery, envelope, page, page_of
from config.wire.problems import Problem
from games.api.describing import described
from games.api.requests import Unasked
from games.rules.registry import ruleset
from rankings.ratings import board
from rankings.ratings.board import Key, Row
from rankings.ratings.documents import LeaderboardRow, PlayerRating, RatedGame, line, rated_game, rating
from rankings.ratings.models import RatingChange

TAG = "rankings"


class LeaderboardQuery(PageQuery, frozen=True, kw_only=True):
    around: Annotated[Literal["me"] | None, Meta(description="`me`: the page with the caller in its middle")] = None


class Cursor(msgspec.Struct, frozen=True, array_like=True):
    """Where a page begins, and which way it goes: a row's own place, so that no row is skipped or shown twice."""

    upward: bool
    shown: Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
    player_id: UUID


class Leaderboard(APIView):
    @described(
        "rankings_retrieve",
        page_of(LeaderboardRow),
        query=LeaderboardQuery,
        path=("rules",),
        tag=TAG,
        refuses=["not-found"],
    )
    def get(self, request: Request, rules: str) -> Response:
        """Everybody with a rating in this ruleset, the best first; equals share a rank.

        `around=me` is empty for a caller without a rating.
        """
        asked = typed.query(request, LeaderboardQuery)
        _existing(rules)
        return _shown(request, rules, _page(request, rules, asked))


class Ratings(APIView):
    @described("player_ratings", page_of(PlayerRating), path=("player_id",), tag=TAG, refuses=["not-found"])
    def get(self, request: Request, player_id: UUID) -> Response:
        """A player's rating in each ruleset in which they have one."""
        typed.query(request, Unasked)
        _known(player_id)
        return envelope([rating(row) for row in board.own(str(player_id))], None, None)


class History(APIView):
    @described(
        "player_rating_history",
        page_of(RatedGame),
        query=PageQuery,
        path=("player_id", "rules"),
        tag=TAG,
        refuses=["not-found"],
    )
    def get(self, request: Request, player_id: UUID, rules: str) -> Response:
        """One row per rated game, the latest first."""
        asked = typed.query(request, PageQuery)
        _existing(rules)
        _known(player_id)
        rows = RatingChange.objects.filter(player_id=player_id, rules=rules)
        return page(request, rows, rated_game, asked=asked, ordering=("-sequence",))


def _page(request: Request, rules: str, asked: LeaderboardQuery) -> list[Row]:
    if asked.around is not None:
        if asked.cursor is not None:
            raise invalid(around="value")
        return board.around(rules, str(caller(request).player_id), asked.limit)
    if asked.cursor is None:
        return board.below(rules, None, asked.limit)
    cursor = _decoded(asked.cursor)
    turn = board.above if cursor.upward else board.below
    return turn(rules, (cursor.shown, str(cursor.player_id)), asked.limit)


def _shown(request: Request, rules: str, rows: list[Row]) -> Response:
    following = previous = None
    if rows:
        top, bottom = rows[0].key, rows[-1].key
        following = _link(request, bottom, upward=False) if board.has_more(rules, bottom, upward=False) else None
        previous = _link(request, top, upward=True) if board.has_more(rules, top, upward=True) else None
    return envelope([line(row) for row in rows], following, previous)


def _link(request: Request, key: Key, *, upward: bool) -> str:
    query = request.query_params.copy()
    query.pop("around", None)
    cursor = Cursor(upward=upward, shown=key[0], player_id=UUID(key[1]))
    query["cursor"] = urlsafe_b64encode(msgspec.json.encode(cursor)).decode().rstrip("=")
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")


def _decoded(cursor: str) -> Cursor:
    try:
        return msgspec.json.decode(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)), type=Cursor)
    except (ValueError, msgspec.MsgspecError):
        raise invalid(cursor="cursor") from None


def _existing(rules: str) -> None:
    try:
        ruleset(rules)
    except KeyError:
        raise Problem("not-found") from None


def _known(player_id: UUID) -> None:
    if not Player.objects.filter(id=player_id).exists():
        raise Problem("not-found")
