"""What happens in Barbu (api.md, Events; details.md, Shapes)."""

from __future__ import annotations

from typing import ClassVar

from games.rules.barbu.options import Contract
from games.rules.cards import Card
from games.rules.lifecycle import Event
from games.rules.seats import Seat
from games.rules.tricks import CardPlayed, TrickTaken


class DeclarerDrawn(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "declarer_drawn"
    declarer: Seat


class PackShuffled(Event, frozen=True, kw_only=True):
    """`cards`: the pack as it lies after the choice, top first, shuffled or not. No viewer is ever sent it."""

    type: ClassVar[str] = "pack_shuffled"
    seat: Seat
    shuffled: bool
    cards: tuple[Card, ...]


class PackCut(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "pack_cut"
    seat: Seat
    at: int


class HandsDealt(Event, frozen=True, kw_only=True):
    """`hands` stand in the order dealt."""

    type: ClassVar[str] = "hands_dealt"
    deal: int
    declarer: Seat
    hands: dict[Seat, tuple[Card, ...]]
    by: int


class ContractDeclared(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "contract_declared"
    seat: Seat
    contract: Contract


class TurnPassed(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "turn_passed"
    seat: Seat


class SeatOut(Event, frozen=True, kw_only=True):
    """A seat has laid its last card in the patience, as the first or the second."""

    type: ClassVar[str] = "seat_out"
    seat: Seat
    rank: int


class DealScored(Event, frozen=True, kw_only=True):
    """`slam`: who took every trick of the full deal; None after an early end and in the patience."""

    type: ClassVar[str] = "deal_scored"
    contract: Contract
    points: dict[Seat, int]
    totals: dict[Seat, int]
    slam: Seat | None


EVENTS: dict[str, type[Event]] = {
    event.type: event
    for event in (
        DeclarerDrawn,
        PackShuffled,
        PackCut,
        HandsDealt,
        ContractDeclared,
        CardPlayed,
        TrickTaken,
        TurnPassed,
        SeatOut,
        DealScored,
    )
}
