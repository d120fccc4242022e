"""A tiny ruleset that needs everything that the lifecycle carries, and nothing else.

Every seat is dealt three hidden cards. All pick one to keep, at the same time, each on a clock of its own. Then, from
seat 0 on, each has one turn of two steps on one clock: draw a card, place it left or right (right counts double).
Whoever holds a token may give it to another seat at any time, also out of turn. All over within a minute of the deal:
every total is ten higher. Ten minutes after the deal the game ends by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar, Literal, assert_never

import msgspec

from games.rules.cards import RANKS, Card, pack
from games.rules.errors import NotYourTurn, RuleViolation
from games.rules.lifecycle import Event, Level, Mode
from games.rules.ruleset import Choice, Events, Language, Seats, Setup, Standing, Text
from games.rules.scoring import ranked
from games.rules.seats import Seat
from games.rules.stream import Stream
from games.rules.wire import known_card, read

PACK = pack()
HAND = 3
TOKENS = 1
QUICK = timedelta(seconds=60)
LONGEST = timedelta(minutes=10)

Slot = Literal["left", "right"]
Phase = Literal["picking", "drawing", "placing", "over"]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    move_seconds: Annotated[int, msgspec.Meta(ge=1, le=120)] = 30


class Pick(Choice, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="pick"):
    card: Card


class Draw(Choice, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="draw"):
    pass


class PlaceCard(Choice, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="place"):
    slot: Slot


class Give(Choice, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="give"):
    to: Seat


Action = Pick | Draw | PlaceCard | Give


class HandsDealt(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "hands_dealt"
    hands: dict[Seat, list[Card]]
    pile: list[Card]  # hidden from all


class CardPicked(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "card_picked"
    seat: Seat
    card: Card


class CardDrawn(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "card_drawn"
    seat: Seat
    card: Card


class CardPlaced(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "card_placed"
    seat: Seat
    slot: Slot


class TokenGiven(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "token_given"
    seat: Seat
    to: Seat


class TimeCalled(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "time_called"


class Scored(Event, frozen=True, kw_only=True):
    type: ClassVar[str] = "scored"
    totals: dict[Seat, int]
    quick: bool


class State(msgspec.Struct, frozen=True, kw_only=True):
    options: Options
    seats: int
    dealt_at: datetime | None = None
    hands: dict[Seat, tuple[Card, ...]] = {}
    pile: tuple[Card, ...] = ()
    picked: dict[Seat, Card] = {}
    drawn: Card | None = None
    placed: dict[Seat, tuple[Slot, Card]] = {}
    tokens: dict[Seat, int] = {}
    totals: dict[Seat, int] | None = None

    @property
    def phase(self) -> Phase:
        if self.totals is not None:
            return "over"
        if len(self.picked) < self.seats:
            return "picking"
        return "drawing" if self.drawn is None else "placing"

    @property
    def to_act(self) -> Seats:
        match self.phase:
            case "over":
                return ()
            case "picking":
                return tuple(seat for seat in range(self.seats) if seat not in self.picked)
            case "drawing" | "placing":
                return (len(self.placed),)


class View(msgspec.Struct, frozen=True, kw_only=True):
    seat: Seat | None
    phase: Phase
    seats: int
    to_act: Seats
    hand: tuple[Card, ...]
    kept: Card | None
    picked: tuple[Seat, ...]
    drawn: Card | None
    placed: dict[Seat, tuple[Slot, Card]]
    tokens: dict[Seat, int]
    pile: int
    totals: dict[Seat, int] | None


TEXT = Text(title="Tiny", summary="Everything once", options={"move_seconds": "Seconds"}, rules="# Tiny\n")


class Tiny:
    key: ClassVar[str] = "tiny"
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 4
    texts: Mapping[Language, Text] = {"en": TEXT, "fr": TEXT}
    options_type = Options
    action_type = Action
    view_type = View
    event_types: Mapping[str, type[Event]] = {
        event.type: event for event in (HandsDealt, CardPicked, CardDrawn, CardPlaced, TokenGiven, TimeCalled, Scored)
    }

    def complete_options(self, given: Mapping[str, Any], seats: int, mode: Mode) -> Options:
        options: Options = read(given, Options)
        return options

    def team_of(self, options: Options, seat: Seat) -> int | None:
        return None

    def parse_action(self, given: object, options: Options, seats: int) -> Action:
        action: Action = read(given, Action)
        if isinstance(action, Pick):
            known_card(action.card, PACK)
        return action

    # --- play -----------------------------------------------------------------------------------------------

    def initial(self, setup: Setup[Options]) -> State:
        return State(options=setup.options, seats=setup.seats, tokens=dict.fromkeys(range(setup.seats), TOKENS))

    def start(self, state: State, now: datetime, draw: Stream) -> Events:
        cards = draw.shuffled(PACK)
        hands = {seat: cards[seat * HAND : seat * HAND + HAND] for seat in range(state.seats)}
        return (HandsDealt(hands=hands, pile=cards[state.seats * HAND :]),)

    def decide(self, state: State, seat: Seat, action: Action, now: datetime, draw: Stream) -> Events:
        if isinstance(action, Give):
            return self._give(state, seat, action)
        if seat not in state.to_act:
            raise NotYourTurn(to_act=state.to_act)
        match action, state.phase:
            case Pick(card=card), "picking":
                if card not in state.hands[seat]:
                    raise RuleViolation("not-in-hand")
                return (CardPicked(seat=seat, card=card),)
            case Draw(), "drawing":
                return (CardDrawn(seat=seat, card=state.pile[0]),)
            case PlaceCard(slot=slot), "placing":
                placed = CardPlaced(seat=seat, slot=slot)
                after = self.evolve(state, placed, now)
                return (placed, self._scored(after, now)) if len(after.placed) == state.seats else (placed,)
            case _:
                raise RuleViolation("wrong-phase", phase=state.phase)

    def _give(self, state: State, seat: Seat, action: Give) -> Events:
        if state.tokens[seat] == 0:
            raise RuleViolation("not-held")
        if action.to == seat or not 0 <= action.to < state.seats:
            raise RuleViolation("target")
        return (TokenGiven(seat=seat, to=action.to),)

    def _scored(self, state: State, now: datetime) -> Scored:
        quick = state.dealt_at is not None and now - state.dealt_at < QUICK
        totals = {
            seat: _worth(state.picked.get(seat)) + _placed(state.placed.get(seat)) + state.tokens[seat] + 10 * quick
            for seat in range(state.seats)
        }
        return Scored(totals=totals, quick=quick)

    def evolve(self, state: State, event: Event, at: datetime) -> State:
        match event:
            case HandsDealt(hands=hands, pile=pile):
                dealt = {seat: tuple(hand) for seat, hand in hands.items()}
                return _with(state, hands=dealt, pile=tuple(pile), dealt_at=at)
            case CardPicked(seat=seat, card=card):
                rest = tuple(held for held in state.hands[seat] if held != card)
                return _with(state, hands={**state.hands, seat: rest}, picked={**state.picked, seat: card})
            case CardDrawn(card=card):
                return _with(state, drawn=card, pile=tuple(left for left in state.pile if left != card))
            case CardPlaced(seat=seat, slot=slot):
                assert state.drawn is not None
                return _with(state, placed={**state.placed, seat: (slot, state.drawn)}, drawn=None)
            case TokenGiven(seat=seat, to=to):
                tokens = {**state.tokens, seat: state.tokens[seat] - 1}
                return _with(state, tokens={**tokens, to: tokens[to] + 1})
            case Scored(totals=totals):
                return _with(state, totals=totals)
            case TimeCalled():
                return state
            case other:
                raise TypeError(f"not an event of this ruleset: {other!r}")

    def to_act(self, state: State) -> Seats:
        return state.to_act

    def turn(self, state: State, seat: Seat) -> int:
        return 0 if state.phase == "picking" else 1 + len(state.placed)

    def time_limit(self, state: State, seat: Seat) -> float:
        return state.options.move_seconds

    def alarm(self, state: State) -> datetime | None:
        return None if state.dealt_at is None or state.totals is not None else state.dealt_at + LONGEST

    def ring(self, state: State, now: datetime, draw: Stream) -> Events:
        return (TimeCalled(), self._scored(state, now))

    def standing(self, state: State) -> Standing | None:
        if state.totals is None:
            return None
        totals = [state.totals[seat] for seat in range(state.seats)]
        return ranked(totals, totals)

    # --- what a viewer may see --------------------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            seat=seat,
            phase=state.phase,
            seats=state.seats,
            to_act=state.to_act,
            hand=() if seat is None else state.hands.get(seat, ()),
            kept=None if seat is None else state.picked.get(seat),
            picked=tuple(sorted(state.picked)),
            drawn=state.drawn,
            placed=state.placed,
            tokens=state.tokens,
            pile=len(state.pile),
            totals=state.totals,
        )

    def redact(self, event: Event, seat: Seat | None, state: State) -> dict[str, Any]:
        match event:
            case HandsDealt(hands=hands):
                return {"hands": {str(s): hand if s == seat else len(hand) for s, hand in hands.items()}}
            case CardPicked(seat=picker, card=card):
                return {"seat": picker, "card": card} if picker == seat else {"seat": picker}
            case CardDrawn(seat=drawer, card=card):
                return {"seat": drawer, "card": card}
            case CardPlaced(seat=placer, slot=slot):
                return {"seat": placer, "slot": slot}
            case TokenGiven(seat=giver, to=to):
                return {"seat": giver, "to": to}
            case TimeCalled():
                return {}
            case Scored(totals=totals, quick=quick):
                return {"totals": {str(s): total for s, total in totals.items()}, "quick": quick}
            case other:
                raise TypeError(f"not an event of this ruleset: {other!r}")

    def may_act(self, state: State, seat: Seat) -> bool:
        return state.phase != "over"

    def legal_actions(self, view: View) -> tuple[Action, ...]:
        if view.seat is None or view.phase == "over":
            return ()
        others = [seat for seat in range(view.seats) if seat != view.seat]
        gifts = tuple(Give(to=seat) for seat in others) if view.tokens[view.seat] else ()
        return (*self._own_turn(view), *gifts)

    def _own_turn(self, view: View) -> tuple[Action, ...]:
        if view.seat not in view.to_act:
            return ()
        match view.phase:
            case "picking":
                return tuple(Pick(card=card) for card in view.hand)
            case "drawing":
                return (Draw(),)
            case "placing":
                return (PlaceCard(slot="left"), PlaceCard(slot="right"))
            case "over":
                return ()
            case _:
                assert_never(view.phase)

    def completions(self, action: Action, view: View) -> tuple[Action, ...]:
        return (action,)

    def bot(self, view: View, level: Level, noise: Stream) -> Action:
        actions = self._own_turn(view)
        return actions[noise.below(len(actions))]

    # --- what the conformance suite asks ------------------------------------------------------------------------

    def phase(self, state: State) -> str:
        return state.phase

    def sample_options(self, noise: Stream) -> tuple[int, dict[str, Any]]:
        return 2 + noise.below(3), {"move_seconds": 5 + noise.below(100)}

    def action_in(self, events: Sequence[Event], state: State) -> tuple[Seat, Action] | None:
        match events[0]:
            case CardPicked(seat=seat, card=card):
                return seat, Pick(card=card)
            case CardDrawn(seat=seat):
                return seat, Draw()
            case CardPlaced(seat=seat, slot=slot):
                return seat, PlaceCard(slot=slot)
            case TokenGiven(seat=seat, to=to):
                return seat, Give(to=to)
            case _:
                return None

    def told(self, event: Event, names: Sequence[str], language: Language) -> str:
        return f"{names[event.seat]} {event.card}." if isinstance(event, CardPicked) else ""

    def deeds(self, event: Event, state: State) -> Mapping[Seat, Mapping[str, int]]:
        return {event.seat: {f"placed.{event.slot}": 1}} if isinstance(event, CardPlaced) else {}

    def probes(self, view: View) -> Iterator[dict[str, Any]]:
        yield from ({"type": "pick", "card": card} for card in PACK)
        yield {"type": "draw"}
        yield from ({"type": "place", "slot": slot} for slot in ("left", "right"))
        yield from ({"type": "give", "to": to} for to in range(-1, 5))

    def refusals(self, options: Options) -> Mapping[str, frozenset[str]]:
        always = frozenset({"target", "not-held"})
        return {
            "picking": always | {"not-in-hand", "wrong-phase", "not-your-turn"},
            "drawing": always | {"wrong-phase", "not-your-turn"},
            "placing": always | {"wrong-phase", "not-your-turn"},
        }

    def deals_afresh(self, event: Event) -> bool:
        return isinstance(event, HandsDealt)

    def cards_in_play(self, state: State) -> tuple[Card, ...]:
        held = (card for hand in state.hands.values() for card in hand)
        placed = (card for _, card in state.placed.values())
        drawn = () if state.drawn is None else (state.drawn,)
        return (*held, *state.picked.values(), *placed, *drawn, *state.pile)

    def secrets(self, state: State, seat: Seat | None) -> frozenset[Card]:
        if not state.hands:
            return frozenset(PACK)
        seen = {card for _, card in state.placed.values()} | ({state.drawn} if state.drawn else set())
        if seat is not None:
            seen |= {*state.hands[seat], *([state.picked[seat]] if seat in state.picked else [])}
        return frozenset(PACK) - seen


def _worth(card: Card | None) -> int:
    return 0 if card is None else RANKS.index(card[0]) + 2


def _placed(placed: tuple[Slot, Card] | None) -> int:
    return 0 if placed is None else _worth(placed[1]) * (2 if placed[0] == "right" else 1)


def _with(state: State, **changes: Any) -> State:
    return msgspec.structs.replace(state, **changes)


RULESET = Tiny()
