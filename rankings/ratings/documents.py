"""What clients receive about ratings, as types (api.md, Matchmaking and rankings). Members may be added only."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from games.rules.moments import rfc3339
from games.services.documents import Instant
from rankings.ratings.board import Row
from rankings.ratings.models import RatingChange
from rankings.ratings.scale import deviation, provisional, shown

Rating = Annotated[int, Meta(description="on the Elo scale; 1500 to start", examples=[1612])]
Deviation = Annotated[int, Meta(description="how far off the rating may be: one standard deviation")]
Provisional = Annotated[bool, Meta(description="whether the deviation is still large")]
Wins = Annotated[int, Meta(description="games ended in the first place, shared ones included")]
Rank = Annotated[int, Meta(ge=1, description="1 + the number of players with a higher rating; equals share one")]


class RankedPlayer(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    display_name: str


class LeaderboardRow(msgspec.Struct, frozen=True, kw_only=True):
    """A player's line on a ruleset's leaderboard."""

    rank: Rank
    player: RankedPlayer
    rating: Rating
    deviation: Deviation
    provisional: Provisional
    games: int
    wins: Wins


class PlayerRating(msgspec.Struct, frozen=True, kw_only=True):
    """A player's rating in one ruleset."""

    rules: str
    rank: Rank
    rating: Rating
    deviation: Deviation
    provisional: Provisional
    games: int
    wins: Wins


class RatedGame(msgspec.Struct, frozen=True, kw_only=True):
    """What one game did to a rating. `place` is the rated one: a seat in a bot's hands at the end counts as last."""

    game_id: UUID
    at: Instant
    before: Rating
    after: Rating
    place: Annotated[int, Meta(ge=1)]
    seats: Annotated[int, Meta(ge=2)]


def line(row: Row) -> LeaderboardRow:
    return LeaderboardRow(
        rank=row.rank,
        player=RankedPlayer(id=UUID(row.player_id), display_name=row.display_name or ""),
        rating=row.shown,
        deviation=deviation(row.sigma),
        provisional=provisional(row.sigma),
        games=row.games,
        wins=row.wins,
    )


def rating(row: Row) -> PlayerRating:
    return PlayerRating(
        rules=row.rules,
        rank=row.rank,
        rating=row.shown,
        deviation=deviation(row.sigma),
        provisional=provisional(row.sigma),
        games=row.games,
        wins=row.wins,
    )


def rated_game(change: RatingChange) -> RatedGame:
    return RatedGame(
        game_id=change.game_id,
        at=rfc3339(change.at),
        before=shown(change.mu_before),
        after=shown(change.mu_after),
        place=change.place,
        seats=change.seats,
    )
