"""What can have happened in a game of 27 (api.md, Events; details.md, Shapes). Stored names never change."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from games.rules.cards import Card
from games.rules.lifecycle import Event
from games.rules.seats import Seat
from games.rules.vingtsept.play import AtoutKey

Reason = Literal["best", "triple_nine", "general_bust", "void"]
Slot = int | Literal["hidden"]


class StarterDrawn(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "starter_drawn"
    starter: Seat


class RoundDealt(Event, frozen=True, kw_only=True, omit_defaults=True):
    """`pile` from the top; nobody sees it."""

    type: ClassVar[str] = "round_dealt"
    round: int
    starter: Seat
    visible: dict[Seat, tuple[Card, Card]]
    hidden: dict[Seat, Card]
    pile: tuple[Card, ...]


class AtoutsOffered(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "atouts_offered"
    seat: Seat
    offers: tuple[AtoutKey, ...]


class AtoutPicked(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "atout_picked"
    seat: Seat
    atout: AtoutKey


class CardDrawn(Event, frozen=True, kw_only=True, omit_defaults=True):
    """One card, or the two of a double draw, in the order in which they were turned up."""

    type: ClassVar[str] = "card_drawn"
    seat: Seat
    cards: tuple[Card, ...]


class CardPlaced(Event, frozen=True, kw_only=True, omit_defaults=True):
    """`discarded`: the replaced card, then the unused one of a double draw."""

    type: ClassVar[str] = "card_placed"
    seat: Seat
    slot: Slot
    card: Card
    discarded: tuple[Card, ...]


class Effect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an Atout did; each tells only the members that it has.

    `value` stands beside `card` where it differs, or alone (miroir). `place`: where in the victim's hand a stolen
    Atout lay, told only where the first of its kind was not the one taken.
    """

    parried: bool = False
    threshold: int | None = None
    card: Card | None = None
    value: int | None = None
    atout: AtoutKey | None = None
    place: int | None = None
    discarded: Card | None = None


class AtoutPlayed(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "atout_played"
    seat: Seat
    atout: AtoutKey
    slot: int | None = None
    target: Seat | None = None
    target_slot: int | None = None
    delta: int | None = None
    effect: Effect


class AtoutGiven(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "atout_given"
    seat: Seat
    to: Seat
    atout: AtoutKey


class TurnPassed(Event, frozen=True, kw_only=True, omit_defaults=True):
    """`passes_left` after this pass; null under `random_reveal`."""

    type: ClassVar[str] = "turn_passed"
    seat: Seat
    passes_left: int | None


class TurnSkipped(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "turn_skipped"
    seat: Seat


class PileReshuffled(Event, frozen=True, kw_only=True, omit_defaults=True):
    """The discards as a new pile, from the top."""

    type: ClassVar[str] = "pile_reshuffled"
    cards: tuple[Card, ...]


class ChanceOfReveal(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "chance_of_reveal"
    revealed: bool


class HiddenRevealed(Event, frozen=True, kw_only=True, omit_defaults=True):
    """`values` holds the seats whose hidden card counts other than it shows, and is left out when there are none."""

    type: ClassVar[str] = "hidden_revealed"
    cards: dict[Seat, Card]
    values: dict[Seat, int] | None = None


class DecisionDrawn(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "decision_drawn"
    cards: dict[Seat, Card]


class TripleNine(Event, frozen=True, kw_only=True, omit_defaults=True):
    type: ClassVar[str] = "triple_nine"
    seats: tuple[Seat, ...]


class RoundScored(Event, frozen=True, kw_only=True, omit_defaults=True):
    """`totals` and `losses` hold the seats of the round, `hp` all seats of the game, `out` those that went out now."""

    type: ClassVar[str] = "round_scored"
    totals: dict[Seat, int]
    winners: tuple[Seat, ...]
    price: int
    losses: dict[Seat, int]
    hp: dict[Seat, int]
    out: tuple[Seat, ...]
    reason: Reason


RulesEvent = (
    StarterDrawn
    | RoundDealt
    | AtoutsOffered
    | AtoutPicked
    | CardDrawn
    | CardPlaced
    | AtoutPlayed
    | AtoutGiven
    | TurnPassed
    | TurnSkipped
    | PileReshuffled
    | ChanceOfReveal
    | HiddenRevealed
    | DecisionDrawn
    | TripleNine
    | RoundScored
)

EVENT_TYPES: dict[str, type[Event]] = {
    event.type: event
    for event in (
        StarterDrawn,
        RoundDealt,
        AtoutsOffered,
        AtoutPicked,
        CardDrawn,
        CardPlaced,
        AtoutPlayed,
        AtoutGiven,
        TurnPassed,
        TurnSkipped,
        PileReshuffled,
        ChanceOfReveal,
        HiddenRevealed,
        DecisionDrawn,
        TripleNine,
        RoundScored,
    )
}
