"""A game told again, move by move: who did what, how long they thought, and in which words.

For texts and statistics of games that are over: everything is unhidden here. Must not: decide or check anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from games.rules import lifecycle as life
from games.rules.lifecycle import Event
from games.rules.ruleset import Language
from games.rules.seats import Seat
from games.rules.table import Recorded, Table, advance, appends
from games.rules.wording import of_lifecycle

_NOBODY = {"en": "Seat {number}", "fr": "Place {number}"}
_BOT = {"en": "Bot {number}", "fr": "Robot {number}"}


class Made(NamedTuple):
    """An append of a game: the tables before and after, and, where an action caused it, whose and after how long.

    `thought` is counted from when the seat could act: the beginning of its turn, or its own last step in it.
    """

    before: Table
    records: tuple[Recorded, ...]
    after: Table
    seat: Seat | None = None
    action: Any = None
    thought: timedelta | None = None


class Line(NamedTuple):
    """A move for people: its first and last version, its time, who acted, and its sentences."""

    first: int
    last: int
    at: datetime
    seat: Seat | None
    thought: timedelta | None
    words: str
    scores: str  # those of its sentences that tell a deal's scores


def moves(game_id: str, records: Sequence[Recorded]) -> Iterator[Made]:
    """Every append in order."""
    table, acted = Table(id=game_id), dict[Seat, datetime]()
    for group in appends(records):
        before, table = table, advance(table, group)
        yield _made(before, group, table, acted)


def _made(before: Table, group: tuple[Recorded, ...], after: Table, acted: dict[Seat, datetime]) -> Made:
    events = [record.event for record in group[:2] if record.event.type not in life.LIFECYCLE]
    lifecycle_first = group[0].event.type in life.LIFECYCLE
    caused = None if lifecycle_first or before.state is None else before.ruleset.action_in(events, before.state)
    if caused is None:
        return Made(before, group, after)
    seat, action = caused
    clock, at = before.clocks.get(seat), group[0].at
    since = None if clock is None else max(clock.since, acted.get(seat, clock.since))
    acted[seat] = at
    return Made(before, group, after, seat, action, None if since is None else at - since)


def everything(made: Made) -> Iterable[Event]:
    """The events of an append, unhidden."""
    return (record.event for record in made.records)


def lines(
    game_id: str,
    records: Sequence[Recorded],
    names: Sequence[str],
    language: Language,
    shown: Callable[[Made], Iterable[Event]] = everything,
) -> Iterator[Line]:
    """The game in words, one line a move; `names` by seat, see `seat_names`; `shown`: what is told of an append."""
    for made in moves(game_id, records):
        told = [(event.type, _told(made.after, event, names, language)) for event in shown(made)]
        yield Line(
            first=made.records[0].version,
            last=made.records[-1].version,
            at=made.records[-1].at,
            seat=made.seat,
            thought=made.thought,
            words=" ".join(words for _, words in told if words),
            scores=" ".join(words for kind, words in told if kind.endswith("scored")),
        )


def _told(table: Table, event: Event, names: Sequence[str], language: Language) -> str:
    if event.type in life.LIFECYCLE:
        return of_lifecycle(event, names, language)
    return table.ruleset.told(event, names, language)


def seat_names(table: Table, players: dict[str, str], language: Language) -> list[str]:
    """What each seat is called: its player's name where there is one, seats counted from 1 otherwise."""
    names = []
    for number, chair in enumerate(table.chairs, start=1):
        player = players.get(chair.player_id, "") if chair and chair.player_id else ""
        kind = _BOT if chair and chair.bot else _NOBODY
        names.append(player or kind[language].format(number=number))
    return names
