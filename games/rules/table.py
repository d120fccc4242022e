"""A game as its events tell it: who sits where, who is in control, whose clock runs, and the ruleset's own state.

Must live here: the fold over all events of a game, lifecycle and rules alike. Must not: any way to refuse, any
knowledge of one ruleset. Invariant: folding all events = folding a prefix, then the rest, in any grouping by append.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from games.rules import lifecycle as life
from games.rules.lifecycle import Event
from games.rules.registry import AnyRuleset, ruleset
from games.rules.ruleset import Setup
from games.rules.seats import Seat, put


class Recorded(NamedTuple):
    """An event at its place in the stream.

    `words` is the place in the random stream after its whole move; `base` the version that its append began on, so
    that events of one append can be told from the next one's.
    """

    version: int
    event: Event
    at: datetime
    words: int
    base: int


class Clock(NamedTuple):
    """The running turn of a seat: the ruleset's number for it, since when, and for how many seconds."""

    turn: int
    since: datetime
    seconds: float

    @property
    def deadline(self) -> datetime:
        return self.since + timedelta(seconds=self.seconds)


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """A taken seat. A bot's own seat has `bot` set; a player's seat that a bot plays has `controller` "bot"."""

    player_id: str | None = None
    bot: life.Level | None = None
    controller: life.Controller = "player"
    control_reason: life.ControlReason | None = None
    client_seed: str = ""
    left: bool = False  # the player left for good (but may come back)

    @property
    def played_by_bot(self) -> bool:
        return self.bot is not None or self.controller == "bot"


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The folded game. `state` is the ruleset's, None before the start; `chairs` has None for a free seat."""

    id: str
    version: int = 0
    at: datetime | None = None  # time of the last event
    created_at: datetime | None = None
    words: int = 0
    rules: str = ""
    options: Any = None
    visibility: life.Visibility = "public"
    mode: life.Mode = "casual"
    commitment: str = ""
    branched_from: life.BranchSource | None = None
    status: life.Status = "waiting"
    chairs: tuple[Chair | None, ...] = ()
    state: Any = None
    clocks: dict[Seat, Clock] = {}
    standing: tuple[life.Place, ...] | None = None

    @property
    def ruleset(self) -> AnyRuleset:
        return ruleset(self.rules)

    @property
    def seats(self) -> int:
        return len(self.chairs)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return self.ruleset.to_act(self.state) if self.status == "playing" else ()

    @property
    def host(self) -> Seat | None:
        """The lowest seat held by a player who has not left; none in ranked games (details.md, Shapes)."""
        if self.mode == "ranked":
            return None
        return next((s for s, c in enumerate(self.chairs) if c and c.player_id and not c.left), None)

    @property
    def client_seeds(self) -> list[str]:
        return [chair.client_seed if chair else "" for chair in self.chairs]

    def seat_of(self, player_id: str | None) -> Seat | None:
        """The seat that this player holds, whoever is in control of it."""
        if player_id is None:
            return None
        return next((s for s, c in enumerate(self.chairs) if c and c.player_id == player_id), None)


def advance(table: Table, records: Sequence[Recorded]) -> Table:
    """The table after these events, which must follow its version without a gap."""
    position, count = 0, len(records)
    while position < count:
        if records[position].event.type in life.LIFECYCLE:
            table = _lifecycle(table, records[position])
            position += 1
            continue
        end = position + 1
        while end < count and records[end].event.type not in life.LIFECYCLE:
            end += 1
        table = _rules(table, records[position:end])
        position = end
    return table


def _rules(table: Table, records: Sequence[Recorded]) -> Table:
    """Fold rules events; clocks look only at the state after the last event of each time."""
    rules, state, time = table.ruleset, table.state, records[0].at
    evolve, stands = rules.evolve, []
    for _, event, at, _, _ in records:
        if at != time:
            stands.append((state, time))
            time = at
        state = evolve(state, event, at)
    stands.append((state, time))
    last, clocks = records[-1], running_clocks(rules, stands, table.clocks)
    return msgspec.structs.replace(table, state=state, clocks=clocks, version=last.version, at=time, words=last.words)


