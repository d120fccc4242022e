"""A game that is over, move by move, through somebody's eyes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.client import Player, Reply, Visitor, finished, plays_on, table

RULES = ("gg", "plie", "barbu", "vingtsept")
DEALS = {"hands_dealt", "round_dealt"}


def look(who: Visitor, game: Any, what: str, query: str = "") -> Reply:
    return who.get(f"games/{game['id']}/replay/{what}/{query}")


def test_nobody_looks_back_before_the_end() -> None:
    game, (host, _) = table()

    for what in ("moves", "states"):
        assert look(host, game, what).code == "game-state"
        assert look(Visitor(), game, what).code == "unauthenticated"


def test_a_private_game_opens_to_those_who_sat_there_alone() -> None:
    game, players = table(visibility="private")
    plays_on(game, players)

    for what in ("moves", "states"):
        assert look(Visitor(), game, what).code == "unauthenticated"
        assert look(Visitor(), game, what, "?eyes=9").code == "unauthenticated"
        assert look(Player(), game, what).code == "not-found"
        assert look(players[1], game, what).status == 200


def test_a_public_game_opens_to_all_and_unknown_eyes_are_refused() -> None:
    game, players = table()
    plays_on(game, players)

    for what in ("moves", "states"):
        assert look(Visitor(), game, what).status == 200
        assert look(Visitor(), game, what, "?eyes=1").status == 200
        for eyes in ("2", "-1", "all", "", "007"):
            assert look(Visitor(), game, what, f"?eyes={eyes}").code == "validation"
    assert look(Visitor(), game, "states", "?limit=0").code == "validation"


@pytest.mark.parametrize("rules", RULES)
def test_a_seats_eyes_see_what_that_seat_saw_then(rules: str) -> None:
    game, players = finished(rules)
    moves = look(Visitor(), game, "moves").ok()["moves"]
    middle = moves[len(moves) // 2]["version"]

    for seat, player in enumerate(players):
        states = look(Visitor(), game, "states", f"?eyes={seat}&at={middle}&limit=3").ok()["results"]
        assert states[0]["version"] == middle
        for state in states:
            assert state == player.get(f"games/{game['id']}/state/?at={state['version']}").ok()
    spectator = look(Visitor(), game, "states", f"?eyes=spectator&at={middle}&limit=1").ok()["results"][0]
    assert spectator == Player().get(f"games/{game['id']}/state/?at={middle}").ok()


@pytest.mark.parametrize("rules", RULES)
def test_a_state_follows_each_move_and_open_hands_are_all_hands(rules: str) -> None:
    game, _ = finished(rules)
    moves = look(Visitor(), game, "moves").ok()["moves"]

    states: list[Any] = []
    while len(states) < len(moves):
        at = states[-1]["version"] + 1 if states else 0
        states += look(Visitor(), game, "states", f"?at={at}&limit=200").ok()["results"]

    assert [state["version"] for state in states] == [move["version"] for move in moves]
    assert states[-1]["version"] == game["version"]
    events = Visitor().get(f"games/{game['id']}/replay/").ok()["events"]
    dealt = next(event for event in events if event["type"] in DEALS)
    state = next(state["state"] for state in states if state["version"] >= dealt["seq"])
    if rules == "vingtsept":
        hidden = {str(seat["seat"]): seat["hidden"]["card"] for seat in state["seats"]}
        assert hidden == dealt["data"]["hidden"]
        assert all(len(offers) == 3 for offers in state["offers"].values())
    else:
        assert state["hands"] == dealt["data"]["hands"]


@pytest.mark.parametrize("rules", RULES)
def test_words_tell_what_the_eyes_saw_and_no_more(rules: str) -> None:
    game, players = finished(rules)
    events = Visitor().get(f"games/{game['id']}/replay/").ok()["events"]
    dealt = next(event for event in events if event["type"] in DEALS)
    everything = look(Visitor(), game, "moves").ok()["moves"]

    for eyes in ("spectator", *map(str, range(len(players)))):
        seen = look(Visitor(), game, "moves", f"?eyes={eyes}").ok()["moves"]
        assert [(move["version"], move["seat"]) for move in seen] == [
            (move["version"], move["seat"]) for move in everything
        ]
        words = next(move["words"] for move in seen if move["version"] >= dealt["seq"])
        hands = dealt["data"]["hidden"] if rules == "vingtsept" else dealt["data"]["hands"]
        for owner, cards in hands.items():
            written = " ".join(map(_face, [cards] if rules == "vingtsept" else cards))
            assert (written in words) == (owner == eyes)


def _face(card: str) -> str:
    return card[0].replace("T", "10") + {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}[card[1]]


def test_words_come_in_the_language_asked_for() -> None:
    game, _ = finished("gg")

    assert "takes the trick" in look(Visitor("en"), game, "moves").content.decode()
    assert "fait le pli" in look(Visitor("fr"), game, "moves").content.decode()
