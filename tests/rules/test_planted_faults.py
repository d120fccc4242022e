"""The conformance suite catches what it is there for: one fault at a time, planted into GG."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

import msgspec
import pytest

from games.rules.bidding import Bid, BidMade
from games.rules.cards import Card
from games.rules.conformance.ending import check_places
from games.rules.conformance.folding import check_json
from games.rules.conformance.playthrough import Case
from games.rules.conformance.secrecy import lessened
from games.rules.conformance.setup import check_setup
from games.rules.conformance.suite import Effort, Tally, check_game
from games.rules.conformance.violation import Violation
from games.rules.errors import RuleViolation
from games.rules.gg import GG
from games.rules.gg.actions import Action, Play
from games.rules.gg.events import HandsDealt
from games.rules.gg.options import Options
from games.rules.gg.state import State
from games.rules.gg.strength import HIGHEST
from games.rules.gg.texts import TEXTS
from games.rules.gg.view import View
from games.rules.lifecycle import Event, Level, Mode, Place
from games.rules.registry import register
from games.rules.ruleset import Events, Language, Seats, Standing, Text
from games.rules.seats import Seat
from games.rules.stream import Stream

replace = msgspec.structs.replace


def violation(rules: GG, games: int = 15) -> Violation:
    """What the suite says about a faulty ruleset."""
    register(rules)
    with pytest.raises(Violation) as caught:
        check_games(rules, games)
    assert "--first" in caught.value.facts["game"]
    assert caught.value.promise in str(caught.value)
    return caught.value


def check_games(rules: GG, games: int) -> None:
    for number in range(games):
        check_game(Case(rules, seed=3, number=number), Effort(positions=6, secrecy=6), Tally())


# --- leaks --------------------------------------------------------------------------------------------------------


class ViewShowsOneCard(GG):
    key: ClassVar[str] = "gg-view-shows-one-card"

    def view(self, state: State, seat: Seat | None) -> View:
        view = super().view(state, seat)
        hidden = next((owner for owner, cards in view.hands.items() if isinstance(cards, int) and cards), None)
        if hidden is None or state.moves % 7:
            return view
        return replace(view, hands={**view.hands, hidden: state.hands[hidden][:1]})


class ViewCountsHighCards(GG):
    """No card is told, only how many hidden ones are high."""

    key: ClassVar[str] = "gg-view-counts-high-cards"

    def view(self, state: State, seat: Seat | None) -> View:
        view = super().view(state, seat)
        high = sum(card[0] in "AK" for owner in state.order if owner != seat for card in state.hands[owner])
        return replace(view, deal=view.deal + 100 * high)


class ViewOrdersSeatsByTheirCards(GG):
    """All that is told is an order: that of the members of a map."""

    key: ClassVar[str] = "gg-view-orders-seats"

    def view(self, state: State, seat: Seat | None) -> View:
        view = super().view(state, seat)
        order = sorted(view.hands, key=lambda owner: state.hands[owner])
        return replace(view, hands={owner: view.hands[owner] for owner in order})


class ViewForgetsWhoIsOut(GG):
    """Who is out still sees the others' cards in the deal of one card."""

    key: ClassVar[str] = "gg-view-forgets-who-is-out"

    def view(self, state: State, seat: Seat | None) -> View:
        view = super().view(state, seat)
        if state.cards == 1 and seat in view.out:
            return replace(view, hands={owner: state.hands[owner] for owner in view.hands})
        return view


class EventShowsAllHands(GG):
    key: ClassVar[str] = "gg-event-shows-all-hands"

    def redact(self, event: Event, seat: Seat | None, state: State) -> dict[str, Any]:
        data = super().redact(event, seat, state)
        if isinstance(event, HandsDealt):
            data["hands"] = {str(owner): list(cards) for owner, cards in event.hands.items()}
        return data


class EventShowsTheOwnCard(GG):
    """In the deal of one card a seat is shown its own, too."""

    key: ClassVar[str] = "gg-event-shows-the-own-card"

    def redact(self, event: Event, seat: Seat | None, state: State) -> dict[str, Any]:
        data = super().redact(event, seat, state)
        if isinstance(event, HandsDealt) and seat in event.hands:
            data["hands"][str(seat)] = list(event.hands[seat])
        return data


