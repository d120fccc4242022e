"""GG: bet on tricks with lives (rules page gg.md). The ruleset as the rest of the service sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from games.rules.cards import Card
from games.rules.gg import actions, bot, decide, evolve, lives, options, retelling, secrets, sight, state
from games.rules.gg.actions import Action
from games.rules.gg.events import EVENTS, ORDER
from games.rules.gg.options import Options
from games.rules.gg.probing import probes, refusals, sample_options
from games.rules.gg.state import State
from games.rules.gg.texts import TEXTS
from games.rules.gg.view import View, completions, legal_actions
from games.rules.lifecycle import Event, Level, Mode
from games.rules.ruleset import Events, Language, Setup, Standing, Text
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.taking_turns import TakingTurns


class GG(TakingTurns[Options, Action, State, View]):
    key: ClassVar[str] = "gg"
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 8
    order: ClassVar[str] = ORDER
    texts: Mapping[Language, Text] = TEXTS
    options_type = Options
    action_type = Action
    view_type = View
    event_types: Mapping[str, type[Event]] = EVENTS

    def complete_options(self, given: Mapping[str, Any], seats: int, mode: Mode) -> Options:
        return options.complete(given)

    def parse_action(self, given: object, options: Options, seats: int) -> Action:
        return actions.parse(given, options)

    def initial(self, setup: Setup[Options]) -> State:
        return state.initial(setup.options, setup.seats)

    def start(self, state: State, now: datetime, draw: Stream) -> Events:
        return decide.start(state, draw)

    def decide(self, state: State, seat: Seat, action: Action, now: datetime, draw: Stream) -> Events:
        return decide.decide(state, seat, action, draw)

    def evolve(self, state: State, event: Event, at: datetime) -> State:
        return evolve.evolve(state, event)

    def standing(self, state: State) -> Standing | None:
        return lives.standing(state)

    def view(self, state: State, seat: Seat | None) -> View:
        return sight.view(state, seat)

    def redact(self, event: Event, seat: Seat | None, state: State) -> dict[str, Any]:
        return sight.redact(event, seat)

    def legal_actions(self, view: View) -> tuple[Action, ...]:
        return legal_actions(view)

    def completions(self, action: Action, view: View) -> tuple[Action, ...]:
        return completions(action)

    def bot(self, view: View, level: Level, noise: Stream) -> Action:
        return bot.choose(view, level, noise)

    def action_in(self, events: Sequence[Event], state: State) -> tuple[Seat, Action] | None:
        return retelling.action_in(events[0])

    def told(self, event: Event, names: Sequence[str], language: Language) -> str:
        return retelling.told(event, names, language)

    def deeds(self, event: Event, state: State) -> Mapping[Seat, Mapping[str, int]]:
        return retelling.deeds(event)

    def phase(self, state: State) -> str:
        return "bidding-blind" if state.stage == "bidding" and state.cards == 1 else state.stage

    def sample_options(self, noise: Stream) -> tuple[int, dict[str, Any]]:
        return sample_options(noise)

    def probes(self, view: View) -> Iterator[dict[str, Any]]:
        return probes(view)

    def refusals(self, options: Options) -> Mapping[str, frozenset[str]]:
        return refusals(options)

    def deals_afresh(self, event: Event) -> bool:
        return event.type == "hands_dealt"

    def cards_in_play(self, state: State) -> tuple[Card, ...]:
        return (*(card for hand in state.hands for card in hand), *state.shown)

    def secrets(self, state: State, seat: Seat | None) -> frozenset[Card]:
        return secrets.secrets(state, seat)
