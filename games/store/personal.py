"""What games hold about a player, for the account's export and erasure. Events stay: they know the id alone.

Invariant: an export holds what the player did and nothing that another seat held, so it may be read at any time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

import msgspec

from games.store import receipts
from games.store.connection import read

_COLUMNS = (
    "game_id", "rules", "options", "mode", "visibility", "status", "created_at", "last_event_at", "seats",
    "seat", "controller", "left", "place", "score",
)  # fmt: skip
_GAMES = """
SELECT g.id, g.rules, g.options::text, g.mode, g.visibility, g.status, g.created_at,
    (SELECT e.recorded_at FROM games_event e WHERE e.game_id = g.id AND e.version = g.version), g.seats,
    s.seat, s.controller, s."left", s.place, s.score
FROM games_game g LEFT JOIN games_seat s ON s.game_id = g.id AND s.player_id = %s
WHERE g.id = ANY(%s) ORDER BY g.id DESC"""
_DEEDS = """
SELECT e.game_id, e.version, e.type, e.recorded_at, e.data::text, (e.meta -> 'cause' -> 'action')::text
FROM games_event e
WHERE e.game_id = ANY(%s) AND (e.type IN ('seat_taken', 'seat_left', 'client_seed_given')
    OR e.meta -> 'cause' ->> 'player_id' = %s) ORDER BY e.game_id, e.version"""


class _SeatEvent(msgspec.Struct):
    """What `seat_taken`, `seat_left` and `client_seed_given` have in common."""

    seat: int
    player_id: str | None = None
    client_seed: str = ""


_seat_event = msgspec.json.Decoder(_SeatEvent).decode


def games_of(player_id: UUID) -> list[UUID]:
    """Every game that the player ever sat down at, by the index that the migration 0004 made for this question."""
    found = read(
        "SELECT DISTINCT game_id FROM games_event WHERE type = 'seat_taken' AND data ->> 'player_id' = %s",
        [str(player_id)],
    )
    return [game_id for (game_id,) in found]


def export(player_id: UUID) -> list[dict[str, Any]]:
    """Every game that the player sat down at, newest first, as JSON values.

    `seat`, `place` and what stands between are those of the seat they hold now, null if they left before the start.
    `client_seeds` and `actions` are what they sent there, with version and time, in their order.
    """
    games = games_of(player_id)
    if not games:
        return []
    found = [dict(zip(_COLUMNS, each, strict=True)) for each in read(_GAMES, [player_id, games])]
    deeds = {game_id: (list[str](), list[dict[str, Any]]()) for game_id in games}
    _sort_out(str(player_id), read(_DEEDS, [games, str(player_id)]), deeds)
    for game in found:
        seeds, actions = deeds[game["game_id"]]
        game |= {"options": msgspec.json.decode(game["options"]), "client_seeds": seeds, "actions": actions}
    return found


def _sort_out(
    player_id: str, rows: Iterable[tuple[Any, ...]], deeds: dict[UUID, tuple[list[str], list[dict[str, Any]]]]
) -> None:
    """Fill in the seeds that were given from the player's own seat, and the player's own actions."""
    seats: dict[UUID, int] = {}
    for game_id, version, kind, at, data, action in rows:
        seeds, actions = deeds[game_id]
        match kind:
            case "seat_taken":
                if (taken := _seat_event(data)).player_id == player_id:
                    seats[game_id] = taken.seat
            case "seat_left":
                if _seat_event(data).player_id == player_id:
                    seats.pop(game_id, None)
            case "client_seed_given":
                if (given := _seat_event(data)).seat == seats.get(game_id):
                    seeds.append(given.client_seed)
        if action is not None:
            actions.append({"version": version, "at": at, "action": msgspec.json.decode(action)})


def erase(player_id: UUID) -> None:
    """Forget the answers kept for the player's repeated requests: they hold names and what the seat could see."""
    receipts.forget_player(str(player_id))
