"""27: three cards, a threshold not to pass, and 17 Atouts (rules page vingtsept.md).

Reading order: options, actions, events, state, evolve, decide (rounds, turns, scoring), atouts, view, redact, legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from games.rules.cards import Card
from games.rules.lifecycle import Event, Level, Mode
from games.rules.ruleset import Events, Language, Seats, Setup, Standing, Text
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.vingtsept import bot, decide, legal, options, redact, retelling, sampling, scoring
from games.rules.vingtsept.actions import Action, parse
from games.rules.vingtsept.cards import PACK
from games.rules.vingtsept.events import EVENT_TYPES, RoundDealt
from games.rules.vingtsept.evolve import evolve
from games.rules.vingtsept.options import Options
from games.rules.vingtsept.order import ORDER
from games.rules.vingtsept.state import TEAMS, State, initial
from games.rules.vingtsept.texts import ATOUTS_TOLD, TEXTS, AtoutText
from games.rules.vingtsept.view import View, view


class Vingtsept:
    key: ClassVar[str] = "vingtsept"
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 4
    order: ClassVar[str] = ORDER

    texts: Mapping[Language, Text] = TEXTS
    atouts: Mapping[Language, tuple[AtoutText, ...]] = ATOUTS_TOLD

    options_type = Options
    action_type = Action
    view_type = View
    event_types: Mapping[str, type[Event]] = EVENT_TYPES

    def complete_options(self, given: Mapping[str, Any], seats: int, mode: Mode) -> Options:
        return options.complete(given, seats, mode)

    def team_of(self, options: Options, seat: Seat) -> int | None:
        return seat % TEAMS if options.teams else None

    def parse_action(self, given: object, options: Options, seats: int) -> Action:
        del options, seats
        return parse(given)

    def initial(self, setup: Setup[Options]) -> State:
        return initial(setup.options, setup.seats)

    def start(self, state: State, now: datetime, draw: Stream) -> Events:
        return decide.start(state, now, draw)

    def decide(self, state: State, seat: Seat, action: Action, now: datetime, draw: Stream) -> Events:
        return decide.decide(state, seat, action, now, draw)

    def evolve(self, state: State, event: Event, at: datetime) -> State:
        return evolve(state, event, at)

    def to_act(self, state: State) -> Seats:
        return state.to_act

    def turn(self, state: State, seat: Seat) -> int:
        return state.holdings[seat].turn

    def time_limit(self, state: State, seat: Seat) -> float:
        del seat
        return float(state.options.move_seconds)

    def alarm(self, state: State) -> datetime | None:
        del state
        return None

    def ring(self, state: State, now: datetime, draw: Stream) -> Events:
        del state, now, draw
        return ()

    def standing(self, state: State) -> Standing | None:
        return scoring.standing(state)

    def view(self, state: State, seat: Seat | None) -> View:
        return view(state, seat)

    def redact(self, event: Event, seat: Seat | None, state: State) -> dict[str, Any]:
        del state
        return redact.redact(event, seat)

    def legal_actions(self, view: View) -> tuple[Action, ...]:
        return legal.legal_actions(view)

    def may_act(self, state: State, seat: Seat) -> bool:
        """Gifts to the team-mate are possible whenever the game waits for somebody."""
        to_act = state.to_act
        return seat in to_act or (state.options.teams and bool(to_act))

    def completions(self, action: Action, view: View) -> tuple[Action, ...]:
        del view
        return (action,)

    def bot(self, view: View, level: Level, noise: Stream) -> Action:
        return bot.choose(view, level, noise)

    def action_in(self, events: Sequence[Event], state: State) -> tuple[Seat, Action] | None:
        return retelling.action_in(events, state)

    def told(self, event: Event, names: Sequence[str], language: Language) -> str:
        return retelling.told(event, names, language)

    def deeds(self, event: Event, state: State) -> Mapping[Seat, Mapping[str, int]]:
        return retelling.deeds(event)

    def phase(self, state: State) -> str:
        return state.phase

    def sample_options(self, noise: Stream) -> tuple[int, dict[str, Any]]:
        return sampling.sample_options(noise)

    def probes(self, view: View) -> Iterator[dict[str, Any]]:
        return sampling.probes(view)

    def refusals(self, options: Options) -> Mapping[str, frozenset[str]]:
        return sampling.refusals(options)

    def deals_afresh(self, event: Event) -> bool:
        return isinstance(event, RoundDealt)

    def cards_in_play(self, state: State) -> tuple[Card, ...]:
        """Those of the round's pack; what a Decision drew from its separate pack belongs to no round."""
        return tuple(state.cards())

    def secrets(self, state: State, seat: Seat | None) -> frozenset[Card]:
        known = state.sighted if seat is None else state.sighted | state.holdings[seat].sighted
        return frozenset(PACK) - known
