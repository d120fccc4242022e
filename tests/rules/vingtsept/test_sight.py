"""vingtsept.md, Who may see what."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from games.rules.lifecycle import Event, plain
from games.rules.ruleset import Setup
from games.rules.vingtsept.atouts import ATOUTS
from games.rules.vingtsept.events import AtoutGiven, AtoutPicked, AtoutPlayed, AtoutsOffered
from games.rules.vingtsept.state import State
from tests.builders import only
from tests.rules.trials import at_random, started
from tests.rules.vingtsept.tables import RULES, passes, played, seat_view, shown, turns

THREE = "2C 3C 4C | 5D 6D 7D | 8H TH JH"


def test_a_hidden_card_is_seen_by_its_seat_alone() -> None:
    story = turns(THREE)

    for viewer in (0, 1, 2, None):
        view = RULES.view(story.state, viewer)
        seen = [seat.seat for seat in view.seats if seat.hidden is not None]
        assert seen == ([] if viewer is None else [viewer])
        assert [seat.seat for seat in view.seats if seat.total is not None] == seen


def test_the_deal_shows_each_viewer_its_own_hidden_card_and_nobody_the_pile() -> None:
    story = turns("2C 3C 4C | 8D 9D 7D")
    dealt = only("round_dealt", passes(story, 0, 1))

    for viewer in (0, 1, None):
        told = shown(story, dealt, viewer)
        assert told["hidden"] == ({} if viewer is None else {str(viewer): dealt.hidden[viewer]})
        assert "pile" not in told
        assert told["visible"] == {"0": list(dealt.visible[0]), "1": list(dealt.visible[1])}


def test_who_is_out_sees_the_deal_as_a_spectator_does() -> None:
    story = turns("2C 3C 4C | 8D 9D TD | 8H 9H JH", hp=[5, 30, 30])
    dealt = only("round_dealt", passes(story, 0, 1, 2))

    assert shown(story, dealt, 0) == shown(story, dealt, None)
    assert shown(story, dealt, 0)["hidden"] == {}


def test_atout_hands_are_private_and_their_number_is_public() -> None:
    story = turns(THREE, atouts={0: "gel mue", 2: "parade"})

    assert [RULES.view(story.state, viewer).atouts for viewer in (0, 1, 2, None)] == [
        ("gel", "mue"),
        (),
        ("parade",),
        (),
    ]
    assert [seat.atouts for seat in RULES.view(story.state, None).seats] == [2, 0, 1]


def test_the_pile_is_a_number_and_the_discards_are_open() -> None:
    story = turns(THREE, pile="KH")
    story.do(0, kind="draw")
    story.do(0, kind="place", slot=0)

    encoded = msgspec.json.decode(msgspec.json.encode(RULES.view(story.state, None)))

    assert encoded["pile"] == 52 - 9 - 1
    assert encoded["discards"] == ["2C"]


def test_a_mirrored_value_stands_beside_the_card_that_stays_what_it_is() -> None:
    story = turns(THREE, atouts={0: "miroir"})
    played(story, 0, "miroir", slot=0, target=1, target_slot=1)

    encoded = msgspec.json.decode(msgspec.json.encode(RULES.view(story.state, None)))

    assert encoded["seats"][0]["visible"] == [{"card": "2C", "value": 6}, {"card": "3C"}]


def test_voyance_on_a_mirrored_hidden_card_tells_its_value_to_its_player_alone() -> None:
    story = turns("2C 3C 4C | 5D 6D 7D", atouts={0: "miroir permutation", 1: "voyance"})
    played(story, 0, "miroir", slot=0, target=1, target_slot=1)
    passes(story, 1)
    played(story, 0, "permutation", slot=0)

    event = only("atout_played", played(story, 1, "voyance", target=0))

    assert shown(story, event, 1)["effect"] == {"card": "2C", "value": 6}
    assert shown(story, event, 0)["effect"] == shown(story, event, None)["effect"] == {}
    hidden = seat_view(story, 0, 1).hidden
    assert (hidden.card, hidden.value) == ("2C", 6)


def test_an_unknown_event_shows_nothing() -> None:
    class Surprise(Event, frozen=True, kw_only=True):
        type = "surprise"
        card: str

    assert RULES.redact(Surprise(card="AS"), 0, turns(THREE).state) == {}


# --- Atouts that a viewer cannot see can be any -------------------------------------------------------------------


def renamed(event: Event, viewer: int | None, names: dict[str, str]) -> Event:
    """The event with Atout keys exchanged where this viewer is not told them."""
    match event:
        case AtoutsOffered(seat=seat, offers=offers) if seat != viewer:
            return AtoutsOffered(seat=seat, offers=tuple(names[key] for key in offers))
        case AtoutPicked(seat=seat, atout=key) if seat != viewer:
            return AtoutPicked(seat=seat, atout=names[key])
        case AtoutGiven(seat=seat, to=to, atout=key) if viewer not in (seat, to):
            return AtoutGiven(seat=seat, to=to, atout=names[key])
        case AtoutPlayed(atout="larcin", effect=effect) if effect.atout and viewer not in (event.seat, event.target):
            stolen = msgspec.structs.replace(effect, atout=names[effect.atout])
            return msgspec.structs.replace(event, effect=stolen)
        case _:
            return event


def secret_keys(states: list[State], events: list[Event], viewer: int | None) -> set[str]:
    """Keys that this viewer meets nowhere in the stretch: neither told of nor held."""
    told = {key for event in events for key in _keys(RULES.redact(event, viewer, states[0]))}
    for state in states:
        if viewer is not None:
            told |= {*state.holdings[viewer].atouts, *state.holdings[viewer].offers}
        told |= state.effects.union(*(holding.effects for holding in state.holdings))
    return set(ATOUTS) - told


def _keys(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [key for member in value.values() for key in _keys(member)]
    if isinstance(value, list):
        return [key for member in value for key in _keys(member)]
    return [value] if isinstance(value, str) and value in ATOUTS else []


@pytest.mark.parametrize("seats, given", [(2, {}), (3, {"mode": "ranked"}), (4, {"teams": True}), (4, {})])
@pytest.mark.parametrize("number", range(6))
def test_atouts_that_a_viewer_cannot_see_leave_no_trace(seats: int, given: dict[str, Any], number: int) -> None:
    """Exchange the keys that a viewer has met nowhere in a stretch of play: views, events and choices stay the same."""
    chance = random.Random(number)
    table, records = started("vingtsept", seats, **given)
    for before, _, _ in at_random(table, records, chance):
        if before.state.round > 2 or len(records) > 60:
            break
    begin = next(place for place, record in enumerate(records) if record.event.type == "starter_drawn")
    events = [(record.event, record.at) for record in records[begin:] if record.event.type in RULES.event_types]
    moved = 0
    for viewer in (*range(seats), None):
        for length in range(5, len(events), 7):
            moved += _compare(events[:length], seats, given, viewer, chance)
    assert moved


def _compare(
    told: list[tuple[Event, Any]], seats: int, given: dict[str, Any], viewer: int | None, chance: random.Random
) -> bool:
    options = RULES.complete_options(given, seats, "casual")
    opening = RULES.initial(Setup(seats=seats, options=options, mode="casual"))
    true, false = [opening], [opening]
    for event, at in told:
        true.append(RULES.evolve(true[-1], event, at))
    secret = sorted(secret_keys(true, [event for event, _ in told], viewer))
    names = {key: key for key in ATOUTS} | dict(zip(secret, chance.sample(secret, len(secret)), strict=True))
    changed = False
    for event, at in told:
        other = renamed(event, viewer, names)
        changed |= other != event
        assert RULES.redact(other, viewer, false[-1]) == RULES.redact(event, viewer, true[len(false) - 1])
        false.append(RULES.evolve(false[-1], other, at))
        view, disguised = RULES.view(true[len(false) - 1], viewer), RULES.view(false[-1], viewer)
        assert view == disguised
        assert RULES.legal_actions(view) == RULES.legal_actions(disguised)
        assert RULES.to_act(true[len(false) - 1]) == RULES.to_act(false[-1])
    return changed


def test_the_exchange_of_atouts_keeps_the_events_well_formed() -> None:
    event = AtoutPicked(seat=0, atout="gel")

    assert plain(renamed(event, 1, {"gel": "mue"})) == {"seat": 0, "atout": "mue"}
    assert renamed(event, 0, {"gel": "mue"}) == event
