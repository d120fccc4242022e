"""Stored games: proved by command, told in words, branched, and decided once more under changed rules."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.rules import tricks
from games.rules.gg import trick_play
from games.rules.proof.verifying import verify
from games.rules.registry import AnyRuleset, listed, ruleset
from games.rules.table import appends
from games.services import branch, clock, entropy, refold, replays, trials
from games.store.cache import Loaded
from games.store.load import history, load
from tests.games import somebody
from tests.servers import TestServers
from tests.store.games import superuser

every_ruleset = pytest.mark.parametrize("rules", listed(), ids=lambda rules: rules.key)


def run(*arguments: object) -> tuple[int, str]:
    """Exit code and output of a command."""
    out = StringIO()
    try:
        call_command(*map(str, arguments), stdout=out)
    except SystemExit as stopped:
        return int(str(stopped.code)), out.getvalue()
    return 0, out.getvalue()


def stored(rules: str, **fewer: Any) -> Loaded:
    return trials.write(trials.made_up(ruleset(rules)), **fewer)


def current(game_id: str) -> Loaded:
    loaded = load(game_id)
    assert loaded is not None
    return loaded


@every_ruleset
def test_a_stored_game_is_proved_and_told_by_command(rules: AnyRuleset) -> None:
    game = stored(rules.key)

    code, said = run("verify_game", game.table.id)
    assert code == 0
    assert "The hash chain fits" in said
    code, said = run("replay", game.table.id, "--language", "fr")
    assert code == 0
    assert "La partie commence." in said
    assert "La partie est finie" in " ".join(said.split())
    assert refold.refold(game.table.id).difference is None


def test_running_and_unknown_games_are_not_opened() -> None:
    running = stored("gg", most=12)
    for command in ("verify_game", "replay"):
        for game_id in (running.table.id, entropy.new_id()):
            with pytest.raises(CommandError):
                call_command(command, game_id)


def test_a_row_that_was_altered_is_named_with_its_version(servers: TestServers) -> None:
    game = stored("plie")
    version = next(record.version for record in history(game.table.id) if record.event.type == "bid_made")
    shift(servers, game.table.id, version, "1 ms")
    try:
        code, said = run("verify_game", game.table.id, "--json")
    finally:
        shift(servers, game.table.id, version, "-1 ms")

    assert code == 1
    assert json.loads(said)["difference"]["seq"] == version
    assert run("verify_game", game.table.id)[0] == 0


def shift(servers: TestServers, game_id: str, version: int, span: str) -> None:
    """Move a stored event in time, as only who is above all privileges can."""
    with superuser(servers) as connection:
        connection.execute("ALTER TABLE games_event DISABLE TRIGGER USER")
        connection.execute(
            "UPDATE games_event SET recorded_at = recorded_at + %s::interval WHERE game_id = %s AND version = %s",
            [span, game_id, version],
        )
        connection.execute("ALTER TABLE games_event ENABLE TRIGGER USER")


def test_receipts_that_were_kept_are_compared(tmp_path: Path) -> None:
    game, kept = stored("gg"), tmp_path / "kept.jsonl"
    head = {"type": "ack", "version": game.version, "receipt": game.head.hex()}
    kept.write_text(json.dumps(head))

    code, said = run("verify_game", game.table.id, "--receipts", kept)
    assert code == 0
    assert "Receipts that were kept and fit: 1." in said

    kept.write_text(json.dumps([[4, "ab" * 32], [game.version, game.head.hex()]]))
    code, said = run("verify_game", game.table.id, "--receipts", kept)
    assert code == 1
    assert "Events 1 to 4" in said
    kept.write_text('{"no": "receipt"}')
    with pytest.raises(CommandError):
        call_command("verify_game", game.table.id, "--receipts", str(kept))


@every_ruleset
def test_a_branch_from_the_middle_is_played_to_its_end_and_leaves_its_source_untouched(rules: AnyRuleset) -> None:
    source = stored(rules.key)
    middle = [group for group in appends(history(source.table.id)) if group[0].event.type not in _AROUND]
    at = middle[-max(2, min(len(middle) // 2, 12))][-1].version
    player = somebody()

    answer = branch.branch(player.caller, source.table.id, at, 0, "easy", None)
    game_id = json.loads(answer.body)["id"]
    played_out(game_id)

    assert current(source.table.id).head == source.head
    assert run("verify_events", "--game", source.table.id)[0] == 0
    code, said = run("verify_game", game_id)
    assert (code, f"copied from game {source.table.id} is proved" in said) == (0, True), said
    alone = verify(replays.as_json(replays.opened(current(game_id))))
    assert alone.holds
    assert alone.unproved is not None
    assert refold.refold(game_id).difference is None
    again = branch.branch(player.caller, game_id, alone.unproved[1], 1, "easy", None)
    assert json.loads(again.body)["branched_from"] == {"game_id": game_id, "at": alone.unproved[1]}


_AROUND = {"game_created", "seat_taken", "client_seed_given", "game_started", "seat_controlled"}


def played_out(game_id: str) -> None:
    """Let bots play on for everybody, by a clock that is far ahead."""
    now = entropy.utcnow()
    for hours in range(1, 3000):
        if current(game_id).table.status != "playing":
            return
        moment = now + timedelta(hours=hours)
        clock.look_after(game_id, lambda moment=moment: moment)  # type: ignore[misc]
    raise AssertionError("the branch does not end")


def test_a_branch_whose_past_is_not_its_sources_is_found_out() -> None:
    source = stored("gg")
    middle = [group for group in appends(history(source.table.id)) if group[0].event.type not in _AROUND]
    answer = branch.branch(somebody().caller, source.table.id, middle[-2][-1].version, 0, "easy", None)
    game_id = json.loads(answer.body)["id"]
    played_out(game_id)
    replay = replays.as_json(replays.opened(current(game_id)))
    del replay["chain"]
    place = next(n for n, event in enumerate(replay["events"]) if event["type"] == "bid_made")
    replay["events"][place]["data"]["tricks"] += 1

    difference = verify(replay, sources=replays.ancestry(current(game_id))).difference

    assert difference is not None
    assert difference.seq == place + 1


def test_a_fault_planted_into_who_takes_a_trick_is_reported_at_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    game = trials.made_up(ruleset("gg"))
    while not any(record.event.type == "trick_taken" for record in game.records):
        game = trials.made_up(ruleset("gg"))
    loaded = trials.write(game)
    assert refold.refold(loaded.table.id).difference is None
    faulty = first_trick_not_taken_first(loaded)

    monkeypatch.setattr(trick_play, "winner", lambda played, strength, cancel=None: played[0][0])
    found = refold.refold(loaded.table.id).difference
    code, said = run("refold", "--since", game.now.date().isoformat(), "--ruleset", "gg")

    if faulty is None:  # every trick went to its first card
        assert found is None
        return
    assert found is not None
    assert (found.seq, found.path.rsplit(".", 1)[-1]) == (faulty, "seat")
    assert code == 1
    assert f"{loaded.table.id}" in said
    assert f"Event {faulty}, data.seat," in said


def first_trick_not_taken_first(game: Loaded) -> int | None:
    for record in history(game.table.id):
        if isinstance(event := record.event, tricks.TrickTaken) and event.seat != event.cards[0][0]:
            return record.version
    return None


def test_refolding_says_nothing_of_games_that_come_out_the_same() -> None:
    game = stored("vingtsept")

    _, said = run("refold", "--since", "2025-12-31", "--ruleset", "vingtsept", "--json")

    assert game.table.id not in said  # other tests keep made-up games in the same tables
    assert refold.refold(game.table.id).difference is None


def test_refolding_ends_well_and_in_silence_where_every_game_comes_out_the_same() -> None:
    corpus = Path(__file__).parent.parent / "corpus"

    assert run("refold", "--corpus", str(corpus), "--ruleset", "gg", "--json") == (0, "")
