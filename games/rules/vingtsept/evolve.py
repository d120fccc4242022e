"""The state after each event. May not refuse, draw or look at a clock: all that it needs stands in the event."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from games.rules.cards import Card
from games.rules.lifecycle import Event
from games.rules.seats import Seat, put
from games.rules.vingtsept import events as told
from games.rules.vingtsept.atouts import ATOUTS
from games.rules.vingtsept.cards import Laid
from games.rules.vingtsept.state import HAND_LIMIT, LAST_ROUND, PASSES, REWARD_PICKS, Holding, State, without

_USED_UP = frozenset(key for key, unit in ATOUTS.items() if unit.ends_with_turn)
_PARRIES = frozenset(key for key, unit in ATOUTS.items() if unit.parries)


def evolve(state: State, event: Event, at: datetime) -> State:
    """The state after one event of this ruleset."""
    match event:  # the most frequent first
        case told.CardDrawn(seat=seat, cards=cards):
            return _drawn(state, seat, cards)
        case told.CardPlaced():
            return _placed(state, event)
        case told.TurnPassed(seat=seat, passes_left=passes_left):
            return _passed(state, seat, passes_left)
        case told.AtoutPlayed():
            return _played(state, event)
        case told.AtoutPicked():
            return _picked(state, event)
        case told.AtoutsOffered():
            return _offered(state, event)
        case told.RoundDealt():
            return _dealt(state, event, at)
        case told.AtoutGiven():
            return _given(state, event)
        case told.StarterDrawn(starter=starter):
            return replace(state, starter=starter)
        case told.TurnSkipped(seat=seat):
            return _turn_over(state, seat)
        case told.PileReshuffled(cards=cards):
            return replace(state, pile=state.pile + cards, discards=())
        case told.HiddenRevealed(cards=cards):
            holdings = tuple(replace(holding, shown=True) for holding in state.holdings)
            return replace(state, phase="scored", holdings=holdings, sighted=state.sighted.union(cards.values()))
        case told.DecisionDrawn():
            return _decided(state, event)
        case told.TripleNine():
            holdings = tuple(replace(holding, picks_left=0) for holding in state.holdings)
            return replace(state, phase="scored", holdings=holdings)
        case told.RoundScored():
            return _scored(state, event)
        case _:  # chance_of_reveal changes nothing by itself
            return state


# --- the round begins ---------------------------------------------------------------------------------------------


def _dealt(state: State, event: told.RoundDealt, at: datetime) -> State:
    """vingtsept.md, Round: all but HP and Atouts starts anew; with 9 Atouts a seat picks none."""
    holdings = []
    for seat, old in enumerate(state.holdings):
        fresh = Holding(hp=old.hp, out_round=old.out_round, atouts=old.atouts, turn=old.turn)
        if old.still_in:
            hidden = event.hidden[seat]
            fresh = replace(
                fresh,
                visible=tuple(Laid(card) for card in event.visible[seat]),
                hidden=Laid(hidden),
                sighted=frozenset((hidden,)),
                picks_left=state.options.atouts if len(old.atouts) < HAND_LIMIT else 0,
            )
        holdings.append(fresh)
    state = State(
        options=state.options,
        phase="picking",
        round=event.round,
        starter=event.starter,
        dealt_at=at,
        threshold=state.options.objective,
        holdings=tuple(holdings),
        pile=event.pile,
        sighted=frozenset(card for cards in event.visible.values() for card in cards),
        last_round=state.last_round,
    )
    return _turns_if_all_picked(state)


def _offered(state: State, event: told.AtoutsOffered) -> State:
    """Offers of a new round, or of a Triple Nine's reward once its round is scored."""
    holding = state.holdings[event.seat]
    if state.phase == "scored":
        state, holding = replace(state, phase="reward"), replace(holding, picks_left=REWARD_PICKS)
    holding = replace(holding, offers=event.offers, turn=holding.turn + 1)
    return replace(state, holdings=put(state.holdings, event.seat, holding))


def _picked(state: State, event: told.AtoutPicked) -> State:
    """One more in the hand; of the reward's nine the others stay on offer."""
    holding = state.holdings[event.seat]
    hand = (*holding.atouts, event.atout)
    picks = holding.picks_left - 1 if len(hand) < HAND_LIMIT else 0
    offers = without(holding.offers, event.atout) if picks and state.phase == "reward" else ()
    turn = holding.turn + 1 if offers else holding.turn
    holding = replace(holding, atouts=hand, picks_left=picks, offers=offers, turn=turn)
    return _turns_if_all_picked(replace(state, holdings=put(state.holdings, event.seat, holding)))


def _turns_if_all_picked(state: State) -> State:
    if state.phase != "picking":
        return state
    for holding in state.holdings:
        if holding.picks_left:
            return state
    return _turn_of(state, state.starter)


# --- turns --------------------------------------------------------------------------------------------------------