def running_clocks(
    rules: AnyRuleset, stands: Sequence[tuple[Any, datetime]], before: dict[Seat, Clock]
) -> dict[Seat, Clock]:
    """One clock per seat to act, from the first of the last `stands` on between which its turn is the same.

    `stands`: states and their times, in order; `before`: the clocks before them, which run on where turns do.
    """
    clocks = {}
    state = stands[-1][0]
    for seat in rules.to_act(state):
        turn, first = rules.turn(state, seat), len(stands) - 1
        while first > 0 and _has_turn(rules, stands[first - 1][0], seat, turn):
            first -= 1
        began, since = stands[first]
        clock = before.get(seat) if first == 0 else None
        if clock is None or clock.turn != turn:
            clock = Clock(turn, since, rules.time_limit(began, seat))
        clocks[seat] = clock
    return clocks


def _has_turn(rules: AnyRuleset, state: Any, seat: Seat, turn: int) -> bool:
    return seat in rules.to_act(state) and rules.turn(state, seat) == turn


def _lifecycle(table: Table, record: Recorded) -> Table:
    changes: dict[str, Any] = {"version": record.version, "at": record.at, "words": record.words}
    match record.event:
        case life.GameCreated() as event:
            changes |= _created(event)
            changes["created_at"] = record.at
        case life.SeatTaken(seat=seat, player_id=player_id, bot=bot):
            changes["chairs"] = _with_chair(table, seat, Chair(player_id=player_id, bot=bot))
        case life.SeatLeft(seat=seat):
            changes["chairs"] = _with_chair(table, seat, None)
        case life.OptionsChanged(options=options):
            changes["options"] = _options(table.rules, options)
        case life.ClientSeedGiven(seat=seat, client_seed=client_seed):
            changes["chairs"] = _with_chair(table, seat, _changed(table, seat, client_seed=client_seed))
        case life.GameStarted():
            setup = Setup(seats=table.seats, options=table.options, mode=table.mode)
            changes |= {"status": "playing", "state": table.ruleset.initial(setup)}
        case life.SeatControlled(seat=seat, by=by, reason=reason):
            chair = _changed(table, seat, controller=by, control_reason=reason, left=reason == "left")
            changes["chairs"] = _with_chair(table, seat, chair)
        case life.GameFinished(standing=standing):
            changes |= {"status": "finished", "standing": tuple(standing), "clocks": {}}
        case life.GameAborted():
            changes |= {"status": "aborted", "clocks": {}}
        case other:
            raise TypeError(f"no lifecycle event: {other!r}")
    return msgspec.structs.replace(table, **changes)


def _created(event: life.GameCreated) -> dict[str, Any]:
    return {
        "rules": event.rules,
        "options": _options(event.rules, event.options),
        "visibility": event.visibility,
        "mode": event.mode,
        "commitment": event.commitment,
        "branched_from": event.branched_from,
        "chairs": (None,) * event.seats,
    }


def _options(rules: str, stored: dict[str, Any]) -> Any:
    return msgspec.convert(stored, ruleset(rules).options_type)


def _with_chair(table: Table, seat: Seat, chair: Chair | None) -> tuple[Chair | None, ...]:
    return put(table.chairs, seat, chair)


def _changed(table: Table, seat: Seat, **changes: Any) -> Chair:
    chair = table.chairs[seat]
    assert chair is not None, "only a taken seat has a controller"
    return msgspec.structs.replace(chair, **changes)


def appends(records: Iterable[Recorded]) -> list[tuple[Recorded, ...]]:
    """The records cut where one append ends and the next begins."""
    return [tuple(group) for _, group in groupby(records, key=attrgetter("base"))]


def fold(game_id: str, records: Iterable[Recorded]) -> Table:
    """The table after a whole stream."""
    return advance(Table(id=game_id), list(records))


@lru_cache(maxsize=32)
def event_types(rules: str) -> dict[str, type[Event]]:
    """Every event that a game of this ruleset may hold, by stored name."""
    return {**life.LIFECYCLE, **ruleset(rules).event_types}
