"""A game is proved from its replay alone, and whatever is altered is found at its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.rules.conformance.alterations import altered
from games.rules.conformance.playthrough import Case, Playthrough, played
from games.rules.conformance.replays import replay
from games.rules.lifecycle import LIFECYCLE
from games.rules.proof import sentences
from games.rules.proof.links import Receipt
from games.rules.proof.verifying import verify
from games.rules.registry import AnyRuleset, listed, register
from games.rules.retelling import lines, seat_names
from games.rules.table import Recorded, appends
from games.services import refold
from tests.tiny import RULESET

register(RULESET)
EVERY = [*listed(), RULESET]
every_ruleset = pytest.mark.parametrize("rules", EVERY, ids=lambda rules: rules.key)


def game_of(rules: AnyRuleset, number: int = 0) -> Playthrough:
    return played(Case(rules, seed=77, number=number))


def shown(game: Playthrough) -> dict[str, Any]:
    """The replay as it comes back from JSON."""
    told: dict[str, Any] = json.loads(msgspec.json.encode(replay(game)))
    return told


def place_of(replay: dict[str, Any], kind: str, nth: int = 0) -> int:
    return [place for place, event in enumerate(replay["events"]) if event["type"] == kind][nth]


@every_ruleset
def test_a_good_replay_is_proved_to_its_end(rules: AnyRuleset) -> None:
    for number in range(3):
        game = game_of(rules, number)

        proof = verify(shown(game))

        assert proof.difference is None
        assert (proof.events, proof.words) == (len(game.records), game.table.words)
        assert proof.moves == sum(_decided(group) for group in appends(game.records))
        assert proof.deals >= 1


def _decided(group: Sequence[Recorded]) -> bool:
    """Whether an append came from the rules, the start included."""
    return any(record.event.type not in LIFECYCLE or record.event.type == "game_started" for record in group)


@every_ruleset
def test_one_altered_value_is_found_at_its_place(rules: AnyRuleset) -> None:
    for number in range(3):
        game = game_of(rules, number)
        good, noise = shown(game), game.case.noise("alterations")
        for _ in range(12):
            alteration = altered(good, noise)

            difference = verify(alteration.replay).difference

            assert difference is not None, alteration.what
            assert difference.path
            if alteration.seq is not None:
                assert difference.seq == alteration.seq, alteration.what


def alter_card(replay: dict[str, Any]) -> int:
    place = place_of(replay, "hands_dealt")
    hand = replay["events"][place]["data"]["hands"]["0"]
    hand[0] = "2C" if hand[0] != "2C" else "3C"
    return place + 1


def alter_seat(replay: dict[str, Any]) -> int:
    place = place_of(replay, "card_played", 2)
    replay["events"][place]["data"]["seat"] += 1
    return place + 1


def alter_trick(replay: dict[str, Any]) -> int:
    place = place_of(replay, "trick_taken")
    replay["events"][place]["data"]["seat"] = (replay["events"][place]["data"]["seat"] + 1) % 2
    return place + 1


def alter_score(replay: dict[str, Any]) -> int:
    place = place_of(replay, "deal_scored")
    replay["events"][place]["data"]["totals"]["0"] += 1
    return place + 1


def alter_standing(replay: dict[str, Any]) -> int:
    replay["events"][-1]["data"]["standing"][0]["score"] += 1
    return len(replay["events"])


def alter_time_back(replay: dict[str, Any]) -> int:
    replay["events"][9]["at"] = "2020-01-01T00:00:00.000Z"
    return 10


def cut_off(replay: dict[str, Any]) -> int:
    del replay["events"][-40:]
    return len(replay["events"]) + 1


@pytest.mark.parametrize(
    "alter", [alter_card, alter_seat, alter_trick, alter_score, alter_standing, alter_time_back, cut_off]
)
def test_what_the_rules_forbid_is_found_without_any_chain(alter: Callable[[dict[str, Any]], int]) -> None:
    bad = shown(game_of(listed()[1]))
    del bad["chain"]
    seq = alter(bad)

    difference = verify(bad).difference

    assert difference is not None
    assert difference.seq == seq


@pytest.mark.parametrize(
    "path",
    [
        ("fairness", "seed"), ("fairness", "commitment"), ("fairness", "algorithm"), ("game", "rules"),
        ("game", "status"), ("game", "seats", 0, "place"), ("game", "seats", 1, "controller"),
    ],
)  # fmt: skip
def test_what_stands_beside_the_events_is_proved_too(path: tuple[Any, ...]) -> None:
    bad = shown(game_of(listed()[0]))
    owner: Any = bad
    for step in path[:-1]:
        owner = owner[step]
    value = owner[path[-1]]
    owner[path[-1]] = value + 1 if isinstance(value, int) else value[:-1] + ("0" if value[-1] != "0" else "1")

    difference = verify(bad).difference

    assert difference is not None
    assert difference.path.split(".")[0] == path[0]


def test_receipts_find_what_no_rule_can_see() -> None:
    good = shown(game_of(listed()[0]))
    links = good.pop("chain")
    receipts = [Receipt(version, links[version - 1]) for version in (3, 20, 30, len(links))]
    times = [event["at"] for event in good["events"]]
    place = next(n for n in range(20, 29) if len({times[n - 1], times[n], times[n + 1]}) == 3)
    bad = deepcopy(good)
    bad["events"][place]["at"] = times[place - 1]

    assert verify(good, receipts).difference is None
    assert verify(bad).difference is None, "nothing but the chain knows when a card was played"
    difference = verify(bad, receipts).difference

    assert difference is not None
    assert (difference.problem, difference.since, difference.seq) == ("receipt", 21, 30)
    assert "21 to 30" in sentences.found(difference, "en")
    lost = verify(good, [Receipt(len(links) + 1, links[0])]).difference
    assert lost is not None
    assert lost.seq == len(links) + 1


def test_nothing_that_anybody_may_send_breaks_the_proof() -> None:
    good = shown(game_of(listed()[3]))
    wrong: list[Any] = [None, [], {}, {"game": good["game"]}, good | {"events": []}, good | {"events": [1]}]
    for nonsense in wrong:
        assert verify(nonsense).difference is not None
    for member in ("game", "events", "fairness"):
        assert verify(good | {member: None}).difference is not None
    assert verify(good | {"chain": "none"}).difference is not None
    assert verify(good | {"chain": good["chain"][:-1]}).difference is not None


@every_ruleset
def test_a_timeout_before_its_time_is_noticed(rules: AnyRuleset) -> None:
    game = game_of(rules)
    bad = shown(game)
    del bad["chain"]
    place = place_of(bad, "game_started")
    while bad["events"][place + 1]["at"] == bad["events"][place]["at"]:
        place += 1
    seat = next(s for s, chair in enumerate(game.table.chairs) if chair and chair.player_id)
    early = {"type": "seat_controlled", "at": bad["events"][place]["at"], "seq": place + 2}
    bad["events"].insert(place + 1, early | {"data": {"seat": seat, "by": "bot", "reason": "timeout"}})
    bad["events"][place + 2 :] = [event | {"seq": event["seq"] + 1} for event in bad["events"][place + 2 :]]

    difference = verify(bad).difference

    assert difference is not None
    assert (difference.problem, difference.expected, difference.seq) == ("illegal", "before-its-time", place + 2)


@pytest.mark.parametrize("rules", listed(), ids=lambda rules: rules.key)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_move_has_words_and_every_action_its_time(rules: AnyRuleset, language: Any) -> None:
    game = game_of(rules, 1)
    names = seat_names(game.table, {}, language)

    told = list(lines(game.table.id, game.records, names, language))

    assert [line.last for line in told] == [table.version for table in game.tables]
    assert all(line.words and "{" not in line.words for line in told)
    assert any(line.scores for line in told)
    assert sum(line.thought is not None for line in told) > len(told) // 2
    assert all(line.thought.total_seconds() >= 0 for line in told if line.thought is not None)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_findings_and_checks_are_told_in_words(language: Any) -> None:
    good = shown(game_of(listed()[0]))
    noise = game_of(listed()[0]).case.noise("words")

    assert len(list(sentences.checked(verify(good), language))) == 6
    for _ in range(40):
        difference = verify(altered(good, noise).replay).difference
        assert difference is not None
        sentence = sentences.found(difference, language)
        assert sentence.endswith(".")
        assert difference.seq is None or str(difference.seq) in sentence


def test_the_corpus_of_golden_games_comes_out_the_same() -> None:
    files = sorted((Path(__file__).parent.parent / "corpus").glob("*.jsonl.gz"))
    found = [each for path in files for each in refold.of_corpus(str(path))]

    assert {each.rules for each in found} == {rules.key for rules in listed()}
    assert len(found) > 40
    assert [each for each in found if each.difference is not None] == []
