"""A game that is over, move by move, through the eyes of a seat, of a spectator, or with all hands open.

For the replay page. Invariants: nothing leaves here while a game is not over; a seat's eyes see what `view` and
`redact` gave that seat then, and open hands are no more than what the seats saw together.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from config.wire.faults import invalid
from config.wire.problems import Language
from games.rules import masking, retelling
from games.rules.lifecycle import Event
from games.rules.moments import rfc3339
from games.rules.retelling import Line, Made
from games.rules.seats import Seat
from games.rules.table import Table, advance, appends
from games.services import replays, watch
from games.services.command import Caller
from games.services.documents import MoveInWords, MovesDocument, StateDocument, StatesDocument
from games.store.load import history

OPEN, SPECTATOR = "open", "spectator"
Lists = (list, tuple)


def moves(game_id: str, caller: Caller, eyes: str, language: Language) -> MovesDocument:
    """Every move in words, as those eyes saw it. Raises Problem as the replay does, `validation` for no such seat."""
    loaded = replays.over(game_id, caller)
    seat = _seat(loaded.table, eyes)

    def shown(made: Made) -> list[Event]:
        return [record.event for record in made.records] if eyes == OPEN else masking.events(made, seat)

    names = replays.seat_names(loaded, language)
    told = retelling.lines(game_id, history(game_id), names, language, shown)
    return MovesDocument(names=names, moves=[_in_words(line) for line in told])


def _in_words(line: Line) -> MoveInWords:
    thought = None if line.thought is None else line.thought // timedelta(milliseconds=1)
    return MoveInWords(
        first=line.first,
        version=line.last,
        at=rfc3339(line.at),
        seat=line.seat,
        thought_ms=thought,
        words=line.words,
        scores=line.scores,
    )


def states(game_id: str, caller: Caller, eyes: str, at: int, limit: int) -> StatesDocument:
    """What those eyes saw after each move, from the move that ends at or after version `at` on; up to `limit`."""
    loaded = replays.over(game_id, caller)
    seat = _seat(loaded.table, eyes)
    table, found = Table(id=game_id), list[StateDocument]()
    for group in appends(history(game_id)):
        table = advance(table, group)
        if table.version >= at:
            shown = open_state(table) if eyes == OPEN else watch.state(table, seat)
            found.append(StateDocument(version=table.version, state=shown))
        if len(found) == limit:
            break
    return StatesDocument(results=found)


def _seat(table: Table, eyes: str) -> Seat | None:
    if eyes in {OPEN, SPECTATOR}:
        return None
    if int(eyes) >= table.seats:
        raise invalid(eyes="range")
    return int(eyes)


def open_state(table: Table) -> dict[str, Any]:
    """The spectator's view, filled in with what each seat saw.

    A list that only its own seat sees (`hand`, `atouts`) becomes a map of lists, keyed by seat.
    """
    public = watch.state(table, None)
    lists = {name for name, value in public.items() if isinstance(value, Lists)}
    for seat in range(table.seats):
        for name, value in watch.state(table, seat).items():
            if name in lists and not public[name] and value:
                public[name] = {str(seat): value}
            elif name in lists and isinstance(public[name], dict):
                public[name] |= {str(seat): value}
            elif name != "seat":
                public[name] = _filled(public.get(name), value)
    return public


def _filled(public: Any, own: Any) -> Any:
    """Where one viewer sees a number or nothing and another the cards, the cards."""
    if isinstance(public, dict) and isinstance(own, dict):
        return {name: _filled(public.get(name), own.get(name)) for name in {**public, **own}}
    if isinstance(public, Lists) and isinstance(own, Lists) and len(public) == len(own):
        return [_filled(*pair) for pair in zip(public, own, strict=True)]
    return own if public is None or isinstance(own, Lists) else public
