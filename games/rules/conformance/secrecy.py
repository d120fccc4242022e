"""Promises about hidden cards: what a viewer may not know can be anything without a trace in what the viewer gets.

The cards that `secrets` names are swapped for one another in the stored events since the last whole deal. The game
told again from those events must look the same to that viewer, to the byte: views, events, legal actions, refusals,
whom the game waits for and how long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games.rules import play
from games.rules.cards import Card
from games.rules.conformance.actions import Position, decided
from games.rules.conformance.playthrough import Playthrough
from games.rules.conformance.violation import demand
from games.rules.errors import Invalid, Refusal
from games.rules.lifecycle import LIFECYCLE, Event
from games.rules.registry import AnyRuleset
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.table import Recorded, Table, advance, event_types

PROBES = 60  # attempts compared per viewer and position
NAMES = ("as",)  # members that say what a joker stands for: the name of a card, not a card that lies somewhere


def check_secrecy(game: Playthrough, version: int, noise: Stream) -> int:
    """Swap what each viewer may not know at this version; the number of viewers for whom hidden cards did move.

    Raises Violation. The version may lie inside a move, as `state/?at=` allows.
    """
    records = game.records[:version]
    begin = last_deal(game.rules, records)
    if begin is None:
        return 0
    before = advance(Table(id=game.table.id), records[:begin])
    truth = Telling(before, records[begin:])
    moved = 0
    for seat in (*range(game.table.seats), None):
        exchange = swapped_names(game.rules.secrets(truth.end.state, seat), noise)
        other = Telling(before, disguised(game.rules, truth.records, exchange))
        moved += other.records != truth.records
        compare(truth, other, seat)
        if truth.end.status == "playing" and seat is not None:
            compare_refusals(truth.end, other.end, seat, game.seed, noise)
    return moved


class Telling:
    """A stretch of a game: its events, and the table before each of them and after the last."""

    def __init__(self, before: Table, records: Sequence[Recorded]) -> None:
        self.records = list(records)
        self.tables = [before]
        for record in records:
            self.tables.append(advance(self.tables[-1], [record]))

    @property
    def end(self) -> Table:
        return self.tables[-1]


def last_deal(rules: AnyRuleset, records: Sequence[Recorded]) -> int | None:
    """The index of the last event that deals afresh; None before the first."""
    for index in range(len(records) - 1, -1, -1):
        event = records[index].event
        if event.type not in LIFECYCLE and rules.deals_afresh(event):
            return index
    return None


def swapped_names(secrets: frozenset[Card], noise: Stream) -> dict[Card, Card]:
    """A random exchange of the secret cards among themselves."""
    names = sorted(secrets)
    return dict(zip(names, noise.shuffled(names), strict=True))


def disguised(rules: AnyRuleset, span: Sequence[Recorded], exchange: Mapping[Card, Card]) -> list[Recorded]:
    """The same events with cards exchanged wherever they are named."""
    types = event_types(rules.key)

    def told_again(event: Event) -> Event:
        return msgspec.convert(_renamed(play.plain(event), exchange), types[event.type], strict=False)

    return [record._replace(event=told_again(record.event)) for record in span]


def _renamed(value: Any, exchange: Mapping[Card, Card]) -> Any:
    if isinstance(value, str):
        return exchange.get(value, value)
    if isinstance(value, list):
        return [_renamed(element, exchange) for element in value]
    if isinstance(value, dict):
        return {key: member if key in NAMES else _renamed(member, exchange) for key, member in value.items()}
    return value


def compare(truth: Telling, other: Telling, seat: Seat | None) -> None:
    """The viewer gets the same from both tellings, at every version of the stretch."""
    for place, (record, disguise) in enumerate(zip(truth.records, other.records, strict=True)):
        where = {"viewer": "spectator" if seat is None else seat, "version": record.version}
        shown = _shown(truth.tables[place], record, seat)
        false = _shown(other.tables[place], disguise, seat)
        demand(shown == false, "an event does not tell hidden cards", shown=shown, other=false, **where)
        seen, false = _seen(truth.tables[place + 1], seat), _seen(other.tables[place + 1], seat)
        demand(seen == false, "a view does not tell hidden cards", view=seen, other=false, **where)


def _shown(before: Table, record: Recorded, seat: Seat | None) -> bytes:
    return msgspec.json.encode((record.event.type, play.seen(before, record.event, seat)))


def _seen(table: Table, seat: Seat | None) -> bytes:
    """All that is sent to a viewer about a position."""
    rules = table.ruleset
    view = rules.view(table.state, seat)
    clocks = {str(to_act): clock.deadline for to_act, clock in table.clocks.items()}
    legal = rules.legal_actions(view)
    return msgspec.json.encode((view, legal, table.to_act, clocks, table.version, table.status))


def compare_refusals(true: Table, false: Table, seat: Seat, seed: bytes, noise: Stream) -> None:
    """Nobody learns by trying."""
    assert true.at is not None
    probes = list(true.ruleset.probes(true.ruleset.view(true.state, seat)))
    for wire in noise.shuffled(probes)[: PROBES if seat in true.to_act else PROBES // 4]:
        answer, other = (_answer(Position(table, seed, true.at), seat, wire) for table in (true, false))
        demand(answer == other, "a refusal does not tell hidden cards", seat=seat, action=wire, answers=(answer, other))


def _answer(position: Position, seat: Seat, wire: Any) -> str:
    """What a viewer hears about an attempt: that it stands, or the refusal with its facts."""
    table = position.table
    try:
        action = table.ruleset.parse_action(wire, table.options, table.seats)
        decided(position, seat, action)
    except Invalid as refusal:
        return f"invalid {refusal.field} {refusal.code} {refusal.facts}"
    except Refusal as refusal:
        return f"{refusal.code} {refusal.facts}"
    return "accepted"


def check_redaction(game: Playthrough, version: int) -> None:
    """What viewers see of an event is what happened, less what they may not see: nothing is made up."""
    before = advance(Table(id=game.table.id), game.records[: version - 1])
    event = game.records[version - 1].event
    whole = play.plain(event)
    for seat in (*range(game.table.seats), None):
        shown = play.seen(before, event, seat)
        demand(lessened(whole, shown), "a redaction only leaves out", seat=seat, event=whole, shown=shown)


def lessened(whole: Any, shown: Any) -> bool:
    """Whether `shown` is `whole` with members left out and lists replaced by their length (api.md, Events)."""
    if isinstance(whole, dict) and isinstance(shown, dict):
        return all(key in whole and lessened(whole[key], value) for key, value in shown.items())
    if isinstance(whole, list) and isinstance(shown, int) and not isinstance(shown, bool):
        return shown == len(whole)
    return bool(whole == shown)
