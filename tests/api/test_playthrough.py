"""Whole games over REST with real tokens, driven by nothing but `legal_actions`."""

from __future__ import annotations

import pytest

from games.rules.registry import listed
from tests.api.client import Player, Visitor, finished, played_with_bots, table


@pytest.mark.timeout(400)
@pytest.mark.parametrize("key", [rules.key for rules in listed()])
def test_a_whole_game_is_played_by_legal_actions_alone(key: str) -> None:
    over, _ = finished(key)

    assert over["status"] == "finished"
    assert over["legal_actions"] == []
    assert over["to_act"] == []
    assert over["deadline"] is None
    places = [seat["place"] for seat in over["seats"]]
    assert min(places) == 1
    assert all(place is not None for place in places)
    replay = Visitor().get(f"games/{over['id']}/replay/").ok()
    assert [event["seq"] for event in replay["events"]] == list(range(1, over["version"] + 1))
    assert replay["events"][-1]["type"] == "game_finished"
    assert [one["place"] for one in replay["events"][-1]["data"]["standing"]] == places


def test_a_player_beats_or_loses_to_bots_without_ever_seeing_their_cards() -> None:
    over, (host,) = played_with_bots("gg", seats=3)

    assert over["status"] == "finished"
    stream = host.get(f"games/{over['id']}/events/?limit=200").ok()["results"]
    for event in stream:
        if event["type"] == "hands_dealt" and event["data"]["cards"] > 1:
            assert all(isinstance(hand, int) for seat, hand in event["data"]["hands"].items() if seat != "0")


def test_a_stranger_watches_a_public_game_without_anybodys_hand() -> None:
    game, _ = table(rules="gg", others=2)

    seen = Player().sees(game)

    assert seen["me"] is None
    dealt = Player().get(f"games/{game['id']}/events/").ok()["results"][-1]["data"]["hands"]
    assert dealt == {"0": 5, "1": 5, "2": 5}
