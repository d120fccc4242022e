"""Promises about the end: it is recorded at once, the standing is complete, its places are well formed."""

from __future__ import annotations

import re

from games.rules import lifecycle as life
from games.rules.conformance.playthrough import Playthrough
from games.rules.conformance.violation import demand
from games.rules.lifecycle import Place


def check_end(game: Playthrough) -> None:
    """Raises Violation unless the finished game ends as it should."""
    last = game.records[-1].event
    demand(isinstance(last, life.GameFinished), "a game ends with game_finished", last=last)
    standing = game.table.standing or ()
    demand(game.rules.to_act(game.table.state) == (), "after the end nobody is waited for")
    demand(game.rules.standing(game.table.state) == standing, "the state knows the recorded standing")
    demand([entry.seat for entry in standing] == list(range(game.table.seats)), "every seat is placed, in order")
    check_places(standing)
    _check_teams(game, standing)
    _check_order(game)


def check_places(standing: tuple[Place, ...]) -> None:
    """1 is best, equals share a place, and the next one is skipped: a place is 1 + those before it."""
    places = [entry.place for entry in standing]
    for entry in standing:
        before = sum(place < entry.place for place in places)
        demand(entry.place == 1 + before, "places skip as many as share one", places=places)


def _check_teams(game: Playthrough, standing: tuple[Place, ...]) -> None:
    """Team-mates share a place."""
    by_team: dict[int, set[int]] = {}
    for entry in standing:
        team = game.rules.team_of(game.table.options, entry.seat)
        if team is not None:
            by_team.setdefault(team, set()).add(entry.place)
    demand(all(len(places) == 1 for places in by_team.values()), "team-mates share a place", teams=by_team)


def _check_order(game: Playthrough) -> None:
    """Where the ruleset gives the order of its events as an expression, the whole game follows it.

    `order` is a regular expression over the event types from `game_started` on, each followed by one space, with
    `seat_controlled` left out (details.md, Order of events).
    """
    order: str | None = getattr(game.rules, "order", None)
    if order is None:
        return
    types = [record.event.type for record in game.records]
    told = types[types.index("game_started") :]
    line = "".join(f"{name} " for name in told if name != "seat_controlled")
    demand(re.fullmatch(order, line), "events come in the pinned order", order=order, events=line)
