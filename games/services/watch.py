"""What a viewer may see: the game as a document, its events, one message per append.

Must live here: the way from a folded table to documents, for one viewer at a time. Must not: writing, or deciding.
Invariant: everything passes through the ruleset's `view`, `redact` and `legal_actions`; no other road leads out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from accounts.models import Player
from config.wire.faults import invalid
from games.rules import play as rules
from games.rules.moments import rfc3339
from games.rules.play import seen
from games.rules.seats import Seat
from games.rules.stream import ALGORITHM
from games.rules.table import Chair, Recorded, Table, advance
from games.services import entropy, presence
from games.services.command import Caller, existing, require_visible
from games.services.documents import (
    EventDocument,
    FairnessDocument,
    GameDocument,
    Me,
    SeatDocument,
    SeatPlayer,
    StateDocument,
)
from games.store.cache import Loaded
from games.store.load import history

OVER = {"finished", "aborted"}
_NO_OUTLOOK = dict.fromkeys(("to_act", "deadline", "deadlines", "legal_actions"))


def game(game_id: str, caller: Caller) -> GameDocument:
    """The game as this caller may see it now. Raises Problem `not-found`."""
    loaded = existing(game_id)
    require_visible(loaded, caller)
    return document(loaded, caller.player_id)


def document(loaded: Loaded, player_id: str | None) -> GameDocument:
    """A loaded game as this player (or nobody in particular) may see it."""
    return documents([loaded], player_id)[0]


def body(loaded: Loaded, player_id: str | None) -> Callable[[str], bytes]:
    """The game as JSON, as an answer to a command that has made it so."""
    encoded = msgspec.json.encode(document(loaded, player_id))
    return lambda _head: encoded


def documents(loaded: Sequence[Loaded], player_id: str | None) -> list[GameDocument]:
    """Several games at once: names and presence are asked for once."""
    players = {chair.player_id for one in loaded for chair in one.table.chairs if chair and chair.player_id}
    names = display_names(players)
    here = presence.connected([one.table.id for one in loaded])
    return [_document(one, player_id, names, here.get(one.table.id, frozenset())) for one in loaded]


def display_names(player_ids: Iterable[str]) -> dict[str, str]:
    """The names that players show to others."""
    found = Player.objects.filter(id__in=list(player_ids)).values_list("id", "display_name")
    return {str(player_id): name for player_id, name in found}


def _document(loaded: Loaded, player_id: str | None, names: dict[str, str], connected: frozenset[str]) -> GameDocument:
    table = loaded.table
    seat = table.seat_of(player_id)
    assert table.created_at is not None, "a loaded game has been created"
    return GameDocument(
        id=table.id,
        code=UNSET if seat is None else loaded.code,
        rules=table.rules,
        options=msgspec.to_builtins(table.options, str_keys=True),
        mode=table.mode,
        visibility=table.visibility,
        status=table.status,
        version=table.version,
        host=table.host,
        commitment=table.commitment,
        created_at=rfc3339(table.created_at),
        server_time=rfc3339(entropy.utcnow()),
        branched_from=table.branched_from,
        seats=[_seat(table, number, chair, names, connected) for number, chair in enumerate(table.chairs)],
        me=None if seat is None else Me(seat=seat),
        **outlook(table, seat),
        state=state(table, seat),
    )


def _seat(
    table: Table, number: Seat, chair: Chair | None, names: dict[str, str], connected: frozenset[str]
) -> SeatDocument:
    place = next((p for p in table.standing or () if p.seat == number), None)
    player_id = chair.player_id if chair else None
    return SeatDocument(
        seat=number,
        player=SeatPlayer(id=player_id, display_name=names.get(player_id, "")) if player_id else None,
        bot=chair.bot if chair else None,
        controller="bot" if chair and chair.played_by_bot else "player",
        connected=bool(chair and (chair.bot or player_id in connected)),
        place=place.place if place else None,
        score=place.score if place else None,
    )


class Waiting(NamedTuple):
    """Whom the game waits for, and until when, by seat; the same for all viewers."""

    to_act: list[Seat]
    deadlines: dict[str, str]
    first: str | None

    @classmethod
    def at(cls, table: Table) -> Waiting:
        deadlines = {str(seat): rfc3339(clock.deadline) for seat, clock in table.clocks.items()}
        return cls(list(table.to_act), deadlines, min(deadlines.values(), default=None))


def outlook(table: Table, seat: Seat | None, waiting: Waiting | None = None) -> dict[str, Any]:
    """Whom the game waits for, until when, and what this viewer's seat may do."""
    waiting = waiting or Waiting.at(table)
    return {
        "to_act": waiting.to_act,
        "deadline": waiting.deadlines.get(str(seat)) or waiting.first,
        "deadlines": waiting.deadlines,
        "legal_actions": legal_actions(table, seat),
    }


