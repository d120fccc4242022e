import hashlib
import hmac
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from games.rules import chain
from games.rules.moments import rfc3339
from games.store.load import history
from tests.store.games import running, say

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
)


@given(VALUES)
def test_canonical_json_is_what_pythons_json_writes_sorted_and_without_spaces(value: Any) -> None:
    expected = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

    assert chain.canonical(value) == expected


@pytest.mark.parametrize("code", range(1, 32))
def test_control_characters_are_written_as_pythons_json_writes_them(code: int) -> None:
    assert chain.canonical(chr(code)) == json.dumps(chr(code)).encode()


@pytest.mark.parametrize(
    "value",
    ["a\0b", "\ud800", {"k\0": 1}, {"\udfff": 1}, [1, [0.5]], {"x": 1e16}, {"x": ["\0"]}, {1: 2}],
    ids=ascii,
)
def test_what_would_fail_a_batch_or_be_written_in_two_ways_is_refused(value: Any) -> None:
    with pytest.raises(chain.Unstorable):
        chain.canonical(value)


@pytest.mark.parametrize("value", ["\\u0000", "3.5", {"seed": "3e7"}, ["1.x", 2, None, True]])
def test_text_that_only_looks_like_it_is_stored(value: Any) -> None:
    assert json.loads(chain.canonical(value)) == value


def test_a_link_is_made_of_the_one_before_the_salt_and_the_canonical_event() -> None:
    seed, before = bytes(range(32)), b"\x01" * 32
    at = datetime(2026, 11, 30, 12, 0, 0, 123_999, tzinfo=UTC)
    text = '{"at":"2026-11-30T12:00:00.123Z","data":{"card":"QH","seat":2},"seq":12,"type":"card_played"}'
    salt = hmac.new(seed, b"repli.v1.chain|12", "sha256").digest()

    event = chain.stored(12, "card_played", at, chain.canonical({"seat": 2, "card": "QH"}))

    assert event.decode() == text
    assert chain.link(before, seed, 12, event) == hashlib.sha256(before + salt + text.encode()).digest()


def test_the_stored_rows_of_a_game_give_its_head_to_whoever_knows_the_seed() -> None:
    game = say(running(), "é ☃ 😀", 'quote " and \\ and \x1f', "line\nbreak \\u0000")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT recorded_at, data::text, version, type, hash FROM games_event WHERE game_id = %s ORDER BY version",
            [game.table.id],
        )
        stored = cursor.fetchall()

    link = bytes(32)
    for at, data, version, kind, kept in stored:
        value = {"at": rfc3339(at), "data": json.loads(data), "seq": version, "type": kind}
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        salt = hmac.new(game.seed, b"repli.v1.chain|%d" % version, "sha256").digest()
        link = hashlib.sha256(link + salt + text.encode()).digest()
        assert bytes(kept) == link
        assert data == json.dumps(value["data"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    assert link == game.head
    assert len(stored) == len(history(game.table.id)) == game.version
