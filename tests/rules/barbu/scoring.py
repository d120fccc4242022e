"""Barbu's scoring once more, written from the rules page alone: what tests compare the engine's points with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def expected_points(options: Mapping[str, Any], contract: str, seats: int, deal: Sequence[Any]) -> dict[int, int]:
    """The points of one deal from its wire events (`type` beside the data) and the complete options."""
    if contract == "patience":
        out = [event["seat"] for event in deal if event["type"] == "seat_out"]
        return {seat: (-100 if seat == out[0] else -50 if seat == out[1] else 0) for seat in range(seats)}
    tricks = [(event["seat"], [card for _, card in event["cards"]]) for event in deal if event["type"] == "trick_taken"]
    full = {3: 10, 4: 8, 5: 6}[seats]
    if len(tricks) == full and len({taker for taker, _ in tricks}) == 1:
        return {seat: -100 if seat == tricks[0][0] else 0 for seat in range(seats)}
    values, counting = options["values"], [contract]
    if contract == "salad":
        counting = [other for other in options["contracts"] if other not in ("salad", "patience")]
    points = dict.fromkeys(range(seats), 0)
    for place, (taker, cards) in enumerate(tricks):
        for card in cards:
            own = {
                "king_of_hearts": values["king_of_hearts"] * (card == "KH"),
                "queens": {"QH": values["queen_of_hearts"]}.get(card, values["other_queens"]) * (card[0] == "Q"),
                "hearts": values["heart"] * (card[1] == "H"),
            }
            own["tricks"] = own["hearts"]
            asked = sum(own.get(name, 0) for name in counting)
            points[taker] += max([asked] + [own[name] for name in options["always"]])
        points[taker] += values["trick"] * ("tricks" in counting)
        points[taker] += values["last_trick"] * ("last_tricks" in counting and place >= full - options["last_tricks"])
    return points
