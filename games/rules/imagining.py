"""How the cards may lie, given what one seat knows: what bots of trick games imagine before they decide.

Invariant: only the viewer's own knowledge goes in; the hands of others are drawn from `noise`, a bot's own source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from games.rules.cards import Card
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.tricks import Played

TRIES = 8  # deals drawn until one agrees with the suits that seats are known to lack

Hands = Mapping[Seat, tuple[Card, ...] | int]


def voids(tricks: Iterable[Sequence[Played]], seats: int) -> list[set[str]]:
    """By seat, the suits that it has shown to have none of in these tricks, where suits must be followed."""
    lacking: list[set[str]] = [set() for _ in range(seats)]
    for trick in tricks:
        for seat, card in trick[1:]:
            if card[1] != trick[0][1][1]:
                lacking[seat].add(trick[0][1][1])
    return lacking


def worlds(
    hands: Hands,
    hidden: Sequence[Card],
    lacking: Sequence[set[str]],
    count: int,
    noise: Stream,
    known: Mapping[Seat, Card] | None = None,
) -> Iterator[list[list[Card]]]:
    """So many ways in which the hidden cards may fill the hands that are counts; `known` cards lie where they lie."""
    for _ in range(count):
        for _ in range(TRIES):
            drawn = _drawn(hands, noise.shuffled(hidden), known or {})
            if not any(card[1] in lacking[seat] for seat, hand in enumerate(drawn) for card in hand):
                break
        yield drawn


def _drawn(hands: Hands, shuffled: Sequence[Card], known: Mapping[Seat, Card]) -> list[list[Card]]:
    drawn, place = [], 0
    for seat in range(len(hands)):
        held = hands[seat]
        if not isinstance(held, int):
            drawn.append(list(held))
            continue
        certain = [known[seat]] if seat in known else []
        upto = place + held - len(certain)
        drawn.append([*shuffled[place:upto], *certain])
        place = upto
    return drawn
