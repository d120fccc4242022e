"""What a seat's action causes. Invariant: refusals come in the order of details.md, and before any event."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from games.rules.errors import NotYourTurn, RuleViolation
from games.rules.ruleset import Events
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.vingtsept import events as told
from games.rules.vingtsept import rounds, turns
from games.rules.vingtsept.actions import Action, Draw, Give, Pass, Pick, Place
from games.rules.vingtsept.play import Play
from games.rules.vingtsept.state import HAND_LIMIT, Phase, State
from games.rules.vingtsept.unfolding import Unfolding

_PHASES: dict[type, tuple[Phase, ...]] = {
    Pick: ("picking", "reward"),
    Draw: ("turn",),
    Play: ("turn",),
    Pass: ("turn",),
    Place: ("placing", "double-placing"),
}


def start(state: State, now: datetime, draw: Stream) -> Events:
    """The events from the drawing of the starter to the first choice."""
    run = Unfolding(state, now, draw)
    rounds.begin(run)
    return tuple(run.events)


def decide(state: State, seat: Seat, action: Action, now: datetime, draw: Stream) -> Events:
    """The events that `action` causes. Raises NotYourTurn, RuleViolation, or Invalid for a `card` out of place."""
    run = Unfolding(state, now, draw)
    if isinstance(action, Give):
        _give(run, seat, action)
        return tuple(run.events)
    if seat not in state.to_act:
        raise NotYourTurn(to_act=list(state.to_act))
    if state.phase not in _PHASES[type(action)]:
        raise RuleViolation("wrong-phase", phase=state.phase)
    match action:
        case Pick():
            _pick(run, seat, action)
        case Draw():
            turns.draw(run, seat)
        case Place():
            turns.place(run, seat, action)
        case Play():
            turns.play(run, seat, action)
        case Pass():
            turns.go_by(run, seat)
        case _:
            assert_never(action)
    return tuple(run.events)


def _pick(run: Unfolding, seat: Seat, action: Pick) -> None:
    """Keep one of the offers; the next three follow while picks are left (vingtsept.md, Round)."""
    if action.atout not in run.state.holdings[seat].offers:
        raise RuleViolation("not-offered", atout=action.atout)
    run.add(told.AtoutPicked(seat=seat, atout=action.atout))
    if run.state.phase == "picking" and run.state.holdings[seat].picks_left:
        rounds.offer(run, seat, rounds.OFFERS)
    _after_reward(run)


def _give(run: Unfolding, seat: Seat, action: Give) -> None:
    """vingtsept.md, Teams: to the team-mate, whenever the game waits for somebody (Decision 17)."""
    state = run.state
    if not state.to_act:
        raise NotYourTurn(to_act=[])
    if action.to != state.mate(seat):
        raise RuleViolation("not-team-mate", to=action.to)
    if action.atout not in state.holdings[seat].atouts:
        raise RuleViolation("not-held", atout=action.atout)
    if state.held(action.to) >= HAND_LIMIT:
        raise RuleViolation("hand-full", to=action.to)
    run.add(told.AtoutGiven(seat=seat, to=action.to, atout=action.atout))
    _after_reward(run)


def _after_reward(run: Unfolding) -> None:
    """The next round begins once the holder of a Triple Nine has its reward, or no room for more of it."""
    if run.state.phase == "reward" and not run.state.to_act:
        rounds.next_round(run)
