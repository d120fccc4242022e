"""From two tickets to a finished ranked game and its rating changes, for every ruleset, over REST with real tokens.

Barbu needs three seats: one of its two tickets is a party of two.
"""

from __future__ import annotations

import random

import pytest

from games.rules.registry import listed, ruleset
from games.services import play, watch
from games.services.clock import look_after
from games.services.command import Caller
from games.store.load import load
from rankings.matchmaking import conduct, matcher
from rankings.ratings import follow
from tests.api.client import some
from tests.rankings.matchmaking.players import Seeker, ahead

MOST_MOVES = 20_000


def seated(rules: str) -> tuple[str, list[Seeker]]:
    """A match made of two tickets at the smallest table, just started; its players."""
    seats = ruleset(rules).min_seats
    seekers = [Seeker(f"Player {number}") for number in range(seats)]
    owner, single, *friends = seekers
    ticket = owner.seeks(rules, seats=seats, party=[friend.id for friend in friends])
    for friend in friends:
        friend.accepts(ticket).ok()
    single.seeks(rules, seats=seats)
    assert matcher.run() == 1
    game_id = owner.ticket(ticket)["game_id"]
    look_after(game_id, ahead(3.1))
    return game_id, seekers


def played(game_id: str, seekers: list[Seeker]) -> None:
    """Legal actions at random: the first over REST, the rest through the service, as sockets do it."""
    whim, by_id = random.Random(5), {seeker.id: seeker for seeker in seekers}
    for number in range(MOST_MOVES):
        loaded = load(game_id)
        assert loaded is not None
        if loaded.table.status != "playing":
            return
        seat = loaded.table.to_act[0]
        chair = loaded.table.chairs[seat]
        assert chair is not None
        assert chair.player_id is not None
        action = some(watch.legal_actions(loaded.table, seat), whim)
        if number < 3:
            by_id[chair.player_id].moves({"id": game_id}, action).ok(201)
        else:
            play.move(Caller(player_id=chair.player_id), game_id, action, None, None)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("rules", [known.key for known in listed()])
def test_two_tickets_become_a_ranked_game_and_its_rating_changes(rules: str) -> None:
    game_id, seekers = seated(rules)

    played(game_id, seekers)
    while follow.follow():
        pass
    while conduct.follow():
        pass

    game = seekers[0].get(f"games/{game_id}/").ok()
    assert (game["status"], game["mode"]) == ("finished", "ranked")
    for seeker in seekers:
        (change,) = seeker.get(f"players/{seeker.id}/ratings/{rules}/history/").ok()["results"]
        assert change["game_id"] == game_id
        assert change["seats"] == len(seekers)
        assert seeker.get(f"players/{seeker.id}/").ok()["conduct"] == {"games": 1, "marred": 0, "rate": 0.0}
        assert seeker.tries(rules).status == 201
