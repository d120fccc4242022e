"""What a round costs and whom (vingtsept.md, Reveal, Price; Decisions 3, 13, 23, 28). Pure sums, no events unfold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta

from games.rules.lifecycle import Place
from games.rules.scoring import ranked
from games.rules.seats import Seat
from games.rules.vingtsept.atouts import ATOUTS
from games.rules.vingtsept.events import Reason, RoundScored
from games.rules.vingtsept.state import State

FIRST_PRICES = (5, 10, 15)
LATER_PRICES = ((timedelta(minutes=30), 30), (timedelta(minutes=15), 15))
GENERAL_BUST_PRICE = 5


def price(round_number: int, lasted: timedelta) -> int:
    """The price by the time from deal to reveal; exactly 15 minutes is "from 15 min" (Decision 24)."""
    for since, amount in LATER_PRICES:
        if lasted >= since:
            return amount
    return FIRST_PRICES[min(round_number, len(FIRST_PRICES)) - 1]


def leaders(totals: Mapping[Seat, int], threshold: int) -> tuple[Seat, ...]:
    """The seats with the best total not above the threshold; none if all of them bust."""
    best = max((total for total in totals.values() if total <= threshold), default=None)
    return tuple(seat for seat, total in totals.items() if total == best)


def scored(state: State, winning_side: int | None, reason: Reason, lasted: timedelta) -> RoundScored:
    """The round's result. No side wins a general bust or a void round."""
    amount = _charged(state, reason, lasted)
    before = {seat: state.holdings[seat].hp for seat in range(state.seats)}
    after = dict(before)
    if reason != "void":
        for seat in state.in_round:
            if state.side(seat) != winning_side:
                after[seat] = _hp_left(state, seat, amount)
    if reason == "general_bust" and not any(after[seat] for seat in state.in_round):
        after.update(dict.fromkeys(state.in_round, 1))  # Decision 3
    return RoundScored(
        totals={seat: state.holdings[seat].total for seat in state.in_round},
        winners=tuple(seat for seat in state.in_round if state.side(seat) == winning_side),
        price=amount,
        losses={seat: before[seat] - after[seat] for seat in state.in_round},
        hp=after,
        out=tuple(seat for seat in state.in_round if after[seat] == 0),
        reason=reason,
    )


def _charged(state: State, reason: Reason, lasted: timedelta) -> int:
    """What a loser is charged before shields (details.md, Shapes); a raise has no effect on a general bust."""
    if reason == "void":
        return 0
    if reason == "general_bust":
        return GENERAL_BUST_PRICE
    amount = price(state.round, lasted)
    for key in state.effects:
        amount = ATOUTS[key].price(amount)
    return amount


def _hp_left(state: State, seat: Seat, amount: int) -> int:
    """What the seat (its team) keeps: shields first, then rescue (Decision 28); team-mates' effects count for both."""
    effects = _effects_on_side(state, seat)
    for key in effects:
        amount = ATOUTS[key].loss(amount)
    hp = max(state.holdings[seat].hp - amount, 0)
    for key in effects:
        hp = ATOUTS[key].hp_left(hp)
    return hp


def _effects_on_side(state: State, seat: Seat) -> Collection[str]:
    """Each kind once, whoever of the team it lies on (Decision 13)."""
    mate = state.mate(seat)
    own = state.holdings[seat].effects
    return own if mate is None else own | state.holdings[mate].effects


def standing(state: State) -> tuple[Place, ...] | None:
    """vingtsept.md, End and standing: those still in by HP, then the others, later out is better (Decision 27)."""
    if state.phase != "over":
        return None
    merits = [(1, holding.hp) if holding.still_in else (0, holding.out_round) for holding in state.holdings]
    return ranked([holding.hp for holding in state.holdings], merits)