def _turn_of(state: State, seat: Seat) -> State:
    holding = state.holdings[seat]
    holdings = put(state.holdings, seat, replace(holding, turn=holding.turn + 1))
    return replace(state, phase="turn", turn=seat, holdings=holdings)


def _turn_over(state: State, seat: Seat) -> State:
    """The next seat's turn; a full cycle ends before the starter's (Decision 21)."""
    effects = state.holdings[seat].effects
    if effects and effects & _USED_UP:
        state = state.with_seat(seat, effects=effects - _USED_UP)
    after = state.next_in(seat)
    holding = state.holdings[after]
    return replace(
        state,
        phase="turn",
        turn=after,
        cycles=state.cycles + (after == state.starter),
        holdings=put(state.holdings, after, replace(holding, turn=holding.turn + 1)),
    )


def _busy(holding: Holding) -> Holding:
    """Drawing or playing an Atout gives all passes back (Decision 11)."""
    return holding if holding.passes_left == PASSES else replace(holding, passes_left=PASSES)


def _drawn(state: State, seat: Seat, cards: tuple[Card, ...]) -> State:
    """The top of the pile lies open; a run of passes is broken (Decision 11)."""
    holding = state.holdings[seat]
    busy = _busy(holding)
    return replace(
        state,
        phase="placing" if len(cards) == 1 else "double-placing",
        holdings=state.holdings if busy is holding else put(state.holdings, seat, busy),
        pile=state.pile[len(cards) :],
        drawn=cards,
        passed=frozenset(),
        sighted=state.sighted.union(cards),
    )


def _placed(state: State, event: told.CardPlaced) -> State:
    seat, laid, sighted = event.seat, Laid(event.card), state.sighted
    holding = state.holdings[seat]
    if event.slot == "hidden":
        holding = replace(holding, hidden=laid, shown=False, seen_by=frozenset())
    else:
        holding = replace(holding, visible=put(holding.visible, event.slot, laid))
    state = replace(
        state,
        holdings=put(state.holdings, seat, holding),
        drawn=(),
        discards=state.discards + event.discarded,
        sighted=sighted if sighted.issuperset(event.discarded) else sighted.union(event.discarded),
    )
    return _turn_over(state, seat)


def _passed(state: State, seat: Seat, left: int | None) -> State:
    """`left`: passes after this one, None where they are not counted."""
    holdings = state.holdings
    if left is not None:
        holdings = put(holdings, seat, replace(holdings[seat], passes_left=left))
    return _turn_over(replace(state, holdings=holdings, passed=state.passed | {seat}), seat)


def _played(state: State, event: told.AtoutPlayed) -> State:
    """A parried Atout is spent all the same, and spends the parry; a run of passes is broken (Decision 11)."""
    unit, holding = ATOUTS[event.atout], state.holdings[event.seat]
    holding = replace(holding, atouts=without(holding.atouts, event.atout), passes_left=PASSES)
    state = replace(state, holdings=put(state.holdings, event.seat, holding), passed=frozenset())
    if event.effect.parried:
        assert event.target is not None
        state = state.with_seat(event.target, effects=state.holdings[event.target].effects - _PARRIES)
    else:
        state = unit.apply(state, event)
        if unit.cards_turned_up:
            return state
    return _turn_over(state, event.seat)


def _given(state: State, event: told.AtoutGiven) -> State:
    """Who gets to 9 by it loses open offers and remaining picks (Decision 17)."""
    state = state.with_seat(event.seat, atouts=without(state.holdings[event.seat].atouts, event.atout))
    hand = (*state.holdings[event.to].atouts, event.atout)
    if len(hand) < HAND_LIMIT:
        return state.with_seat(event.to, atouts=hand)
    return _turns_if_all_picked(state.with_seat(event.to, atouts=hand, offers=(), picks_left=0))


# --- the round ends -----------------------------------------------------------------------------------------------


def _decided(state: State, event: told.DecisionDrawn) -> State:
    """Hidden cards from the separate pack; those of the round's own pack that they replace are laid aside."""
    for seat, card in event.cards.items():
        old = state.holdings[seat]
        if not old.separate:
            assert old.hidden is not None
            state = replace(state, discards=(*state.discards, old.hidden.card))
        state = state.with_seat(seat, hidden=Laid(card), separate=True)
    return replace(state, sighted=state.sighted.union(event.cards.values()))


def _scored(state: State, event: told.RoundScored) -> State:
    holdings = tuple(
        replace(holding, hp=event.hp[seat], out_round=state.round if seat in event.out else holding.out_round)
        for seat, holding in enumerate(state.holdings)
    )
    state = replace(state, phase="scored", holdings=holdings, last_round=event)
    sides = {state.side(seat) for seat in state.still_in}
    return replace(state, phase="over") if len(sides) == 1 or state.round == LAST_ROUND else state
