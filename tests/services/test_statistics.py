"""Statistics of players: counted once per game from the events, the same to the bit when they are made anew."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command

from games.rules.conformance.playthrough import Playthrough
from games.rules.registry import AnyRuleset, listed, ruleset
from games.rules.retelling import moves
from games.rules.table import appends
from games.services import trials
from games.statistics import following, telling
from games.statistics.counting import added, counted
from games.store.connection import execute
from games.tasks import count
from tests.api.client import Player, Visitor, plays_on, table


def followed() -> None:
    """Count all that waits, whatever other tests have left."""
    while following.follow():
        pass


def player_of(game: Playthrough, seat: int = 0) -> str:
    chair = game.table.chairs[seat]
    assert chair is not None
    assert chair.player_id is not None
    return chair.player_id


@pytest.mark.parametrize("rules", listed(), ids=lambda rules: rules.key)
def test_a_finished_game_is_counted_once_for_each_of_its_players(rules: AnyRuleset) -> None:
    game = trials.made_up(rules)
    trials.write(game)

    followed()
    followed()
    count()

    (told,) = telling.statistics(UUID(player_of(game))).rulesets
    assert (told.rules, told.games) == (rules.key, 1)
    assert game.table.standing is not None
    place = next(each.place for each in game.table.standing if each.seat == 0)
    assert told.places == {str(place): 1}
    assert told.wins == (place == 1)
    own = [made for made in moves(game.table.id, game.records) if made.seat == 0 and made.thought is not None]
    own = [made for made in own if (chair := made.before.chairs[0]) and not chair.played_by_bot]
    assert told.moves == len(own)
    spent = sum((made.thought for made in own if made.thought is not None), timedelta())
    assert told.thinking_seconds == pytest.approx(spent.total_seconds() / len(own), abs=0.02)


def test_bids_and_contracts_are_counted_as_the_events_score_them() -> None:
    plie = trials.made_up(ruleset("plie"), takeovers=False)
    scored = [record.event for record in plie.records if record.event.type == "deal_scored"]
    counts = counted(plie.table.id, plie.records)[player_of(plie)]
    assert counts["bids.made"] == len(scored)
    assert counts["bids.met"] == sum(event.bids[0] == event.tricks[0] for event in scored)  # type: ignore[attr-defined]

    barbu = trials.made_up(ruleset("barbu"), takeovers=False)
    counts = counted(barbu.table.id, barbu.records)[player_of(barbu)]
    assert barbu.table.standing is not None
    total = next(place.score for place in barbu.table.standing if place.seat == 0)
    assert sum(counts[key] for key in counts if key.endswith(".points")) == total
    declared = Counter({key: number for key, number in counts.items() if key.endswith(".declared")})
    assert declared.total() == len(barbu.table.options.contracts)


def test_branches_and_games_without_an_end_count_for_nobody() -> None:
    game = trials.made_up(ruleset("gg"))
    assert counted(game.table.id, game.records[:-1]) == {} or game.records[-1].event.type != "game_finished"
    first, *_ = appends(game.records)
    assert counted(game.table.id, first) == {}


def test_made_anew_they_are_the_same_to_the_bit() -> None:
    for rules in listed():
        trials.write(trials.made_up(rules))
    followed()
    game = trials.made_up(ruleset("gg"))
    trials.write(game)
    followed()
    assert following.compare() == []

    execute(
        "UPDATE games_statistic SET counts = '{\"games\":7}' WHERE player_id = %s AND rules = 'gg'", [player_of(game)]
    )
    assert following.compare() == [(player_of(game), "gg")]
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("rebuild_statistics", "--check", stdout=out)
    assert player_of(game) in out.getvalue()
    call_command("rebuild_statistics", stdout=out)

    assert following.compare() == []
    assert added({"a": 1}, {"b": 2, "a": 3}) == {"a": 4, "b": 2}


def test_they_are_served_as_documented() -> None:
    game, players = table()
    plays_on(game, players)
    followed()

    told: dict[str, Any] = players[0].get(f"players/{players[0].id}/statistics/").ok()

    (tiny,) = told["rulesets"]
    assert told["player_id"] == players[0].id
    assert (tiny["rules"], tiny["games"], tiny["bids"], tiny["contracts"]) == ("tiny", 1, None, None)
    assert sum(tiny["more"].values()) == 1
    assert tiny["thinking_seconds"] >= 0
    assert Player().get(f"players/{game['id']}/statistics/").code == "not-found"
    assert Visitor().get(f"players/{players[0].id}/statistics/").code == "unauthenticated"
    assert players[0].get("accounts/me/export/").ok()["statistics"] == told["rulesets"]
