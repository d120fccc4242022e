"""One turn: exactly one of draw, Atout or pass (vingtsept.md, Turn), and what follows from it."""

from __future__ import annotations

from collections.abc import Collection

from games.rules.errors import Invalid, RuleViolation
from games.rules.seats import Seat
from games.rules.vingtsept import events as told
from games.rules.vingtsept import rounds
from games.rules.vingtsept.actions import Place
from games.rules.vingtsept.atouts import ATOUTS
from games.rules.vingtsept.cards import NINE, VALUES, Laid
from games.rules.vingtsept.play import SLOTS, AtoutKey, Play
from games.rules.vingtsept.state import State
from games.rules.vingtsept.unfolding import Unfolding

FIRST_CHANCE = 2  # the cycle after which the server may reveal for the first time
CHANCES = 4


# --- draw and place -----------------------------------------------------------------------------------------------


def draw(run: Unfolding, seat: Seat, count: int = 1) -> None:
    """Turn up the top of the pile."""
    refill(run, count)
    run.add(told.CardDrawn(seat=seat, cards=run.state.pile[:count]))


def refill(run: Unfolding, needed: int) -> None:
    """The discards become a new pile when a card is needed and none is left (Decision 15)."""
    if len(run.state.pile) < needed:
        run.add(told.PileReshuffled(cards=tuple(run.draw.shuffled(run.state.discards))))


def place(run: Unfolding, seat: Seat, action: Place) -> None:
    """A drawn card replaces one of the seat's cards, which is discarded, and so is the other card of a double draw.

    Raises Invalid for a `card` that does not go with the draw, RuleViolation for a wrong slot or card.
    """
    state = run.state
    card = _card_to_place(state, action)
    holding = state.holdings[seat]
    if action.slot not in open_slots(holding.visible, card):
        raise RuleViolation("slot", slot=action.slot)
    old = holding.hidden if isinstance(action.slot, str) else holding.visible[action.slot]
    assert old is not None
    unused = tuple(other for other in state.drawn if other != card)
    run.add(told.CardPlaced(seat=seat, slot=action.slot, card=card, discarded=(old.card, *unused)))
    _after(run)


def _card_to_place(state: State, action: Place) -> str:
    if state.phase == "placing":
        if action.card is not None:
            raise Invalid("card", "unexpected")
        return state.drawn[0]
    if action.card is None:
        raise Invalid("card", "required")
    if action.card not in state.drawn:
        raise RuleViolation("not-drawn", card=action.card)
    return action.card


def open_slots(visible: Collection[Laid], card: str) -> tuple[told.Slot, ...]:
    """Where a drawn card may go: on the hidden card only if it is a 9 and both visible ones count 9."""
    if VALUES[card] == NINE and all(laid.value == NINE for laid in visible):
        return (*SLOTS, "hidden")
    return SLOTS


# --- Atout --------------------------------------------------------------------------------------------------------


def play(run: Unfolding, seat: Seat, action: Play) -> None:
    """An Atout's effect applies at once, unless its target parries it."""
    state, unit = run.state, ATOUTS[action.atout]
    holding = state.holdings[seat]
    if jammed(holding.effects):
        raise RuleViolation("jammed")
    if action.atout not in holding.atouts:
        raise RuleViolation("not-held", atout=action.atout)
    code = unit.refusal_of(state, seat, action)
    if code is not None:
        raise RuleViolation(code)
    parried = action.target is not None and _parries(state.holdings[action.target].effects)
    if parried:
        effect = told.Effect(parried=True)
    else:
        refill(run, unit.cards_needed)
        effect = unit.effect(run.state, seat, action, run.draw)
    run.add(
        told.AtoutPlayed(
            seat=seat,
            atout=action.atout,
            slot=action.slot,
            target=action.target,
            target_slot=action.target_slot,
            delta=action.delta,
            effect=effect,
        )
    )
    if unit.cards_turned_up and not parried:
        draw(run, seat, unit.cards_turned_up)
    else:
        _after(run)


def jammed(effects: Collection[AtoutKey]) -> bool:
    """Whether a seat under these effects can play no Atout."""
    return any(ATOUTS[key].bars_atouts for key in effects)


def _parries(effects: Collection[AtoutKey]) -> bool:
    return any(ATOUTS[key].parries for key in effects)


def _after(run: Unfolding) -> None:
    if not rounds.ended_by_triple_nine(run):
        turn_over(run)


# --- pass ---------------------------------------------------------------------------------------------------------


def go_by(run: Unfolding, seat: Seat) -> None:
    """A pass; the Reveal if it was the seat's third or the last of a run of all seats (Decision 11)."""
    state = run.state
    if state.options.random_reveal:
        run.add(told.TurnPassed(seat=seat, passes_left=None))
        turn_over(run)
        return
    left = state.holdings[seat].passes_left - 1
    run.add(told.TurnPassed(seat=seat, passes_left=left))
    if left == 0 or run.state.passed.issuperset(run.state.still_in):
        rounds.reveal(run)
    else:
        turn_over(run)


# --- between turns ------------------------------------------------------------------------------------------------


def turn_over(run: Unfolding) -> None:
    """Frozen seats are skipped; with `random_reveal` a full cycle may end the round (Decision 21)."""
    while True:
        if _chance_due(run.state):
            revealed = run.draw.below(CHANCES) == 0
            run.add(told.ChanceOfReveal(revealed=revealed))
            if revealed:
                rounds.reveal(run)
                return
        seat = run.state.turn
        if not any(ATOUTS[key].skips_turn for key in run.state.holdings[seat].effects):
            return
        run.add(told.TurnSkipped(seat=seat))


def _chance_due(state: State) -> bool:
    """Whether a cycle from the second on has just ended: it did when the turn has come to the starter again."""
    return state.options.random_reveal and state.turn == state.starter and state.cycles >= FIRST_CHANCE
