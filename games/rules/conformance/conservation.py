"""Promises about cards: none is anywhere twice, none appears and none vanishes while a pack is on the table."""

from __future__ import annotations

from games.rules.cards import Card
from games.rules.conformance.playthrough import Playthrough
from games.rules.conformance.violation import demand
from games.rules.lifecycle import LIFECYCLE
from games.rules.table import Table, advance


def check_cards(game: Playthrough) -> None:
    """Follow the cards through every event of the game. Raises Violation."""
    rules, state = game.rules, None
    laid_out: frozenset[Card] = frozenset()
    for record in game.records:
        if record.event.type in LIFECYCLE:
            if record.event.type == "game_started":
                state = advance(Table(id=game.table.id), game.records[: record.version]).state
            continue
        state = rules.evolve(state, record.event, record.at)
        cards = rules.cards_in_play(state)
        here = frozenset(cards)
        demand(len(cards) == len(here), "no card is in two places", version=record.version, cards=sorted(cards))
        if rules.deals_afresh(record.event):
            laid_out = here
            demand(here, "a new deal has cards", version=record.version)
        elif here:
            demand(here == laid_out, "no card appears or vanishes", version=record.version, change=here ^ laid_out)
