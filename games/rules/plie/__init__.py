"""Plie: announce exactly the tricks you will take (plie.md). This module puts the ruleset's parts together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from games.rules.cards import Card
from games.rules.lifecycle import Event, Level
from games.rules.plie import bot, retelling
from games.rules.plie import decide as deciding
from games.rules.plie import evolve as evolving
from games.rules.plie import view as viewing
from games.rules.plie.actions import Action
from games.rules.plie.deals import PACK
from games.rules.plie.events import EVENTS
from games.rules.plie.options import Options
from games.rules.plie.state import State
from games.rules.plie.texts import TEXTS
from games.rules.plie.view import View
from games.rules.ruleset import Events, Language, Setup, Standing, Text
from games.rules.scoring import ranked
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.taking_turns import TakingTurns
from games.rules.tricks import Play
from games.rules.wire import known_card, read


class Plie(TakingTurns[Options, Action, State, View]):
    key: ClassVar[str] = "plie"
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 8
    texts: Mapping[Language, Text] = TEXTS
    options_type = Options
    action_type: Any = Action
    view_type = View
    event_types: Mapping[str, type[Event]] = EVENTS
    order = (  # details.md, Order of events
        r"game_started dealer_drawn "
        r"(hands_dealt (bid_made )+((card_played )+trick_taken )+deal_scored )+game_finished "
    )

    def parse_action(self, given: object, options: Options, seats: int) -> Action:
        action: Action = read(given, Action)
        if isinstance(action, Play):
            known_card(action.card, PACK)
        return action

    def initial(self, setup: Setup[Options]) -> State:
        nothing = (0,) * setup.seats
        return State(
            seats=setup.seats, options=setup.options, hands=((),) * setup.seats, tricks=nothing, totals=nothing
        )

    def start(self, state: State, now: datetime, draw: Stream) -> Events:
        return deciding.start(state, draw)

    def decide(self, state: State, seat: Seat, action: Action, now: datetime, draw: Stream) -> Events:
        return deciding.decide(state, seat, action, draw)

    def evolve(self, state: State, event: Event, at: datetime) -> State:
        return evolving.evolve(state, event)

    def standing(self, state: State) -> Standing | None:
        return ranked(state.totals, state.totals) if state.phase == "over" else None

    def view(self, state: State, seat: Seat | None) -> View:
        return viewing.view(state, seat)

    def redact(self, event: Event, seat: Seat | None, state: State) -> dict[str, Any]:
        return viewing.redact(event, seat)

    def legal_actions(self, view: View) -> tuple[Action, ...]:
        return viewing.legal_actions(view)

    def bot(self, view: View, level: Level, noise: Stream) -> Action:
        return bot.choose(view, level, noise)

    def action_in(self, events: Sequence[Event], state: State) -> tuple[Seat, Action] | None:
        return retelling.action_in(events[0])

    def told(self, event: Event, names: Sequence[str], language: Language) -> str:
        return retelling.told(event, names, language)

    def deeds(self, event: Event, state: State) -> Mapping[Seat, Mapping[str, int]]:
        return retelling.deeds(event)

    # --- what the conformance suite asks

    def phase(self, state: State) -> str:
        return state.phase

    def sample_options(self, noise: Stream) -> tuple[int, dict[str, Any]]:
        given: dict[str, Any] = {}
        if noise.below(4):
            given["hook"] = noise.below(2) == 1
        if noise.below(2):
            given["move_seconds"] = (5, 6 + noise.below(114), 120)[noise.below(3)]
        return self.min_seats + noise.below(self.max_seats - self.min_seats + 1), given

    def probes(self, view: View) -> Iterator[dict[str, Any]]:
        for tricks in range(-1, view.cards + 2):
            yield {"type": "bid", "tricks": tricks}
        for card in PACK:
            yield {"type": "play", "card": card}

    def refusals(self, options: Options) -> Mapping[str, frozenset[str]]:
        always = {"not-your-turn", "wrong-phase"}
        hook = {"bid-forbidden"} if options.hook else set()
        return {
            "bidding": frozenset({*always, "bid-range", *hook}),
            "tricks": frozenset({*always, "not-in-hand", "must-follow-suit"}),
        }

    def deals_afresh(self, event: Event) -> bool:
        return event.type == "hands_dealt"

    def cards_in_play(self, state: State) -> tuple[Card, ...]:
        out_of_play = (state.turned,) if state.turned is not None and state.turned_from == "pack" else ()
        return (*(card for hand in state.hands for card in hand), *_played(state), *out_of_play)

    def secrets(self, state: State, seat: Seat | None) -> frozenset[Card]:
        """plie.md, Who may see what: all but what was played, the turned card and one's own hand."""
        own = () if seat is None else state.hands[seat]
        return frozenset(PACK) - {*own, *_played(state), *((state.turned,) if state.turned else ())}


def _played(state: State) -> Iterator[Card]:
    yield from (card for _, cards in state.taken for _, card in cards)
    yield from (card for _, card in state.trick)
