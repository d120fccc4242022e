"""What a seat, or a spectator, may see of a game of Barbu (barbu.md, Who may see what).

Both `view` and `redact` are allow-lists: a hand is written out for its own seat alone, and the order of the pack for
nobody. `legal_actions` asks the view alone, and the same predicates as `decide`.
"""

from __future__ import annotations

from typing import Any, assert_never

import msgspec

from games.rules.barbu import patience
from games.rules.barbu.actions import Action, Cut, Deal, Declare, Pass, Shuffle
from games.rules.barbu.dealing import pack_of
from games.rules.barbu.decide import BY
from games.rules.barbu.events import HandsDealt, PackShuffled
from games.rules.barbu.options import Contract, Options
from games.rules.barbu.state import Phase, State
from games.rules.cards import Card
from games.rules.lifecycle import Event, plain
from games.rules.seats import Seat
from games.rules.tricks import Laid, Play, Played, laid, may_follow, seen_hands, taken_by_seat


class View(msgspec.Struct, frozen=True, kw_only=True):
    """Maps have the seats as keys; a hand that is not the viewer's own is its number of cards.

    `contracts` holds what is left on each list, `tricks` and `taken` the number and the cards of each seat's tricks,
    `layout` the patience suit by suit, lowest card first. `cut` and `by` tell how the present hands were dealt.
    """

    seat: Seat | None
    phase: Phase
    to_act: Seat | None
    options: Options
    deal: int
    deals: int
    declarer: Seat | None
    contracts: dict[Seat, tuple[Contract, ...]]
    contract: Contract | None
    cut: int | None
    by: int | None
    hands: dict[Seat, tuple[Card, ...] | int]
    trick: tuple[Laid, ...]
    tricks: dict[Seat, int]
    taken: dict[Seat, tuple[tuple[Played, ...], ...]]
    layout: dict[str, tuple[Card, ...]]
    out: tuple[Seat, ...]
    totals: dict[Seat, int]

    @property
    def played(self) -> tuple[Played, ...]:
        """The present trick in the form in which tricks are taken."""
        return tuple((laid.seat, laid.card) for laid in self.trick)


def view(state: State, seat: Seat | None) -> View:
    """What this viewer knows."""
    taken = taken_by_seat(state.taken, state.seats)
    lies_open = state.phase != "shuffling"  # tricks and layout are turned down once the pack is taken up
    return View(
        seat=seat,
        phase=state.phase,
        to_act=state.turn,
        options=state.options,
        deal=state.deal,
        deals=state.deals,
        declarer=state.declarer,
        contracts=dict(enumerate(state.lists)),
        contract=state.contract,
        cut=state.cut,
        by=state.by,
        hands=seen_hands(dict(enumerate(state.hands)), seat),
        trick=laid(state.trick),
        tricks={owner: len(tricks) for owner, tricks in taken.items()},
        taken=taken if lies_open else dict.fromkeys(taken, ()),
        layout=patience.layout(state.laid if lies_open else ()),
        out=state.out,
        totals=dict(enumerate(state.totals)),
    )


def redact(event: Event, seat: Seat | None) -> dict[str, Any]:
    """An event's data for this viewer; everything but hands and the pack is public."""
    data = plain(event)
    if isinstance(event, HandsDealt):
        data["hands"] = {owner: cards if owner == str(seat) else len(cards) for owner, cards in data["hands"].items()}
    if isinstance(event, PackShuffled):
        return {"seat": event.seat, "shuffled": event.shuffled}
    return data


def legal_actions(view: View) -> tuple[Action, ...]:
    """Every action that the view's seat may take now."""
    if view.seat is None or view.seat != view.to_act:
        return ()
    match view.phase:
        case "tricks":
            led = view.trick[0].card if view.trick else None
            return tuple(Play(card=card) for card in may_follow(own_hand(view), led))
        case "patience" | "extra":
            return _patience(view)
        case "declaring":
            return tuple(Declare(contract=contract) for contract in view.contracts[view.seat])
        case "shuffling":
            return (Shuffle(shuffle=True), Shuffle(shuffle=False))
        case "cutting":
            return tuple(Cut(at=at) for at in range(1, len(pack_of(len(view.totals)))))
        case "dealing":
            return tuple(Deal(by=by) for by in BY)
        case "starting" | "scored" | "over":
            return ()
        case _:
            assert_never(view.phase)


def _patience(view: View) -> tuple[Action, ...]:
    fits = patience.fitting(own_hand(view), laid_cards(view))
    plays = tuple(Play(card=card) for card in fits)
    return plays if plays and view.phase == "patience" else (*plays, Pass())


def laid_cards(view: View) -> frozenset[Card]:
    """The cards of the patience that lie on the table."""
    return frozenset(card for cards in view.layout.values() for card in cards)


def own_hand(view: View) -> tuple[Card, ...]:
    """The viewer's own cards."""
    assert view.seat is not None, "a spectator has no hand"
    hand = view.hands[view.seat]
    assert not isinstance(hand, int), "one's own hand is written out"
    return hand
