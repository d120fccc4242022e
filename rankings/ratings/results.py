"""What a finished game says to the ratings, read off its lifecycle events alone.

Must live here: which games are rated, and which place each side has for that. Invariant: a pure function of the
events, so that a rebuild finds what was found at first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
import structlog

from games.rules.registry import ruleset
from games.rules.seats import Seat
from games.rules.table import Chair, Table
from games.store.connection import read
from games.store.feed import Entry
from games.store.load import lifecycle

log = structlog.get_logger(__name__)

Rank = tuple[bool, int]  # in a bot's hands, the standing's place


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """Players who win and lose together, and their place: from 1, counted in seats, equals share one."""

    players: tuple[str, ...]
    place: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """A game to be rated: when it ended, the size of the table, and who came where."""

    game_id: str
    rules: str
    at: datetime
    seats: int
    sides: tuple[Side, ...]


def ranked(game_ids: Iterable[str]) -> set[str]:
    """Those of these games that may be rated at all, by what never changes of a game.

    A game of a ruleset that is not there any more is passed over, so that it does not hold up the others.
    """
    found = read(
        "SELECT id::text, rules FROM games_game"
        " WHERE id = ANY(%s::uuid[]) AND mode = 'ranked' AND branched_from IS NULL",
        [list(game_ids)],
    )
    return {game_id for game_id, rules in found if _is_known(game_id, rules)}


def _is_known(game_id: str, rules: str) -> bool:
    try:
        ruleset(rules)
    except KeyError:
        log.error("a game of an unknown ruleset is not rated", game=game_id, rules=rules)  # noqa: TRY400
        return False
    return True


def result_of(entry: Entry) -> Result | None:
    """What the game that ended there says, or None where it is not rated."""
    return judged(lifecycle(entry.game_id, entry.version))


def judged(table: Table) -> Result | None:
    """A finished ranked game's result. None for casual games, branches, bots' own seats, and whatever did not end."""
    chairs = [chair for chair in table.chairs if chair is not None and chair.player_id is not None]
    if table.mode != "ranked" or table.branched_from is not None or len(chairs) < table.seats:
        return None
    if table.status != "finished" or not table.standing or table.at is None:
        return None
    sides = _sides(table, chairs)
    if len(sides) < 2:
        return None
    return Result(game_id=table.id, rules=table.rules, at=table.at, seats=table.seats, sides=sides)


def _sides(table: Table, chairs: Sequence[Chair]) -> tuple[Side, ...]:
    """Teams with their own place; else each seat, those in a bot's hands together behind all others."""
    assert table.standing is not None
    placed = {place.seat: place.place for place in table.standing}
    ordered: list[tuple[Rank, tuple[str, ...]]] = []
    for seats in _together(table):
        gone = table.ruleset.team_of(table.options, seats[0]) is None and chairs[seats[0]].played_by_bot
        rank = (True, 0) if gone else (False, min(placed[seat] for seat in seats))
        ordered.append((rank, tuple(str(chairs[seat].player_id) for seat in seats)))
    return tuple(
        Side(players=players, place=1 + sum(len(others) for before, others in ordered if before < rank))
        for rank, players in ordered
    )


def _together(table: Table) -> list[list[Seat]]:
    """The seats of each side, in seat order."""
    sides: dict[tuple[str, int], list[Seat]] = {}
    for seat in range(table.seats):
        team = table.ruleset.team_of(table.options, seat)
        sides.setdefault(("seat", seat) if team is None else ("team", team), []).append(seat)
    return list(sides.values())
