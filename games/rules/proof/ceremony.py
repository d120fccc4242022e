"""What may happen around play: the events that all games share, each against the table before it.

Here: whether they can have been written so. Not here: who was allowed to ask for them, which no replay tells.
"""

from __future__ import annotations

import re
from typing import Any

from games.rules import lifecycle as life
from games.rules.errors import Invalid
from games.rules.lifecycle import Event
from games.rules.proof.difference import Differs, differs
from games.rules.proof.reading import Told, typed
from games.rules.registry import ruleset
from games.rules.table import Chair, Table

_CLIENT_SEED = re.compile(r"[A-Za-z0-9_-]{0,64}")


def checked(table: Table, told: Told) -> Event:
    """The event in its type. Raises Differs if it cannot stand here."""
    event = typed("", told)
    wrong = _wrong(table, told, event)
    if wrong is not None:
        raise wrong
    return event


def _wrong(table: Table, told: Told, event: Event) -> Differs | None:
    match event:
        case life.GameCreated():
            return _created(table, told, event)
        case life.SeatTaken(seat=seat, player_id=player_id, bot=bot):
            if (player_id is None) == (bot is None) or (player_id and table.seat_of(player_id) is not None):
                return _illegal(told, "one-player-or-bot", "data")
            return _seat(table, told, seat, taken=False)
        case life.SeatLeft(seat=seat, player_id=player_id, bot=bot):
            wrong = _seat(table, told, seat, taken=True)
            chair = None if wrong else _chair(table, seat)
            if chair is not None and (chair.player_id, chair.bot) != (player_id, bot):
                return _illegal(told, "not-who-sat-there", "data")
            return wrong
        case life.OptionsChanged(options=options):
            return _status(table, told, "waiting") or _options(told, table.rules, options, table.seats, table.mode)
        case life.ClientSeedGiven(seat=seat, client_seed=client_seed):
            if not _CLIENT_SEED.fullmatch(client_seed):
                return _illegal(told, "no-client-seed", "data.client_seed")
            return _seat(table, told, seat, taken=True, by_player=True)
        case life.GameStarted(client_seeds=client_seeds):
            if client_seeds != table.client_seeds:
                return differs("differs", told.seq, table.client_seeds, client_seeds, "data.client_seeds")
            return _status(table, told, "waiting") or _all_seated(table, told)
        case life.SeatControlled():
            return _status(table, told, "playing") or _controlled(table, told, event)
        case life.GameAborted():
            return None if table.status in {"waiting", "playing"} and table.version else _illegal(told, "game-state")
        case _:  # the end of the game belongs to the move that brings it about
            return _illegal(told, "not-over")


def _created(table: Table, told: Told, event: life.GameCreated) -> Differs | None:
    if table.version:
        return _illegal(told, "created-twice")
    try:
        rules = ruleset(event.rules)
    except KeyError:
        return _illegal(told, "unknown-rules", "data.rules")
    if not rules.min_seats <= event.seats <= rules.max_seats:
        return _illegal(told, "seats", "data.seats")
    return _options(told, event.rules, event.options, event.seats, event.mode)


def _options(told: Told, rules: str, options: dict[str, Any], seats: int, mode: life.Mode) -> Differs | None:
    """Options are stored complete, and complete ones are completed by nothing."""
    try:
        complete = life.plain(ruleset(rules).complete_options(options, seats, mode))
    except Invalid as refusal:
        return _illegal(told, f"options {refusal.code}", f"data.options.{refusal.field}")
    return None if complete == options else differs("differs", told.seq, complete, options, "data.options")


def _seat(table: Table, told: Told, seat: int, *, taken: bool, by_player: bool = False) -> Differs | None:
    if not 0 <= seat < table.seats:
        return _illegal(told, "no-such-seat", "data.seat")
    chair = table.chairs[seat]
    if (chair is not None) != taken or (by_player and (chair is None or chair.player_id is None)):
        return _illegal(told, "seat-taken" if chair else "seat-free", "data.seat")
    return _status(table, told, "waiting")


def _chair(table: Table, seat: int) -> Chair | None:
    return table.chairs[seat]


def _all_seated(table: Table, told: Told) -> Differs | None:
    return _illegal(told, "seats-free") if None in table.chairs else None


def _controlled(table: Table, told: Told, event: life.SeatControlled) -> Differs | None:
    """A player's seat goes to a bot, after its time if that is the reason, and back from a bot to its player."""
    chair = table.chairs[event.seat] if 0 <= event.seat < table.seats else None
    if chair is None or chair.player_id is None:
        return _illegal(told, "no-player-there", "data.seat")
    if (event.by == "player") != (event.reason == "returned"):
        return _illegal(told, "reason", "data.reason")
    if event.by == "player":
        return None if chair.controller == "bot" else _illegal(told, "in-control", "data.by")
    if event.reason == "left":
        return _illegal(told, "left-before", "data.reason") if chair.left else None
    if chair.controller == "bot":
        return _illegal(told, "in-control", "data.by")
    clock = table.clocks.get(event.seat)
    if event.reason == "timeout" and (clock is None or told.at < clock.deadline):
        return _illegal(told, "before-its-time", "at")
    return None


def _status(table: Table, told: Told, wanted: life.Status) -> Differs | None:
    return None if table.status == wanted and table.version else _illegal(told, "game-state", "type")


def _illegal(told: Told, code: str, member: str = "") -> Differs:
    return differs("illegal", told.seq, code, _value(told, member), member)


def _value(told: Told, member: str) -> Any:
    """What stands there, for whoever reads the difference."""
    if not member.startswith("data"):
        return told.type
    value: Any = told.data
    for name in member.split(".")[1:]:
        value = value.get(name) if isinstance(value, dict) else None
    return value
