"""What the conformance suite asks about Barbu: options and actions to try, refusals to meet, cards nobody may know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.rules.barbu import patience
from games.rules.barbu.dealing import pack_of
from games.rules.barbu.options import ALWAYS, CONTRACTS, Options
from games.rules.barbu.state import State
from games.rules.barbu.view import View
from games.rules.cards import Card
from games.rules.seats import Seat
from games.rules.stream import Stream

PRICES = ("king_of_hearts", "queen_of_hearts", "other_queens", "heart", "trick", "last_trick")


def options(noise: Stream) -> dict[str, Any]:
    """Random given options; each is left out now and then."""
    everything: dict[str, Any] = {
        "contracts": _contracts(noise),
        "direction": ("clockwise", "anticlockwise")[noise.below(2)],
        "dealing": ("auto", "manual")[noise.below(2)],
        "last_tricks": 1 + noise.below(2),
        "values": {name: _price(noise) for name in PRICES if noise.below(2)},
        "always": [name for name in ALWAYS if noise.below(2)],
        "move_seconds": (5, 6 + noise.below(114), 120)[noise.below(3)],
    }
    return {name: value for name, value in everything.items() if noise.below(4)}


def _contracts(noise: Stream) -> list[str]:
    """A choice of at least one in any order; the salad is dropped where it would stand alone."""
    chosen = [contract for contract in CONTRACTS if noise.below(2)]
    if set(chosen) <= {"salad", "patience"}:
        chosen = [contract for contract in chosen if contract != "salad"]
    return noise.shuffled(chosen) or ["queens"]


def _price(noise: Stream) -> int:
    return (0, 1 + noise.below(199), 200)[noise.below(3)]


def probes(view: View) -> Iterator[dict[str, Any]]:
    """Actions of every kind, legal or not."""
    cards = pack_of(len(view.totals))
    yield {"type": "pass"}
    yield from ({"type": "shuffle", "shuffle": shuffle} for shuffle in (True, False))
    yield from ({"type": "deal", "by": by} for by in range(4))
    yield from ({"type": "cut", "at": at} for at in (-1, 0, 1, len(cards) // 2, len(cards) - 1, len(cards)))
    yield from ({"type": "declare", "contract": contract} for contract in CONTRACTS)
    yield from ({"type": "play", "card": card} for card in cards)


def refusals(options: Options) -> Mapping[str, frozenset[str]]:
    """By phase, what games with these options can refuse."""
    found = {"declaring": {"contract-used"} if len(options.contracts) > 1 else set()}
    if set(options.contracts) != {"patience"}:
        found["tricks"] = {"not-in-hand", "must-follow-suit"}
    if "patience" in options.contracts:
        found["patience"] = {"not-in-hand", "does-not-fit", "can-lay"}
        found["extra"] = {"not-in-hand", "does-not-fit"}
    if options.dealing == "manual":
        found |= {"shuffling": set(), "cutting": {"cut-range"}, "dealing": {"by-range"}}
    return {phase: frozenset({*codes, "not-your-turn", "wrong-phase"}) for phase, codes in found.items()}


def seen(state: State) -> tuple[Card, ...]:
    """The cards that lie or lay face up since the deal."""
    captured = [card for _, trick in state.taken for _, card in trick]
    return (*captured, *(card for _, card in state.trick), *state.laid)


def secrets(state: State, seat: Seat | None) -> frozenset[Card]:
    """barbu.md, Who may see what: all but one's own hand and what was played, and the whole of a pack."""
    own = () if seat is None else state.hands[seat]
    return frozenset(pack_of(state.seats)) - {*own, *seen(state)} - _told_by_aces(state)


def _told_by_aces(state: State) -> frozenset[Card]:
    """The cards that fitted when an ace was laid: by the turn that follows, all learn whether its seat held one."""
    told: set[Card] = set()
    for place, card in enumerate(state.laid, start=1):
        if card[0] == "A":
            laid = state.laid[:place]
            told |= {other for other in patience.fitting(pack_of(state.seats), laid) if other not in laid}
    return frozenset(told)