class EventLeavesOutWhatTellsSomething(GG):
    """A member is missing if a hidden card is high."""

    key: ClassVar[str] = "gg-event-leaves-out"

    def redact(self, event: Event, seat: Seat | None, state: State) -> dict[str, Any]:
        data = super().redact(event, seat, state)
        if isinstance(event, HandsDealt) and HIGHEST in next(iter(event.hands.values())):
            del data["cards"]
        return data


class RefusalNamesTheHolder(GG):
    key: ClassVar[str] = "gg-refusal-names-the-holder"

    def decide(self, state: State, seat: Seat, action: Action, now: datetime, draw: Stream) -> Events:
        if state.stage == "tricks" and isinstance(action, Play) and action.card not in state.hands[seat]:
            holders = [owner for owner in state.order if action.card in state.hands[owner]]
            raise RuleViolation("not-in-hand", held_by=holders)
        return super().decide(state, seat, action, now, draw)


class ClockDependsOnTheCards(GG):
    key: ClassVar[str] = "gg-clock-depends-on-the-cards"

    def time_limit(self, state: State, seat: Seat) -> float:
        high = sum(card[0] == "A" for cards in state.hands for card in cards)
        return super().time_limit(state, seat) + high


@pytest.mark.parametrize(
    "rules, promise",
    [
        (ViewShowsOneCard(), "a view does not tell hidden cards"),
        (ViewCountsHighCards(), "a view does not tell hidden cards"),
        (ViewOrdersSeatsByTheirCards(), "a view does not tell hidden cards"),
        (ViewForgetsWhoIsOut(), "a view does not tell hidden cards"),
        (EventShowsAllHands(), "an event does not tell hidden cards"),
        (EventShowsTheOwnCard(), "an event does not tell hidden cards"),
        (EventLeavesOutWhatTellsSomething(), "an event does not tell hidden cards"),
        (RefusalNamesTheHolder(), "a refusal does not tell hidden cards"),
        (ClockDependsOnTheCards(), "a view does not tell hidden cards"),
    ],
    ids=lambda value: value.key if isinstance(value, GG) else "",
)
def test_a_planted_leak_is_caught(rules: GG, promise: str) -> None:
    assert violation(rules, games=60).promise == promise


# --- other faults -------------------------------------------------------------------------------------------------


class DealsACardTwice(GG):
    key: ClassVar[str] = "gg-deals-a-card-twice"

    def start(self, state: State, now: datetime, draw: Stream) -> Events:
        drawn, dealt = super().start(state, now, draw)
        assert isinstance(dealt, HandsDealt)
        return drawn, replace(dealt, hands=dict.fromkeys(dealt.hands, dealt.hands[0]))


class LosesACard(GG):
    key: ClassVar[str] = "gg-loses-a-card"

    def cards_in_play(self, state: State) -> tuple[Card, ...]:
        return super().cards_in_play(state)[: 6 if state.shown else None]


class RefusesALegalBid(GG):
    key: ClassVar[str] = "gg-refuses-a-legal-bid"

    def decide(self, state: State, seat: Seat, action: Action, now: datetime, draw: Stream) -> Events:
        events = super().decide(state, seat, action, now, draw)
        if action == Bid(tricks=0) and state.cards == 4:
            raise RuleViolation("bid-range")
        return events


class AcceptsTheForbiddenBid(GG):
    key: ClassVar[str] = "gg-accepts-the-forbidden-bid"

    def decide(self, state: State, seat: Seat, action: Action, now: datetime, draw: Stream) -> Events:
        try:
            return super().decide(state, seat, action, now, draw)
        except RuleViolation as refusal:
            if refusal.code == "bid-forbidden" and isinstance(action, Bid):
                return (BidMade(seat=seat, tricks=action.tricks),)
            raise


class RefusesWithAnUnknownWord(GG):
    key: ClassVar[str] = "gg-refuses-with-an-unknown-word"

    def decide(self, state: State, seat: Seat, action: Action, now: datetime, draw: Stream) -> Events:
        try:
            return super().decide(state, seat, action, now, draw)
        except RuleViolation as refusal:
            raise RuleViolation("no-good" if refusal.code == "bid-range" else refusal.code) from None