def state(table: Table, seat: Seat | None) -> dict[str, Any]:
    """The ruleset's view as JSON values; empty before the start."""
    if table.state is None:
        return {}
    shown: dict[str, Any] = msgspec.to_builtins(table.ruleset.view(table.state, seat), str_keys=True)
    return shown


def legal_actions(table: Table, seat: Seat | None) -> list[dict[str, Any]]:
    """What the seat may do now; nothing for spectators and for seats in a bot's hands."""
    if seat is None or table.status != "playing":
        return []
    chair = table.chairs[seat]
    if chair is None or chair.played_by_bot:
        return []
    return [msgspec.to_builtins(action, str_keys=True) for action in rules.legal_actions(table, seat)]


class Telling:
    """Some events on their way to their viewers: what is the same for all is reckoned once, and so is each viewer's
    part, whichever of a move's answer and its messages needs it first.
    """

    def __init__(self, before: Table, records: Sequence[Recorded], after: Table) -> None:
        self.before, self.records, self.after = before, records, after
        self._events: dict[Seat | None, list[EventDocument]] = {}
        self._waiting: Waiting | None = None
        self._times = [rfc3339(record.at) for record in records]
        self._tables = [before]  # before each of the events
        for record in records[:-1]:
            self._tables.append(advance(self._tables[-1], [record]))

    def events(self, seat: Seat | None) -> list[EventDocument]:
        """The events as this viewer may see them, each with the state before it (details.md, Shapes)."""
        if seat not in self._events:
            self._events[seat] = [
                EventDocument(seq=record.version, type=record.event.type, at=at, data=seen(table, record.event, seat))
                for record, at, table in zip(self.records, self._times, self._tables, strict=True)
            ]
        return self._events[seat]

    @property
    def waiting(self) -> Waiting:
        """The outlook's common part, after the last event."""
        if self._waiting is None:
            self._waiting = Waiting.at(self.after)
        return self._waiting


def event_documents(table: Table, records: Sequence[Recorded], seat: Seat | None) -> list[EventDocument]:
    """Events as this viewer may see them; `table` stands just before the first."""
    return Telling(table, records, table).events(seat) if records else []


def events_message(telling: Telling, seat: Seat | None, now: str, *, last: bool = True) -> dict[str, Any]:
    """The `events` message of one append; the outlook is null in catch-up messages before the last."""
    view = outlook(telling.after, seat, telling.waiting) if last else _NO_OUTLOOK
    return {
        "type": "events",
        "version": telling.records[-1].version,
        "events": telling.events(seat),
        "server_time": now,
        **view,
    }


def events(game_id: str, caller: Caller, after: int, limit: int) -> tuple[list[EventDocument], int]:
    """Up to `limit` events after version `after` as this caller may see them, and the game's version."""
    loaded = existing(game_id)
    require_visible(loaded, caller)
    records = history(game_id, until=min(after + limit, loaded.table.version))
    before = advance(Table(id=game_id), records[:after])
    return event_documents(before, records[after:], loaded.table.seat_of(caller.player_id)), loaded.table.version


def state_at(game_id: str, caller: Caller, at: int | None) -> StateDocument:
    """The caller's own view as of a version; now if none is given. Raises Problem `validation` past the end."""
    loaded = existing(game_id)
    require_visible(loaded, caller)
    table, seat = loaded.table, loaded.table.seat_of(caller.player_id)
    if at is not None and at > table.version:
        raise invalid(at="range")
    if at is not None and at < table.version:
        table = table_at(game_id, at)
    return StateDocument(version=table.version, state=state(table, seat))


def table_at(game_id: str, at: int) -> Table:
    """The table as its events up to a version tell it, which may lie inside a move."""
    return advance(Table(id=game_id), history(game_id, until=at))


def fairness(game_id: str, caller: Caller) -> FairnessDocument:
    """What is needed to check the deals; the seed only once the game is over."""
    loaded = existing(game_id)
    require_visible(loaded, caller)
    return fairness_of(loaded)


def fairness_of(loaded: Loaded) -> FairnessDocument:
    """The same of a loaded game."""
    table = loaded.table
    return FairnessDocument(
        commitment=table.commitment,
        seed=loaded.seed.hex() if table.status in OVER else UNSET,
        client_seeds=table.client_seeds if table.status != "waiting" else [],
        algorithm=ALGORITHM,
        branched_from=table.branched_from,
    )
