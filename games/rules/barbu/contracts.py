"""What the contracts of Barbu cost, and when a deal under one is over (barbu.md, Contracts; Decisions 1, 6, 7, 11).

Here: prices and ends, for `decide` and for bots alike. Not here: the way of a patience.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import assert_never

from games.rules.barbu.dealing import pack_of
from games.rules.barbu.options import Always, Contract, Options
from games.rules.cards import Card
from games.rules.seats import Seat
from games.rules.tricks import Taken

KING_OF_HEARTS = "KH"
QUEENS = frozenset({"QC", "QD", "QH", "QS"})
SLAM = -100
PATIENCE = (-100, -50)  # first out, second out


def needed(contract: Contract, cards: Iterable[Card]) -> frozenset[Card]:
    """The cards of the pack after whose last one the deal ends; empty if it ends with the last card."""
    match contract:
        case "king_of_hearts":
            return frozenset({KING_OF_HEARTS})
        case "queens":
            return QUEENS
        case "hearts":
            return frozenset(card for card in cards if card[1] == "H")
        case "tricks" | "salad" | "last_tricks" | "patience":
            return frozenset()
        case _:
            assert_never(contract)


def is_over(contract: Contract, cards: Iterable[Card], in_hand: Collection[Card]) -> bool:
    """Whether a complete trick that leaves these cards in the hands was the deal's last."""
    wanted = needed(contract, cards)
    return not in_hand or (bool(wanted) and wanted.isdisjoint(in_hand))


def parts(contract: Contract, listed: Iterable[Contract]) -> tuple[Contract, ...]:
    """The trick contracts that count: itself, or for the salad all others on the table's list."""
    if contract != "salad":
        return (contract,)
    return tuple(other for other in listed if other not in {"salad", "patience"})


def card_cost(contract: Contract, card: Card, options: Options) -> int:
    """What taking that card costs: the dearer of what the contract asks and what `always` gives it."""
    asked = sum(_price(part, card, options) for part in parts(contract, options.contracts))
    return max([asked, *(_price(kind, card, options) for kind in options.always)])


@lru_cache(maxsize=256)
def _card_costs(contract: Contract, options: Options) -> Mapping[Card, int]:
    """`card_cost` of every card."""
    return {card: card_cost(contract, card, options) for card in pack_of(4)}


def _price(kind: Contract | Always, card: Card, options: Options) -> int:
    values = options.values
    match kind:
        case "king_of_hearts":
            return values.king_of_hearts if card == KING_OF_HEARTS else 0
        case "queens":
            if card not in QUEENS:
                return 0
            return values.queen_of_hearts if card == "QH" else values.other_queens
        case "hearts" | "tricks":
            return values.heart if card[1] == "H" else 0
        case "last_tricks" | "salad" | "patience":
            return 0
        case _:
            assert_never(kind)


def trick_cost(contract: Contract, place: int, tricks: int, options: Options) -> int:
    """What a trick costs beside its cards; `place` counts from 0 among the deal's full number of tricks."""
    counting = parts(contract, options.contracts)
    cost = options.values.trick if "tricks" in counting else 0
    if "last_tricks" in counting and place >= tricks - options.last_tricks:
        cost += options.values.last_trick
    return cost


def slam(taken: Sequence[Taken], tricks: int) -> Seat | None:
    """The seat that took every trick of the full deal."""
    takers = {seat for seat, _ in taken}
    return takers.pop() if len(taken) == tricks and len(takers) == 1 else None


def points(contract: Contract, taken: Sequence[Taken], tricks: int, seats: int, options: Options) -> dict[Seat, int]:
    """Points of a deal under a trick contract; `tricks` is the full number, `taken` what was played of it."""
    winner = slam(taken, tricks)
    if winner is not None:
        return {seat: SLAM if seat == winner else 0 for seat in range(seats)}
    costs, result = _card_costs(contract, options), dict.fromkeys(range(seats), 0)
    for place, (seat, cards) in enumerate(taken):
        result[seat] += trick_cost(contract, place, tricks, options)
        result[seat] += sum([costs[card] for _, card in cards])
    return result


def patience_points(out: Sequence[Seat], seats: int) -> dict[Seat, int]:
    """Points of a patience, from who was out first and second."""
    result = dict.fromkeys(range(seats), 0)
    result.update(zip(out, PATIENCE, strict=True))
    return result