class WaitsForNobody(GG):
    key: ClassVar[str] = "gg-waits-for-nobody"

    def to_act(self, state: State) -> Seats:
        return () if state.moves == 5 else super().to_act(state)


class GivesASeatNothingToDo(GG):
    key: ClassVar[str] = "gg-gives-a-seat-nothing-to-do"

    def legal_actions(self, view: View) -> tuple[Action, ...]:
        return () if view.phase == "tricks" and len(view.trick) == 1 else super().legal_actions(view)


class OverlooksWhoMayAct(GG):
    key: ClassVar[str] = "gg-overlooks-who-may-act"

    def may_act(self, state: State, seat: Seat) -> bool:
        return seat == state.turn and state.stage == "bidding"


class LetsSpectatorsAct(GG):
    key: ClassVar[str] = "gg-lets-spectators-act"

    def legal_actions(self, view: View) -> tuple[Action, ...]:
        return super().legal_actions(view) if view.seat is not None else (Bid(tricks=0),)


class TurnsGoBack(GG):
    key: ClassVar[str] = "gg-turns-go-back"

    def turn(self, state: State, seat: Seat) -> int:
        return state.moves % 9


class PlacesWithoutGaps(GG):
    key: ClassVar[str] = "gg-places-without-gaps"

    def standing(self, state: State) -> Standing | None:
        standing = super().standing(state)
        if standing is None:
            return None
        places = sorted({place.place for place in standing})
        return tuple(replace(place, place=1 + places.index(place.place)) for place in standing)


class ForgetsASeat(GG):
    key: ClassVar[str] = "gg-forgets-a-seat"

    def standing(self, state: State) -> Standing | None:
        standing = super().standing(state)
        return standing[1:] if standing else None


class MatesApart(GG):
    key: ClassVar[str] = "gg-mates-apart"

    def team_of(self, options: Options, seat: Seat) -> int | None:
        return 0


class SkipsTheDraw(GG):
    key: ClassVar[str] = "gg-skips-the-draw"

    def start(self, state: State, now: datetime, draw: Stream) -> Events:
        return super().start(state, now, draw)[1:]


class BotCheats(GG):
    key: ClassVar[str] = "gg-bot-cheats"

    def bot(self, view: View, level: Level, noise: Stream) -> Action:
        return Bid(tricks=9) if level == "hard" else super().bot(view, level, noise)


class MakesThingsUp(GG):
    key: ClassVar[str] = "gg-makes-things-up"

    def redact(self, event: Event, seat: Seat | None, state: State) -> dict[str, Any]:
        return super().redact(event, seat, state) | {"mood": "cheerful"}


class Remembers(GG):
    """Decides by what it has decided before, not by what it is told."""

    key: ClassVar[str] = "gg-remembers"
    decided = 0

    def decide(self, state: State, seat: Seat, action: Action, now: datetime, draw: Stream) -> Events:
        Remembers.decided += 1
        first, *rest = super().decide(state, seat, action, now, draw)
        if isinstance(first, BidMade) and state.cards > 1:
            first = replace(first, tricks=self.decided % 2)
        return (first, *rest)


class FoldsDifferently(GG):
    """Folds by how often it was asked."""

    key: ClassVar[str] = "gg-folds-differently"
    asked = 0

    def evolve(self, state: State, event: Event, at: datetime) -> State:
        FoldsDifferently.asked += 1
        return replace(super().evolve(state, event, at), moves=FoldsDifferently.asked)


class UndeclaredPhase(GG):
    key: ClassVar[str] = "gg-undeclared-phase"

    def phase(self, state: State) -> str:
        return "dreaming"


class Crashes(GG):
    key: ClassVar[str] = "gg-crashes"

    def view(self, state: State, seat: Seat | None) -> View:
        return super().view(state, state.order[99] if state.moves > 7 else seat)


class ListsAnActionTwice(GG):
    key: ClassVar[str] = "gg-lists-an-action-twice"

    def legal_actions(self, view: View) -> tuple[Action, ...]:
        return super().legal_actions(view) * 2


class OneActionOnly(GG):
    """Accepts what it does not list."""

    key: ClassVar[str] = "gg-one-action-only"

    def legal_actions(self, view: View) -> tuple[Action, ...]:
        return super().legal_actions(view)[:1]


