"""Promises about what may be done in a position: legal actions are accepted, all others refused with a known code."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from games.rules import play
from games.rules.conformance.coverage import Coverage
from games.rules.conformance.violation import Violation, demand
from games.rules.errors import Invalid, NotYourTurn, Refusal, RuleViolation
from games.rules.lifecycle import Event, Level
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.table import Table

LEVELS: tuple[Level, ...] = ("easy", "normal", "hard")
FEW_ATTEMPTS = 25
Legal = dict[bytes, Any]  # wire forms by their encoding


class Position(NamedTuple):
    """A running game at the moment when somebody might act."""

    table: Table
    seed: bytes
    now: datetime


def check_position(position: Position, noise: Stream, coverage: Coverage) -> None:
    """Everything that any seat might try in this position of a running game. Raises Violation."""
    table = position.table
    rules, to_act = table.ruleset, table.to_act
    demand(to_act, "the game waits for somebody until it is over", version=table.version)
    demand(tuple(sorted(set(to_act))) == to_act, "to_act holds each seat once, in order", to_act=to_act)
    demand(set(table.clocks) == set(to_act), "every seat to act has a clock", clocks=table.clocks)
    demand(rules.legal_actions(rules.view(table.state, None)) == (), "a spectator has no actions")
    phase = rules.phase(table.state)
    declared = rules.refusals(table.options)
    demand(phase in declared, "the phase is declared in `refusals`", phase=phase, declared=sorted(declared))
    legal = {seat: _legal(position, seat) for seat in range(table.seats)}
    met: Counter[str] = Counter()
    for seat in range(table.seats):
        demand(legal[seat] or seat not in to_act, "a seat to act has a legal action", seat=seat)
        attempts = list(rules.probes(rules.view(table.state, seat)))
        attempts += [wire for other in legal if other != seat for wire in legal[other].values()]
        if not legal[seat]:  # all that it can hear is that it is not its turn
            attempts = noise.shuffled(attempts)[:FEW_ATTEMPTS]
        for wire in attempts:
            code = _attempt(position, seat, wire, legal[seat])
            if code is not None:
                known = code in declared[phase]
                demand(known, "the refusal is declared", phase=phase, code=code, seat=seat, action=wire)
                met[code] += 1
    for code, times in met.items():
        coverage.met(phase, code, times)
    for seat in to_act:
        _bots(table, seat, legal[seat], noise)


def _legal(position: Position, seat: Seat) -> Legal:
    """The seat's legal actions in wire form, by their encoding; each was read back and accepted."""
    table = position.table
    rules = table.ruleset
    view = rules.view(table.state, seat)
    actions = rules.legal_actions(view)
    reread = msgspec.json.decode(msgspec.json.encode(view), type=rules.view_type)
    demand(reread == view, "the view survives its own encoding", seat=seat, view=view, reread=reread)
    demand(rules.legal_actions(reread) == actions, "legal actions follow from the encoded view alone", seat=seat)
    demand(play.legal_actions(table, seat) == actions, "`may_act` says no only where there is no choice", seat=seat)
    found: Legal = {}
    entries: set[bytes] = set()
    for entry in actions:
        key = msgspec.json.encode(entry)
        demand(key not in entries, "no legal action is listed twice", action=entry)
        entries.add(key)
        ways = rules.completions(entry, view)
        demand(ways, "a legal action can be completed", action=entry)
        for action in ways:
            wire = msgspec.to_builtins(action, str_keys=True)
            parsed = rules.parse_action(wire, table.options, table.seats)
            demand(parsed == action, "an action survives its wire form", action=action, parsed=parsed)
            found[msgspec.json.encode(action)] = wire
            _accepted(position, seat, action)
    return found


def _accepted(position: Position, seat: Seat, action: Any) -> None:
    """A legal action gives events, the same each time, and leaves the position it was decided in as it was."""
    before = position.table.state
    image = repr(before)
    try:
        events = decided(position, seat, action)
    except Refusal as refusal:
        raise Violation("every legal action is accepted", seat=seat, action=action, code=refusal.code) from refusal
    demand(events, "an action has at least one event", seat=seat, action=action)
    again = decided(position, seat, action)
    demand(events == again, "the same action in the same place gives the same events", seat=seat, action=action)
    demand(repr(before) == image, "deciding leaves the state as it was", seat=seat, action=action)


def decided(position: Position, seat: Seat, action: Any) -> tuple[Event, ...]:
    """The rules' answer to an action, without taking it up."""
    table, seed, now = position
    draw = play.stream(table, seed)
    return table.ruleset.decide(table.state, seat, action, play.moment(table, now), draw)


def _attempt(position: Position, seat: Seat, wire: Any, legal: Legal) -> str | None:
    """The code with which an attempt was refused; None if it was no well-formed action or a legal one."""
    table = position.table
    try:
        action = table.ruleset.parse_action(wire, table.options, table.seats)
    except Invalid:
        return None
    allowed = msgspec.json.encode(action) in legal
    try:
        decided(position, seat, action)
    except Invalid as refusal:
        demand(not allowed, "every legal action is accepted", seat=seat, action=action, code=refusal.code)
        return None
    except (NotYourTurn, RuleViolation) as refusal:
        demand(not allowed, "every legal action is accepted", seat=seat, action=action, code=refusal.code)
        return refusal.code
    demand(allowed, "what is accepted stands in legal_actions", seat=seat, action=action)
    return None


def _bots(table: Table, seat: Seat, legal: Legal, noise: Stream) -> None:
    view = table.ruleset.view(table.state, seat)
    for level in LEVELS:
        action = table.ruleset.bot(view, level, noise)
        demand(msgspec.json.encode(action) in legal, "a bot plays by the rules", seat=seat, level=level, action=action)
