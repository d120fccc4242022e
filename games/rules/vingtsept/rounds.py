"""A round from its deal to the next one: offers, Triple Nine, Reveal, Decision (vingtsept.md, Round, Reveal).

Turns are played elsewhere; they come here when a round may be over.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.cards import Card
from games.rules.seats import Seat, around, following
from games.rules.stream import Stream
from games.rules.vingtsept import events as told
from games.rules.vingtsept import scoring
from games.rules.vingtsept.atouts import on_offer
from games.rules.vingtsept.cards import PACK
from games.rules.vingtsept.state import HAND_LIMIT
from games.rules.vingtsept.unfolding import Unfolding

OFFERS = 3
REWARD_OFFERS = 9
CARDS_EACH = 3


def begin(run: Unfolding) -> None:
    """The first round (details.md, Random stream: the starter is a number below the seats)."""
    starter = run.draw.below(run.state.seats)
    run.add(told.StarterDrawn(starter=starter))
    deal(run, starter)


def deal(run: Unfolding, starter: Seat) -> None:
    """One card at a time, clockwise from the starter: first visible, second visible, hidden."""
    state = run.state
    pack = run.draw.shuffled(PACK)
    order = [seat for seat in around(starter, state.seats) if seat in state.still_in]
    rows = [dict(zip(order, pack[n * len(order) :], strict=False)) for n in range(CARDS_EACH)]
    run.add(
        told.RoundDealt(
            round=state.round + 1,
            starter=starter,
            visible={seat: (rows[0][seat], rows[1][seat]) for seat in sorted(order)},
            hidden={seat: rows[2][seat] for seat in sorted(order)},
            pile=tuple(pack[CARDS_EACH * len(order) :]),
        )
    )
    if ended_by_triple_nine(run):  # before any pick (Decision 9)
        return
    for seat in run.state.to_act if run.state.phase == "picking" else ():
        offer(run, seat, OFFERS)


def offer(run: Unfolding, seat: Seat, count: int) -> None:
    """Different Atouts, the first of a shuffle of them all."""
    keys = run.draw.shuffled(on_offer(teams=run.state.options.teams))
    run.add(told.AtoutsOffered(seat=seat, offers=tuple(keys[:count])))


# --- ends of a round ----------------------------------------------------------------------------------------------


def ended_by_triple_nine(run: Unfolding) -> bool:
    """vingtsept.md, Triple Nine: end the round if a seat holds three 9s; two such seats make it void."""
    holders = tuple([seat for seat, holding in enumerate(run.state.holdings) if holding.three_nines])
    if not holders:
        return False
    run.add(told.TripleNine(seats=holders))
    _turn_up(run)
    if len(holders) > 1:
        _score(run, None, "void")
        next_round(run)
        return True
    holder = holders[0]
    _score(run, run.state.side(holder), "triple_nine")
    if run.state.phase != "over" and run.state.held(holder) < HAND_LIMIT:  # Decision 25
        offer(run, holder, REWARD_OFFERS)
    else:
        next_round(run)
    return True


def reveal(run: Unfolding) -> None:
    """The best total not above the threshold wins; ties between sides are settled by Decisions."""
    _turn_up(run)
    state = run.state
    best = scoring.leaders({seat: state.holdings[seat].total for seat in state.in_round}, state.threshold)
    if not best:
        _score(run, None, "general_bust")
    else:
        _score(run, run.state.side(_decision(run, best)), "best")
    next_round(run)


def _turn_up(run: Unfolding) -> None:
    hidden = {seat: run.state.holdings[seat].hidden for seat in run.state.in_round}
    cards = {seat: laid.card for seat, laid in hidden.items() if laid}
    values = {seat: laid.mirrored for seat, laid in hidden.items() if laid and laid.mirrored is not None}
    run.add(told.HiddenRevealed(cards=cards, values=values or None))


def _decision(run: Unfolding, tied: tuple[Seat, ...]) -> Seat:
    """One of the seats that win: tied ones of several sides draw until one side alone is best (Decisions 4, 16, 26)."""
    separate = _separate_pack(run.draw)
    while len({run.state.side(seat) for seat in tied}) > 1:
        run.add(told.DecisionDrawn(cards={seat: next(separate) for seat in tied}))
        totals = {seat: run.state.holdings[seat].total for seat in tied}
        tied = scoring.leaders(totals, run.state.threshold) or tied
    return tied[0]


def _separate_pack(draw: Stream) -> Iterator[Card]:
    """Freshly shuffled when the first card is needed, and again should all its cards be used up."""
    while True:
        yield from draw.shuffled(PACK)


def _score(run: Unfolding, winning_side: int | None, reason: told.Reason) -> None:
    assert run.state.dealt_at is not None
    run.add(scoring.scored(run.state, winning_side, reason, run.now - run.state.dealt_at))


def next_round(run: Unfolding) -> None:
    """Unless the game is over, deal again from the next seat still in after the last starter (Decision 18)."""
    state = run.state
    if state.phase != "over":
        deal(run, following(state.starter, state.seats, state.still_in))
