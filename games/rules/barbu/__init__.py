"""Barbu: contracts of avoidance, and one patience (barbu.md). This module puts the ruleset's parts together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from games.rules.barbu import bot, retelling, sampling
from games.rules.barbu import decide as deciding
from games.rules.barbu import evolve as evolving
from games.rules.barbu import view as viewing
from games.rules.barbu.actions import Action, Declare
from games.rules.barbu.dealing import pack_of
from games.rules.barbu.events import EVENTS
from games.rules.barbu.options import Options
from games.rules.barbu.state import State
from games.rules.barbu.texts import TEXTS
from games.rules.barbu.view import View
from games.rules.cards import Card
from games.rules.errors import Invalid
from games.rules.lifecycle import Event, Level, Mode
from games.rules.ruleset import Events, Language, Setup, Standing, Text
from games.rules.scoring import ranked
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.taking_turns import TakingTurns
from games.rules.tricks import Play
from games.rules.wire import known_card, read


class Barbu(TakingTurns[Options, Action, State, View]):
    key: ClassVar[str] = "barbu"
    min_seats: ClassVar[int] = 3
    max_seats: ClassVar[int] = 5
    texts: Mapping[Language, Text] = TEXTS
    options_type = Options
    action_type: Any = Action
    view_type = View
    event_types: Mapping[str, type[Event]] = EVENTS
    shown_with: ClassVar[Mapping[str, Any]] = {"last_tricks": {"contracts": ["last_tricks"]}}
    order = (  # details.md, Order of events
        r"game_started declarer_drawn "
        r"((pack_shuffled pack_cut )?hands_dealt contract_declared "
        r"(((card_played )+trick_taken )+|(turn_passed |card_played (seat_out )?)+)deal_scored )+game_finished "
    )

    def complete_options(self, given: Mapping[str, Any], seats: int, mode: Mode) -> Options:
        options = super().complete_options(given, seats, mode)
        for field in ("contracts", "always"):
            chosen = getattr(options, field)
            if len(set(chosen)) < len(chosen):
                raise Invalid(field, "conflict", repeated=sorted({word for word in chosen if chosen.count(word) > 1}))
        if "salad" in options.contracts and not set(options.contracts) - {"salad", "patience"}:
            raise Invalid("contracts", "conflict", alone="salad")
        return options

    def parse_action(self, given: object, options: Options, seats: int) -> Action:
        action: Action = read(given, Action)
        if isinstance(action, Play):
            known_card(action.card, pack_of(seats))
        if isinstance(action, Declare) and action.contract not in options.contracts:
            raise Invalid("contract", "choice")
        return action

    def initial(self, setup: Setup[Options]) -> State:
        return State(
            seats=setup.seats,
            options=setup.options,
            lists=(setup.options.contracts,) * setup.seats,
            hands=((),) * setup.seats,
            totals=(0,) * setup.seats,
        )

    def start(self, state: State, now: datetime, draw: Stream) -> Events:
        return deciding.start(state, draw)

    def decide(self, state: State, seat: Seat, action: Action, now: datetime, draw: Stream) -> Events:
        return deciding.decide(state, seat, action, draw)

    def evolve(self, state: State, event: Event, at: datetime) -> State:
        return evolving.evolve(state, event)

    def standing(self, state: State) -> Standing | None:
        if state.phase != "over":
            return None
        return ranked(state.totals, [-total for total in state.totals])

    def view(self, state: State, seat: Seat | None) -> View:
        return viewing.view(state, seat)

    def redact(self, event: Event, seat: Seat | None, state: State) -> dict[str, Any]:
        return viewing.redact(event, seat)

    def legal_actions(self, view: View) -> tuple[Action, ...]:
        return viewing.legal_actions(view)

    def bot(self, view: View, level: Level, noise: Stream) -> Action:
        return bot.choose(view, level, noise)

    def action_in(self, events: Sequence[Event], state: State) -> tuple[Seat, Action] | None:
        return retelling.action_in(events[0], state)

    def told(self, event: Event, names: Sequence[str], language: Language) -> str:
        return retelling.told(event, names, language)

    def deeds(self, event: Event, state: State) -> Mapping[Seat, Mapping[str, int]]:
        return retelling.deeds(event, state)

    # --- what the conformance suite asks

    def phase(self, state: State) -> str:
        return state.phase

    def sample_options(self, noise: Stream) -> tuple[int, dict[str, Any]]:
        seats = self.min_seats + noise.below(self.max_seats - self.min_seats + 1)
        return seats, sampling.options(noise)

    def probes(self, view: View) -> Iterator[dict[str, Any]]:
        return sampling.probes(view)

    def refusals(self, options: Options) -> Mapping[str, frozenset[str]]:
        return sampling.refusals(options)

    def deals_afresh(self, event: Event) -> bool:
        return event.type in {"pack_shuffled", "hands_dealt"}

    def cards_in_play(self, state: State) -> tuple[Card, ...]:
        return (*state.pack, *(card for hand in state.hands for card in hand), *sampling.seen(state))

    def secrets(self, state: State, seat: Seat | None) -> frozenset[Card]:
        return sampling.secrets(state, seat)
