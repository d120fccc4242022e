"""Plie and Barbu over REST: whole games with real tokens, their scores recomputed by the rules pages alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.client import Player, Visitor, plays_on, table
from tests.rules.barbu.scoring import expected_points


def replay_of(game: Any) -> list[dict[str, Any]]:
    """A finished game's events, the data and the type side by side."""
    replay = Visitor().get(f"games/{game['id']}/replay/").ok()
    return [{**event["data"], "type": event["type"]} for event in replay["events"]]


def stream_of(game: Any, viewer: Player) -> list[dict[str, Any]]:
    """All events as a player got them."""
    events: list[dict[str, Any]] = []
    while True:
        page = viewer.get(f"games/{game['id']}/events/?after={len(events)}&limit=200").ok()["results"]
        if not page:
            return events
        events += page


def standing(over: Any) -> list[tuple[int, int]]:
    return [(seat["place"], seat["score"]) for seat in over["seats"]]


@pytest.mark.timeout(400)
def test_a_whole_game_of_plie_ends_as_its_announcements_and_tricks_say() -> None:
    game, players = table(rules="plie", others=7, options={"hook": True})
    over = plays_on(game, players)

    totals, said, took = [0] * 8, [0] * 8, [0] * 8
    sizes = []
    for event in replay_of(over):
        if event["type"] == "hands_dealt":
            sizes.append(event["cards"])
            said, took = [0] * 8, [0] * 8
        elif event["type"] == "bid_made":
            said[event["seat"]] = event["tricks"]
        elif event["type"] == "trick_taken":
            took[event["seat"]] += 1
        elif event["type"] == "deal_scored":
            assert sum(said) != sum(took) == sizes[-1]
            for seat in range(8):
                totals[seat] += 3 + took[seat] if said[seat] == took[seat] else -abs(said[seat] - took[seat])
    assert sizes == [1, 2, 3, 4, 4, 3, 2, 1]
    assert standing(over) == [(1 + sum(other > own for other in totals), own) for own in totals]


@pytest.mark.timeout(400)
def test_a_whole_game_of_barbu_dealt_by_hand_ends_as_its_contracts_say_and_never_shows_the_pack() -> None:
    contracts = ["king_of_hearts", "patience", "salad"]
    options = {"dealing": "manual", "contracts": contracts, "always": ["hearts"], "values": {"heart": 7}}
    game, players = table(rules="barbu", others=2, options=options)
    over = plays_on(game, players)

    totals = [0, 0, 0]
    deal: list[dict[str, Any]] = []
    events = replay_of(over)
    for event in events:
        deal = [] if event["type"] == "contract_declared" else [*deal, event]
        if event["type"] == "deal_scored":
            gained = expected_points(over["options"], event["contract"], 3, deal)
            totals = [total + gained[seat] for seat, total in enumerate(totals)]
    assert standing(over) == [(1 + sum(other < own for other in totals), own) for own in totals]

    packs = [event for event in events if event["type"] == "pack_shuffled"]
    assert len(packs) == 9
    assert all(len(set(pack["cards"])) == 30 for pack in packs), "the replay holds every pack"
    for viewer in (*players, Player("Stranger")):
        shuffles = [event["data"] for event in stream_of(over, viewer) if event["type"] == "pack_shuffled"]
        assert shuffles == [{"seat": pack["seat"], "shuffled": pack["shuffled"]} for pack in packs]
    for seat, viewer in enumerate(players):
        for event in stream_of(over, viewer):
            if event["type"] == "hands_dealt":
                hands = event["data"]["hands"]
                assert all(hand == 10 for owner, hand in hands.items() if owner != str(seat))
                assert len(hands[str(seat)]) == 10
