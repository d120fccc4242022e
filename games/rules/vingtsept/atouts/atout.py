"""What an Atout is: what it needs, whether it may be played, what it does, and what of it is hidden.

An Atout tells its effect as an event (`effect`, the only place that may draw) and applies it from that event alone
(`apply`). Effects that last are marked on the seat or on the round by the Atout's key; the moments at which they
count (a turn begins, the price is named, a seat loses) ask the marked Atouts through the hooks below.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product
from typing import Any, ClassVar, Protocol

import msgspec

from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.vingtsept.events import AtoutPlayed, Effect
from games.rules.vingtsept.play import DELTAS, SLOTS, AtoutKey, Parameter, Play
from games.rules.vingtsept.state import State


class Board(Protocol):
    """What everybody sees of the table, as a state and a view both tell it; refusals rest on this alone."""

    def opponents(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats still in that are not team-mates of `seat`."""

    def held(self, seat: Seat) -> int:
        """How many Atouts the seat holds."""

    @property
    def has_discard(self) -> bool:
        """Whether a card lies on the discards."""

    @property
    def round_effects(self) -> Collection[AtoutKey]:
        """The Atouts whose effect lies on the whole round."""


class Atout:
    """An Atout without parameters that does nothing; units override what they have."""

    key: ClassVar[AtoutKey]
    number: ClassVar[int]  # its place on the rules page
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    in_teams: ClassVar[bool] = True  # offered there too

    cards_needed: ClassVar[int] = 0  # taken from the pile by its effect
    cards_turned_up: ClassVar[int] = 0  # drawn after it, one of them to be placed in the same turn

    public: ClassVar[tuple[str, ...]] = ()  # members of the effect that everybody sees
    private: ClassVar[tuple[str, ...]] = ()  # members that only the insiders see

    # How a lasting effect counts while it lies on a seat.
    ends_with_turn: ClassVar[bool] = False  # it is used up by the seat's next turn, played or skipped
    skips_turn: ClassVar[bool] = False
    bars_atouts: ClassVar[bool] = False
    parries: ClassVar[bool] = False  # it cancels an Atout aimed at the seat, and is used up by that

    def refusal(self, board: Board, seat: Seat, play: Play) -> str | None:
        """Why it may not be played now, beyond what its parameters say by themselves; None if it may."""
        del board, seat, play
        return None

    def effect(self, state: State, seat: Seat, play: Play, draw: Stream) -> Effect:
        """What happens when it is played unparried."""
        del state, seat, play, draw
        return Effect()

    def apply(self, state: State, event: AtoutPlayed) -> State:
        """The state after its effect; it has left the hand already."""
        del event
        return state

    def insiders(self, event: AtoutPlayed, member: str) -> tuple[Seat, ...]:
        """Who sees a private member of its effect."""
        del member
        return (event.seat,)

    def price(self, price: int) -> int:
        """The round's price, while its effect lies on the round."""
        return price

    def loss(self, loss: int) -> int:
        """What the seat (its team) loses, while its effect lies on the seat."""
        return loss

    def hp_left(self, hp: int) -> int:
        """What the seat keeps, while its effect lies on the seat."""
        return hp

    # The same for all.

    def refusal_of(self, board: Board, seat: Seat, play: Play) -> str | None:
        """Why it may not be played so, from its parameters on; None if it may."""
        for name in self.parameters:
            value = getattr(play, name)
            if value not in choices(board, seat, name):
                return "slot" if name == "target_slot" else name
        return self.refusal(board, seat, play)

    def plays(self, board: Board, seat: Seat) -> Iterator[Play]:
        """Every way in which it may be played now."""
        for values in product(*(choices(board, seat, name) for name in self.parameters)):
            given: dict[str, Any] = dict(zip(self.parameters, values, strict=True))
            play = Play(atout=self.key, **given)
            if self.refusal(board, seat, play) is None:
                yield play

    def shown(self, event: AtoutPlayed, viewer: Seat | None) -> dict[str, Any]:
        """The members of its effect that this viewer sees, as JSON values."""
        told: dict[str, Any] = msgspec.to_builtins(event.effect)
        allowed = {"parried", *self.public}
        allowed |= {member for member in self.private if viewer in self.insiders(event, member)}
        return {member: value for member, value in told.items() if member in allowed}


def choices(board: Board, seat: Seat, parameter: Parameter) -> tuple[int, ...]:
    """The values that a parameter may have."""
    if parameter == "target":
        return board.opponents(seat)
    return DELTAS if parameter == "delta" else SLOTS
