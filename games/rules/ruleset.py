"""What every ruleset fulfils. A new game is one folder with a class like this and one line in `registry.py`.

All members are pure. `decide` may refuse, `evolve` may not: history is not up for debate. Whatever a viewer may
not see must be absent from `view` and `redact`; both are allow-lists, built from nothing up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

import msgspec

from games.rules.cards import Card
from games.rules.lifecycle import Event, Level, Mode, Place
from games.rules.seats import Seat
from games.rules.stream import Stream

Language = Literal["en", "fr"]
Seats = tuple[Seat, ...]
Standing = tuple[Place, ...]
Events = tuple[Event, ...]

Options = TypeVar("Options", bound=msgspec.Struct)
Action = TypeVar("Action", bound=msgspec.Struct)
State = TypeVar("State")
View = TypeVar("View", bound=msgspec.Struct)


class Choice(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
    forbid_unknown_fields=True,
):
    """Base of all actions: tagged by `type`, strict. Subclasses give `tag="…"`."""


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """What people read of a ruleset in one language. `options` explains each option; `rules` is Markdown."""

    title: str
    summary: str
    options: dict[str, str]
    rules: str


class Setup(msgspec.Struct, Generic[Options], frozen=True, kw_only=True):
    """What is fixed when a game starts."""

    seats: int
    options: Options
    mode: Mode


class Ruleset(Protocol[Options, Action, State, View]):
    key: ClassVar[str]
    rules_version: ClassVar[int]  # raised when the same actions would give other events
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]
    texts: Mapping[Language, Text]

    options_type: type[Options]  # defaults filled in, described for the JSON Schema
    action_type: Any  # a tagged union of Choice structs
    view_type: type[View]
    event_types: Mapping[str, type[Event]]  # by stored name, lifecycle events excluded

    # --- before the start ---------------------------------------------------------------------------------

    def complete_options(self, given: Mapping[str, Any], seats: int, mode: Mode) -> Options:
        """The complete options, defaults filled in. Raises Invalid for an unknown, mistyped or forbidden one."""

    def team_of(self, options: Options, seat: Seat) -> int | None:
        """The team that a seat plays for, or None where each plays for itself."""

    def parse_action(self, given: object, options: Options, seats: int) -> Action:
        """The action in its typed form. Raises Invalid for what no state of such a game could accept by its shape.

        Wrong types, unknown words, unknown members and cards that the pack does not hold are Invalid; numbers out
        of range are not (they are refused by `decide`, details.md, Shapes).
        """

    # --- play -----------------------------------------------------------------------------------------------

    def initial(self, setup: Setup[Options]) -> State:
        """The state right after `game_started`, before the ruleset's first own event."""

    def start(self, state: State, now: datetime, draw: Stream) -> Events:
        """The first events of the game."""

    def decide(self, state: State, seat: Seat, action: Action, now: datetime, draw: Stream) -> Events:
        """All events that `action` causes without another choice. Raises NotYourTurn or RuleViolation.

        Invalid only where the position alone tells that a member is out of place (`card` after a plain draw).
        """

    def evolve(self, state: State, event: Event, at: datetime) -> State:
        """The state after one of this ruleset's events."""

    def to_act(self, state: State) -> Seats:
        """Whom the game waits for, in seat order; empty once it is over."""

    def turn(self, state: State, seat: Seat) -> int:
        """A number for what `seat` (one of `to_act`) has to do; while it stays the same, so does its clock."""

    def time_limit(self, state: State, seat: Seat) -> float:
        """Seconds for the present turn of `seat` (one of `to_act`), counted from when the turn began."""

    def alarm(self, state: State) -> datetime | None:
        """When the game moves by itself although nobody acts; None for rulesets without such a moment."""

    def ring(self, state: State, now: datetime, draw: Stream) -> Events:
        """The events of that moment; asked for only when `alarm` has passed."""

    def standing(self, state: State) -> Standing | None:
        """Every seat's place once the game is over, else None."""

    # --- what a viewer may see (a seat, or None for a spectator) ----------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        """What this viewer knows. A seat's view says which seat it is for and holds all that its choices need."""

    def redact(self, event: Event, seat: Seat | None, state: State) -> dict[str, Any]:
        """An event's data for this viewer, given the state *before* it (details.md, Events are redacted …)."""

    def legal_actions(self, view: View) -> tuple[Action, ...]:
        """Every action that the view's seat may take now, as it would be sent; from the view alone."""

    def may_act(self, state: State, seat: Seat) -> bool:
        """Whether it is worth asking: False only where `legal_actions` of the seat's view are none."""

    def completions(self, action: Action, view: View) -> tuple[Action, ...]:
        """The actions that an entry of `legal_actions` stands for: itself, or a template filled in all ways."""

    def bot(self, view: View, level: Level, noise: Stream) -> Action:
        """What a bot does with this view. `noise` is its own source, never the game's stream."""

    # --- what is read off a game that has been played ---------------------------------------------------------

    def action_in(self, events: Sequence[Event], state: State) -> tuple[Seat, Action] | None:
        """Who did what, given the state before a move and its first events; None where no action begins so.

        The exact inverse of `decide`: whoever decides that action once more gets the move's events. Two events are
        enough to tell; nothing is checked here.
        """

    def told(self, event: Event, names: Sequence[str], language: Language) -> str:
        """The event as a sentence or two for people, everything unhidden; `names` by seat. Empty if it says nothing."""

    def deeds(self, event: Event, state: State) -> Mapping[Seat, Mapping[str, int]]:
        """What an event adds to the statistics of seats, given the state before it, by keys such as `bids.met`."""

    # --- what the conformance suite asks ----------------------------------------------------------------------

    def phase(self, state: State) -> str:
        """A word for the kind of decision that is open (`bidding`, `tricks`, …)."""

    def sample_options(self, noise: Stream) -> tuple[int, dict[str, Any]]:
        """A random number of seats and random given options, over all that is allowed."""

    def probes(self, view: View) -> Iterator[dict[str, Any]]:
        """Actions in wire form worth trying now, legal or not, over the whole action space."""

    def refusals(self, options: Options) -> Mapping[str, frozenset[str]]:
        """By phase, every code with which `decide` can refuse a parsed action there (`not-your-turn` included).

        Only what games with these options can meet: no phase and no code that they make impossible.
        """

    def deals_afresh(self, event: Event) -> bool:
        """Whether this event lays a whole pack out anew: it alone says where cards lie from then on."""

    def cards_in_play(self, state: State) -> tuple[Card, ...]:
        """Every card whose place the state knows, wherever it lies: hands, table, taken, discards, pile.

        None may be there twice, and the set stays the same from one event that `deals_afresh` to the next. A state
        that remembers no cards after the scoring may give () there.
        """

    def secrets(self, state: State, seat: Seat | None) -> frozenset[Card]:
        """The cards of the pack that this viewer has had no sight of since the last event that `deals_afresh`.

        Undealt ones belong to them. Written from the rules page alone ("Who may see what"), never by asking `view`
        or `redact`: the conformance suite swaps these cards and demands that nothing changes for the viewer.
        """
