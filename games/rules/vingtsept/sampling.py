"""What the conformance suite tries on this ruleset: options, attempts, and the refusals that they may meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from games.rules.stream import Stream
from games.rules.vingtsept.atouts import ATOUTS
from games.rules.vingtsept.options import TEAM_SEATS, Options
from games.rules.vingtsept.play import Parameter
from games.rules.vingtsept.view import View

_TRIED: Mapping[Parameter, tuple[int, ...]] = {
    "slot": (0, 1, 2),
    "target": (0, 1, 2, 3, 4, -1),
    "target_slot": (0, 1, -1),
    "delta": (-3, -2, -1, 0, 1, 2, 3),
}

_ANYWHERE = frozenset({"not-your-turn", "wrong-phase", "not-team-mate"})


def sample_options(noise: Stream) -> tuple[int, dict[str, Any]]:
    """Seats and given options over all that is allowed; fixed options are now and then given with their value."""
    seats = 2 + noise.below(3)
    mode = ("quick", "ranked", "custom", "custom")[noise.below(4)]
    given: dict[str, Any] = {"mode": mode}
    if seats == TEAM_SEATS and noise.below(2):
        given["teams"] = True
    if mode == "custom":
        given["objective"] = (9, 18, 27, 36)[noise.below(4)]
        given["atouts"] = 1 + noise.below(4)
        given["move_seconds"] = (5, 120, 20, 6 + noise.below(114))[noise.below(4)]
        given["random_reveal"] = noise.below(2) == 0
    elif noise.below(4) == 0:
        given["objective"] = 27
    return seats, given


def probes(view: View) -> Iterator[dict[str, Any]]:
    """Actions in wire form, legal or not: first what the view suggests, then the whole space."""
    yield from ({"type": "draw"}, {"type": "pass"})
    yield from _places(view)
    for key in dict.fromkeys((*view.atouts, *ATOUTS)):
        yield {"type": "pick", "atout": key}
        yield from _plays(key)
        yield from ({"type": "give", "atout": key, "to": to} for to in range(-1, len(view.seats) + 1))
    yield {"type": "pick", "atout": "no-such-atout"}
    yield {"type": "atout", "atout": "gel"}
    yield {"type": "atout", "atout": "parade", "slot": 0}


def _places(view: View) -> Iterator[dict[str, Any]]:
    cards = dict.fromkeys((*view.drawn, *view.discards[-1:], "9C", "1X"))
    for slot in (0, 1, 2, -1, "hidden", "visible"):
        yield {"type": "place", "slot": slot}
        yield from ({"type": "place", "slot": slot, "card": card} for card in cards)


def _plays(key: str) -> Iterator[dict[str, Any]]:
    names = ATOUTS[key].parameters
    for values in product(*(_TRIED[name] for name in names)):
        yield {"type": "atout", "atout": key, **dict(zip(names, values, strict=True))}


def refusals(options: Options) -> Mapping[str, frozenset[str]]:
    """By phase; only teams can give, so only there a gift gets further than `not-team-mate`."""
    anywhere = _ANYWHERE | {"not-held", "hand-full"} if options.teams else _ANYWHERE
    atouts = {"jammed", "not-held", "slot", "target", "delta", "target-empty", "already-raised", "no-discard"}
    return {
        "picking": anywhere | {"not-offered"},
        "turn": anywhere | atouts,
        "placing": anywhere | {"slot"},
        "double-placing": anywhere | {"slot", "not-drawn"},
        "reward": anywhere | {"not-offered"},
    }
