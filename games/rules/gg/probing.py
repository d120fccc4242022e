"""What the conformance suite tries on GG, and what may come of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.rules.cards import JOKER, pack
from games.rules.gg.options import Options
from games.rules.gg.view import View
from games.rules.stream import Stream

FLAGS = ("manilha", "joker", "cut", "quick", "sudden_death")


def sample_options(noise: Stream) -> tuple[int, dict[str, Any]]:
    """2 to 8 seats, every option now left out, now at its bounds, now anything."""
    given: dict[str, Any] = {name: bool(noise.below(2)) for name in FLAGS if noise.below(4)}
    if noise.below(4):
        given["lives"] = 1 + noise.below(7)
    match noise.below(4):
        case 0:
            given["move_seconds"] = 5
        case 1:
            given["move_seconds"] = 120
        case 2:
            given["move_seconds"] = 5 + noise.below(116)
        case _:
            pass
    return 2 + noise.below(7), given


def probes(view: View) -> Iterator[dict[str, Any]]:
    """Every bid and every card, and what goes with them only if the rules are wrong."""
    for tricks in range(-1, view.cards + 3):
        yield {"type": "bid", "tricks": tricks}
    for name in ("AD", "AS", "7C", JOKER):
        yield {"type": "play", "card": JOKER, "as": name}
    for card in (*pack(), JOKER):
        yield {"type": "play", "card": card}
    yield {"type": "play", "card": "1C"}
    yield {"type": "play", "card": "QH", "as": "KH"}
    yield {"type": "play", "card": JOKER, "as": "XX"}
    yield {"type": "bid", "tricks": "1"}
    yield {"type": "bid"}
    yield {"type": "bid", "tricks": 1, "card": "QH"}


def refusals(options: Options) -> Mapping[str, frozenset[str]]:
    """By phase, every refusal that a game with these options can meet."""
    always = frozenset({"not-your-turn", "wrong-phase"})
    joker = frozenset({"joker-needs-card", "joker-card-forbidden"}) if options.joker else frozenset()
    return {
        "bidding": always | {"bid-range", "bid-forbidden"},
        "bidding-blind": always | {"bid-range"},
        "tricks": always | {"not-in-hand"} | joker,
    }
