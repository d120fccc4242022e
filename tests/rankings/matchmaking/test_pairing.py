"""Who plays together, as the pure core decides it: no clock, no database."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from rankings.matchmaking.pairing import Acquaintance, Looking, Match, Terms, matches

FOUR = Terms(seats=4, least=2)
DUEL = Terms(seats=2, least=2, pairs=4)


def looking(*names: str, level: float = 1500, since: float = 0, seats: int | None = None) -> Looking:
    return Looking(id="+".join(names), players=names, level=level, since=since, seats=seats)


def crowd(names: str, **more: Any) -> list[Looking]:
    return [looking(name, **more) for name in names.split()]


def found(tickets: list[Looking], terms: Terms = FOUR, now: float = 0, **known: Any) -> list[Match]:
    return list(matches(tickets, now, terms, Acquaintance(**known)))


def pair(one: str, other: str) -> frozenset[str]:
    return frozenset((one, other))


def test_so_many_as_a_table_has_seats_play_together() -> None:
    (match,) = found(crowd("a b c d e"))

    assert sorted(str(player) for player in match.players) == ["a", "b", "c", "d"]
    assert found(crowd("a b c")) == []


def test_who_waits_longest_is_seated_first() -> None:
    tickets = [looking(name, since=number) for number, name in enumerate("edcba")]

    (match,) = found(tickets, now=5)

    assert set(match.players) == set("edcb")


def test_nobody_meets_somebody_outside_either_window() -> None:
    strong = looking("strong", level=1601)

    assert found([*crowd("a"), strong], DUEL) == []
    assert len(found([*crowd("a"), msgspec.structs.replace(strong, level=1600)], DUEL)) == 1


def test_windows_widen_with_waiting_and_both_must_reach() -> None:
    old, new = looking("old", level=1500), looking("new", level=1700, since=10)

    assert found([old, new], DUEL, now=10) == []
    assert found([old, new], DUEL, now=19.9) == []
    assert len(found([old, new], DUEL, now=20)) == 1


def test_a_table_of_one_seat_less_is_allowed_after_each_longer_wait() -> None:
    assert found(crowd("a b c"), now=29) == []
    assert [len(match.players) for match in found(crowd("a b c"), now=30)] == [3]
    assert found(crowd("a b"), now=59) == []
    assert [len(match.players) for match in found(crowd("a b"), now=60)] == [2]


def test_a_smaller_table_is_never_below_the_minimum_and_all_must_have_waited() -> None:
    barbu = Terms(seats=4, least=3)

    assert found(crowd("a b"), barbu, now=1000) == []
    assert found([*crowd("a b"), looking("late", since=15)], now=30) == []


def test_a_ticket_may_ask_for_another_size() -> None:
    assert [len(match.players) for match in found(crowd("a b", seats=2))] == [2]
    assert found([*crowd("a", seats=2), *crowd("b c")]) == []
    assert [len(match.players) for match in found(crowd("a b c d e f", seats=6))] == [6]


def test_blocked_players_never_meet_and_others_still_do() -> None:
    (match,) = found(crowd("a b c d e"), blocked={pair("a", "b")})

    assert set(match.players) == set("acde")
    assert found(crowd("a b c d"), blocked={pair("b", "d")}, now=29) == []


def test_recent_opponents_are_less_attractive_but_better_than_nobody() -> None:
    again = {pair("a", "b"): 1}
    apart = [*crowd("a b"), looking("c", level=1550)]

    assert set(found(apart, DUEL, met=again)[0].players) == {"a", "c"}
    assert set(found(crowd("a b"), DUEL, met=again)[0].players) == {"a", "b"}


def test_a_party_stays_together() -> None:
    (match,) = found([*crowd("a b c"), looking("x", "y")], now=0)

    assert {"x", "y"} <= set(match.players)
    assert len(match.players) == 4


def test_a_ranked_party_always_has_somebody_against_it() -> None:
    three = looking("a", "b", "c")

    assert found([three], now=1000) == []
    assert found([looking("a", "b", "c", "d")], now=1000) == []
    (match,) = found([three, looking("e")])
    assert len(match.players) == 4


def test_a_party_of_two_makes_a_game_of_pairs_and_sits_on_0_and_2() -> None:
    parties = [looking("a", "b"), looking("c", "d")]
    (match,) = found(parties, DUEL)
    assert match.teams
    assert {match.players[0], match.players[2]} in [{"a", "b"}, {"c", "d"}]
    assert {match.players[1], match.players[3]} in [{"a", "b"}, {"c", "d"}]

    (match,) = found([looking("a", "b", since=1), looking("c", seats=4), looking("d", seats=4)], DUEL, now=1)
    assert (match.players[0], match.players[2]) == ("a", "b")
    assert {match.players[1], match.players[3]} == {"c", "d"}


def test_single_players_play_duels_unless_they_ask_for_more() -> None:
    assert [match.teams for match in found(crowd("a b c d"), DUEL)] == [False, False]
    (match,) = found(crowd("a b c d", seats=4), DUEL)
    assert not match.teams
    assert len(match.players) == 4


def test_casual_tables_are_filled_up_with_bots_after_a_while_and_ranked_never() -> None:
    casual = Terms(seats=4, least=2, ranked=False, bots_after=15, smaller_after=1000)

    assert found(crowd("a b"), casual, now=14) == []
    (match,) = found(crowd("a b"), casual, now=15)
    assert match.players == ("a", "b", None, None)
    assert found(crowd("a"), FOUR, now=10_000) == []


def test_a_casual_party_may_fill_a_table_alone() -> None:
    casual = Terms(seats=4, least=2, ranked=False)

    assert [match.players for match in found([looking("a", "b", "c", "d")], casual)] == [("a", "b", "c", "d")]


@pytest.mark.parametrize("seed", range(6))
def test_in_any_crowd_the_rules_hold(seed: int) -> None:
    chance = random.Random(seed)
    terms = chance.choice([FOUR, DUEL, Terms(seats=4, least=3), Terms(seats=4, least=2, ranked=False)])
    now, tickets = 60.0, []
    for number in range(120):
        party = 2 if chance.random() < 0.1 else 1
        names = [f"{number}.{place}" for place in range(party)]
        tickets.append(looking(*names, level=chance.gauss(1500, 250), since=chance.uniform(0, 60)))
    everybody = [player for ticket in tickets for player in ticket.players]
    blocked = {frozenset(chance.sample(everybody, 2)) for _ in range(300)}
    by_id = {ticket.id: ticket for ticket in tickets}

    made = found(tickets, terms, now, blocked=blocked)

    assert made
    assert max(Counter(ticket for match in made for ticket in match.tickets).values()) == 1
    for match in made:
        seated = [by_id[ticket] for ticket in match.tickets]
        assert sorted(p for t in seated for p in t.players) == sorted(p for p in match.players if p)
        assert len(match.players) >= terms.least
        assert not terms.ranked or None not in match.players
        for one in seated:
            for other in seated:
                assert abs(one.level - other.level) <= terms.window_after(now - one.since)
                assert one is other or not any(pair(a, b) in blocked for a in one.players for b in other.players)
