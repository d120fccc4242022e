"""Who sits where, from the seats projection: one query, no fold."""

from __future__ import annotations

from typing import NamedTuple

from games.rules.lifecycle import Status
from games.store.connection import read


class Seated(NamedTuple):
    game_id: str
    seat: int
    controller: str
    left: bool


def seats_of(player_id: str, status: Status = "playing") -> list[Seated]:
    """The seats that a player holds in games of that status, those who left for good included, newest game first."""
    found = read(
        'SELECT s.game_id::text, s.seat, s.controller, s."left" FROM games_seat s JOIN games_game g ON g.id = s.game_id'
        " WHERE s.player_id = %s AND g.status = %s ORDER BY s.game_id DESC",
        [player_id, status],
    )
    return [Seated(*each) for each in found]
