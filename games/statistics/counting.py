"""What one finished game adds to the statistics of its players. Pure: a function of the game's events.

Keys are words joined by dots, values whole numbers that can be added: `games`, `places.1`, `moves`, `thinking_ms`, and
what the ruleset's `deeds` tell (`bids.met`, `contracts.queens.points`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta

from games.rules import lifecycle as life
from games.rules.retelling import Made, moves
from games.rules.seats import Seat
from games.rules.table import Recorded, Table, advance

Counts = Mapping[str, int]
MILLISECOND = timedelta(milliseconds=1)


def counted(game_id: str, records: Sequence[Recorded]) -> dict[str, Counts]:
    """By player: what a finished game adds. Nothing for branches, for games without an end and for bots' seats."""
    seats: dict[Seat, Counter[str]] = {}
    table = Table(id=game_id)
    for made in moves(game_id, records):
        table = made.after
        _thinking(made, seats)
        _deeds(made, seats)
    if table.standing is None or table.branched_from is not None:
        return {}
    for place in table.standing:
        seats.setdefault(place.seat, Counter()).update({"games": 1, f"places.{place.place}": 1})
    players = {seat: chair.player_id for seat, chair in enumerate(table.chairs) if chair and chair.player_id}
    return {players[seat]: dict(sorted(counts.items())) for seat, counts in seats.items() if seat in players}


def _thinking(made: Made, seats: dict[Seat, Counter[str]]) -> None:
    """The time of a move that the player made, not of one that a bot made for them."""
    if made.seat is not None and made.thought is not None and _plays(made.before, made.seat):
        seats.setdefault(made.seat, Counter()).update({"moves": 1, "thinking_ms": made.thought // MILLISECOND})


def _deeds(made: Made, seats: dict[Seat, Counter[str]]) -> None:
    table = made.before
    for record in made.records:
        if record.event.type not in life.LIFECYCLE:
            for seat, deeds in table.ruleset.deeds(record.event, table.state).items():
                if _plays(table, seat):
                    seats.setdefault(seat, Counter()).update(deeds)
        table = advance(table, [record])


def _plays(table: Table, seat: Seat) -> bool:
    """Whether a player is in control of the seat."""
    chair = table.chairs[seat]
    return chair is not None and not chair.played_by_bot


def added(before: Counts, more: Counts) -> dict[str, int]:
    """Both together, keys in order."""
    return {key: before.get(key, 0) + more.get(key, 0) for key in sorted({*before, *more})}