@pytest.mark.parametrize(
    "rules, promise",
    [
        (DealsACardTwice(), "no card is in two places"),
        (LosesACard(), "no card appears or vanishes"),
        (RefusesALegalBid(), "every legal action is accepted"),
        (AcceptsTheForbiddenBid(), "what is accepted stands in legal_actions"),
        (RefusesWithAnUnknownWord(), "the refusal is declared"),
        (WaitsForNobody(), "the game waits for nobody, yet it has no standing"),
        (GivesASeatNothingToDo(), "a seat that the game waits for has no legal action"),
        (OverlooksWhoMayAct(), "`may_act` says no only where there is no choice"),
        (LetsSpectatorsAct(), "a spectator has no actions"),
        (TurnsGoBack(), "turn numbers never go back"),
        (PlacesWithoutGaps(), "places skip as many as share one"),
        (ForgetsASeat(), "every seat is placed, in order"),
        (MatesApart(), "team-mates share a place"),
        (SkipsTheDraw(), "events come in the pinned order"),
        (BotCheats(), "a bot plays by the rules"),
        (MakesThingsUp(), "a redaction only leaves out"),
        (Remembers(), "the same action in the same place gives the same events"),
        (FoldsDifferently(), "folding the stored events gives the live game"),
        (UndeclaredPhase(), "the phase is declared in `refusals`"),
        (Crashes(), "the rules do not crash"),
        (ListsAnActionTwice(), "no legal action is listed twice"),
        (OneActionOnly(), "what is accepted stands in legal_actions"),
    ],
    ids=lambda value: value.key if isinstance(value, GG) else "",
)
def test_a_planted_fault_is_caught(rules: GG, promise: str) -> None:
    assert violation(rules).promise == promise


# --- faults around play -------------------------------------------------------------------------------------------


class OneLanguage(GG):
    texts: Mapping[Language, Text] = {"en": TEXTS["en"]}


class AnOptionUnexplained(GG):
    texts: Mapping[Language, Text] = {
        language: replace(text, options={"lives": text.options["lives"]}) for language, text in TEXTS.items()
    }


class TakesAnyOption(GG):
    def complete_options(self, given: Mapping[str, Any], seats: int, mode: Mode) -> Options:
        return super().complete_options({name: given[name] for name in given if name != "nonsense"}, seats, mode)


class TakesAnyAction(GG):
    def parse_action(self, given: object, options: Options, seats: int) -> Action:
        return Bid(tricks=0)


class MisnamedEvent(GG):
    event_types: Mapping[str, type[Event]] = {**GG.event_types, "bid": BidMade}


@pytest.mark.parametrize(
    "rules, promise",
    [
        (OneLanguage(), "texts are in English and French"),
        (AnOptionUnexplained(), "every option is explained"),
        (TakesAnyOption(), "an unknown option is refused"),
        (TakesAnyAction(), "nonsense is no action"),
        (MisnamedEvent(), "events are known by their type"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, GG) else "",
)
def test_a_fault_around_play_is_caught(rules: GG, promise: str) -> None:
    with pytest.raises(Violation, match=promise):
        check_setup(rules, Case(rules).noise("setup"))


@pytest.mark.parametrize("value", [1.5, {"a": [0.5]}, {1: "one"}, [object()]])
def test_only_what_has_one_canonical_form_may_be_stored(value: Any) -> None:
    with pytest.raises(Violation):
        check_json(value, "here")


@pytest.mark.parametrize("places", [[1, 1, 2], [2, 2], [1, 3], [0, 1]])
def test_malformed_places_are_caught(places: list[int]) -> None:
    with pytest.raises(Violation):
        check_places(tuple(Place(seat=seat, place=place, score=0) for seat, place in enumerate(places)))


WHOLE = {"hands": {"0": ["QH"], "1": ["2C", "3C"]}, "turned": "4C"}


@pytest.mark.parametrize(
    "shown, fair",
    [
        (WHOLE, True),
        ({"hands": {"0": ["QH"], "1": 2}}, True),
        ({"hands": {"1": 1}}, False),
        ({"hands": {"0": True}}, False),
        ({"hands": {"0": ["KH"]}}, False),
        ({"more": 1}, False),
    ],
)
def test_a_redaction_may_leave_out_and_count_but_nothing_else(shown: Any, fair: bool) -> None:
    assert lessened(WHOLE, shown) is fair
