"""A player's move, and taking the seat back.

The order of refusals is fixed (details.md, Shapes): validation, forbidden, game-state, stale-version, not-your-turn,
illegal-move; a private game is not-found before all of them but validation.
"""

from __future__ import annotations

import logging
from datetime import datetime
from types import TracebackType
from typing import Any, Self

import msgspec
import structlog

from config.observability import context
from config.observability.figures import moves
from config.observability.labels import NONE
from config.wire.problems import Problem
from config.wire.rest import as_problem
from games.rules import play as rules
from games.rules.errors import Invalid, NotYourTurn, RuleViolation
from games.rules.table import Table
from games.services import command, watch
from games.services.command import Answer, Caller, Key, Plan, Step
from games.services.documents import MoveDocument
from games.services.sentences import invalid_member
from games.store.append import Cause
from games.store.cache import Loaded

encode = msgspec.json.encode
log = structlog.get_logger(__name__)
_talkative = logging.getLogger(__name__)


def move(caller: Caller, game_id: str, action: object, expected: int | None, asked: Key | None) -> Answer:
    """Let the caller's seat act. The answer's body is a MoveDocument as the caller may see it. Raises Problem."""
    with Counted(game_id) as counted:
        return counted.told(command.run(caller, game_id, asked, step(caller, action, expected)))


class Counted:
    """One move, counted by its ruleset and by what becomes of it; its log lines name its game, version and seat."""

    __slots__ = ("_joined", "_result")

    def __init__(self, game_id: str) -> None:
        self._joined = context.joined(game=game_id)
        self._result = "internal"

    def __enter__(self) -> Self:
        self._joined.__enter__()
        return self

    def told(self, answer: Answer) -> Answer:
        """The move stands, for the first time or again."""
        self._result = "repeated" if answer.again else "accepted"
        return answer

    def __exit__(self, _: object, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is not None:
            problem = as_problem(error)
            self._result = problem.code if problem else "internal"
        rules = context.known("rules")  # not before the game was looked at
        moves(NONE if rules is None else str(rules), self._result).inc()
        if _talkative.isEnabledFor(logging.DEBUG):
            log.debug("move", result=self._result)
        self._joined.__exit__()


def step(caller: Caller, action: object, expected: int | None) -> Step:
    """The decision, on whatever state of the game it is given."""

    def decided(loaded: Loaded, now: datetime) -> Plan:
        table = loaded.table
        context.learnt(rules=table.rules, version=table.version)
        command.require_visible(loaded, caller)
        parsed = parse(table, action)
        seat = command.seat_of(table, caller)
        require_in_control(table, seat)
        require_version(table, expected)
        made = decide(table, seat, parsed, loaded.seed, now)
        context.learnt(version=made.table.version, seat=seat)
        telling = watch.Telling(table, made.records, made.table)
        events = telling.events(seat)
        return Plan(
            move=made,
            cause=Cause(by="player", seat=seat, player_id=caller.player_id, action=action),
            status=201,
            body=lambda head: encode(MoveDocument(version=made.table.version, receipt=head, events=events)),
            telling=telling,
        )

    return decided


def move_key(given: str | None, action: object, expected: int | None) -> Key | None:
    """The identity of a move for repeats, the same over REST and sockets. Raises Problem `validation`."""
    return command.key("move", given, {"action": action, "expected_version": expected})


def resume_key(given: str | None) -> Key | None:
    """The identity of a resume for repeats. Raises Problem `validation`."""
    return command.key("resume", given, {})


def resume(caller: Caller, game_id: str, asked: Key | None) -> Answer:
    """Give the seat back to its player; nothing happens if it is theirs already. The body is the game."""

    def step(loaded: Loaded, now: datetime) -> Plan:
        table = loaded.table
        command.require_visible(loaded, caller)
        seat = command.seat_of(table, caller)
        if table.status != "playing":
            raise Problem("game-state", "not-playing", game_status=table.status)
        chair = table.chairs[seat]
        made = None
        if chair is not None and chair.controller == "bot":
            made = rules.control(table, seat, "player", "returned", now)
        after = msgspec.structs.replace(loaded, table=made.table) if made else loaded
        return Plan(move=made, status=200, body=watch.body(after, caller.player_id))

    return command.run(caller, game_id, asked, step)


def parse(table: Table, action: object) -> Any:
    """The action in its typed form. Raises Problem `validation`."""
    try:
        return table.ruleset.parse_action(action, table.options, table.seats)
    except Invalid as refusal:
        raise invalid_member("action", refusal) from None


def require_in_control(table: Table, seat: int) -> None:
    """The game runs and its player, not a bot, holds the seat. Raises Problem `game-state`."""
    if table.status != "playing":
        raise Problem("game-state", "not-playing", game_status=table.status)
    chair = table.chairs[seat]
    if chair is None or chair.played_by_bot:
        raise Problem("game-state", "bot-in-control")


def require_version(table: Table, expected: int | None) -> None:
    """The caller decided on the game as it stands. Raises Problem `stale-version`."""
    if expected is not None and expected != table.version:
        raise Problem("stale-version", version=table.version)


def decide(table: Table, seat: int, action: Any, seed: bytes, now: datetime) -> rules.Move:
    """The move, decided by the ruleset. Raises Problem `not-your-turn`, `illegal-move` or `validation`.

    The last where only the position tells that a member is out of place.
    """
    try:
        return rules.act(table, seat, action, seed, now)
    except Invalid as refusal:
        raise invalid_member("action", refusal) from None
    except NotYourTurn:
        raise Problem("not-your-turn", to_act=list(table.to_act)) from None
    except RuleViolation as refusal:
        raise Problem("illegal-move", f"reason.{refusal.code}", reason=refusal.code, **refusal.facts) from None
