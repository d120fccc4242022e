"""27 positions for tests, from short text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from games.rules import lifecycle
from games.rules.errors import Refusal
from games.rules.registry import ruleset
from games.rules.ruleset import Events
from games.rules.vingtsept.cards import PACK
from games.rules.vingtsept.events import RoundDealt
from games.rules.vingtsept.state import State
from tests.builders import NOON, Story, cards, hands, some_draw, types

RULES = ruleset("vingtsept")


def table(text: str, **given: Any) -> Story:
    """A round of `"9C 9D 5H | 2C 3D 4H"` (two visible cards and the hidden one per seat), before any pick.

    Further: `pile` (its top cards; the rest of the pack follows), `starter`, `round`, `hp` per seat (0 is out),
    `atouts` as text per seat, and options.
    """
    held = hands(text)
    seats = len(text.split("|"))
    starter, number = given.pop("starter", 0), given.pop("round", 1)
    pile, hp, atouts = given.pop("pile", ""), given.pop("hp", None), given.pop("atouts", {})
    story = Story(RULES, seats, **_options(given))
    for seat in range(seats):
        left = hp[seat] if hp else 30
        story.state = story.state.with_seat(
            seat,
            hp=left,
            out_round=None if left else number - 1,
            atouts=tuple(atouts.get(seat, "").split()),
        )
    story.state = story.state.altered(round=number - 1)
    dealt = RoundDealt(
        round=number,
        starter=starter,
        visible={seat: (own[0], own[1]) for seat, own in held.items()},
        hidden={seat: own[2] for seat, own in held.items()},
        pile=_pile(pile, [card for own in held.values() for card in own]),
    )
    return story.given(dealt)


def turns(text: str, **given: Any) -> Story:
    """The same round after the picks, which nobody took."""
    starter = given.get("starter", 0)
    story = table(text, **given)
    state: State = story.state
    for seat in range(state.seats):
        state = state.with_seat(seat, picks_left=0, turn=1)
    story.state = state.altered(phase="turn", turn=starter)
    return story


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    free = {"objective", "atouts", "move_seconds", "random_reveal"}
    return {"mode": "custom", **given} if free & set(given) else dict(given)


def _pile(text: str, dealt: Sequence[str]) -> tuple[str, ...]:
    top = cards(text)
    return (*top, *(card for card in PACK if card not in dealt and card not in top))


def played(story: Story, seat: int, atout: str, **parameters: Any) -> Events:
    return story.do(seat, kind="atout", atout=atout, **parameters)


def refused(story: Story, seat: int, atout: str, **parameters: Any) -> str:
    """The code with which playing this Atout is refused."""
    return refusal(story, seat, kind="atout", atout=atout, **parameters)


def refusal(story: Story, seat: int, **action: Any) -> str:
    try:
        events = story.when(seat, some_draw(), **action)
    except Refusal as refused:
        return refused.code
    raise AssertionError(f"accepted: {types(events)}")


def passes(story: Story, *seats: int) -> Events:
    """These seats pass, one after another; the events of the last pass."""
    events: Events = ()
    for seat in seats:
        events = story.do(seat, kind="pass")
    return events


def after(story: Story, seconds: float, seat: int, **action: Any) -> Events:
    """What the action would cause so long after the deal."""
    wire = {("type" if name == "kind" else name): value for name, value in action.items()}
    parsed = RULES.parse_action(wire, story.options, story.seats)
    now: datetime = NOON + timedelta(seconds=seconds)
    return RULES.decide(story.state, seat, parsed, now, some_draw())


def legal(story: Story, seat: int | None) -> tuple[Any, ...]:
    return RULES.legal_actions(RULES.view(story.state, seat))


def plain(event: Any) -> Any:
    """The event as the replay shows it."""
    return lifecycle.plain(event)


def shown(story: Story, event: Any, viewer: int | None) -> Any:
    return RULES.redact(event, viewer, story.state)


def seat_view(story: Story, seat: int, viewer: int | None) -> Any:
    return RULES.view(story.state, viewer).seats[seat]
