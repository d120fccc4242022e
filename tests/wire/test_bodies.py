"""What a body and a query string must be."""

from __future__ import annotations

from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.wire.problems import Problem
from config.wire.typed import MAX_DEPTH, decode
from tests.wire.routes import Point, Sample

LIMIT = 64 * 1024


def refused(text: bytes) -> dict[str, list[str]]:
    with pytest.raises(Problem) as refusal:
        decode(text, Sample)
    assert refusal.value.code == "validation"
    errors = refusal.value.facts["errors"]
    return {member: [fault.text("en") for fault in faults] for member, faults in errors.items()}


def test_a_good_body_becomes_its_struct() -> None:
    text = '{"name": "é😀", "count": 5, "kind": "b", "points": [{"x": 1}]}'.encode()

    assert decode(text, Sample) == Sample(name="é😀", count=5, kind="b", points=[Point(x=1)])


@pytest.mark.parametrize(
    "text",
    [
        b"{",
        b"nonsense",
        b'{"name": "x"} trailing',
        b'{"name": NaN}',
        b'{"name": 1e999}',
        b"\xef\xbb\xbf{}",
        b'{"name": "\xff"}',
        b'{"name": "\xed\xa0\x80"}',
        b'{"name": "\\ud800"}',
        b'{"\\udc00": 1}',
        b"[" * 60_000,
        b'{"a":' * 10_000,
    ],
)
def test_what_is_no_json_is_malformed(text: bytes) -> None:
    assert refused(text) == {"body": ["This is not valid JSON"]}


@pytest.mark.parametrize(
    "text,member",
    [
        (b'{"name": "x", "count": 1, "count": 2}', "count"),
        (b'{"name": "x", "name": "x"}', "name"),
        (b'{"na\\u006de": "x", "name": "y"}', "name"),
        (b'{"name": "x", "points": [{"x": 1, "x": 2}]}', "x"),
        (b'{"unknown": 1, "unknown": 2}', "unknown"),
    ],
)
def test_a_member_that_stands_twice_is_refused(text: bytes, member: str) -> None:
    assert refused(text) == {member: ["Given more than once"]}


@pytest.mark.parametrize("text", [b"[]", b"null", b'"name"', b"1", b"true"])
def test_what_is_no_object_is_refused(text: bytes) -> None:
    assert refused(text) == {"body": ["An object is expected"]}


@pytest.mark.parametrize(
    "text,member",
    [
        (b'{"name": "a\\u0000"}', "name"),
        (b'{"name": "a", "points": [{"x": 1, "label": "\\u0000"}]}', "points"),
        (b'{"name": "a", "extra": {"deep": ["\\u0000"]}}', "extra"),
        (b'{"a\\u0000b": 1}', "body"),
        (b'{"name": "a", "extra": {"\\u0000": 1}}', "body"),
    ],
)
def test_nul_is_refused_wherever_it_stands(text: bytes, member: str) -> None:
    assert refused(text) == {member: ["Holds a character that is not allowed"]}


def test_a_number_that_no_table_holds_is_refused() -> None:
    text = b'{"name": "a", "extra": {"n": [%d]}}' % (2**63)

    assert refused(text) == {"extra": ["This value is not possible"]}


def test_nesting_is_bounded() -> None:
    deep: Any = 1
    for _ in range(MAX_DEPTH):
        deep = [deep]

    assert refused(orjson.dumps({"name": "a", "extra": {"x": deep}})) == {"extra": ["Nested too deeply"]}


def test_every_member_at_fault_is_named() -> None:
    text = b'{"name": 1, "count": 9, "kind": "z", "points": [{"x": 1}, {"x": "1"}], "more": 0}'

    assert refused(text) == {
        "name": ["Expected str, got int"],
        "count": ["Must be <= 5"],
        "kind": ["Not one of the possible values"],
        "points": ["1.x: Expected int, got str"],
        "more": ["This member is not known"],
    }


def test_a_missing_member_is_named_also_inside_another() -> None:
    assert refused(b"") == {"name": ["This member is required"]}
    assert refused(b'{"name": "a", "points": [{}]}') == {"points": ["0.x: This member is required"]}
    assert refused(b'{"name": "a", "points": 3}') == {"points": ["Expected array, got int"]}
    assert refused(b'{"name": "12345678901"}') == {"name": ["Its length must be <= 10"]}


@pytest.mark.parametrize("text", [b'{"name": true}', b'{"name": "a", "count": "1"}', b'{"name": "a", "count": 1.5}'])
def test_nothing_is_converted(text: bytes) -> None:
    assert refused(text)


class Raise(msgspec.Struct, tag="raise", frozen=True, kw_only=True):
    by: int


class Pass(msgspec.Struct, tag="pass", frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


def test_a_union_is_told_apart_by_its_tag() -> None:
    union: Any = Raise | Pass

    assert decode(b'{"type": "raise", "by": 2}', union) == Raise(by=2)
    for text, member in [
        (b'{"type": "fold"}', "type"),
        (b'{"type": "raise"}', "by"),
        (b'{"type":"pass","by":1}', "by"),
    ]:
        with pytest.raises(Problem) as refusal:
            decode(text, union)
        assert list(refusal.value.facts["errors"]) == [member]


@settings(max_examples=200, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=4)))
def test_any_value_is_taken_or_refused_in_words(value: Any) -> None:
    try:
        text = msgspec.json.encode({"name": value, "extra": {"any": value}})
    except UnicodeEncodeError:
        return
    try:
        assert isinstance(decode(text, Sample).name, str)
    except Problem as problem:
        for faults in problem.facts["errors"].values():
            assert all(fault.text(language) for fault in faults for language in ("en", "fr"))


def test_a_body_may_have_64_kib_and_no_more(client: Any) -> None:
    least = len(b'{"name": "a", "extra": {"x": ""}}')
    fits = b'{"name": "a", "extra": {"x": "' + b"y" * (LIMIT - least) + b'"}}'

    assert len(fits) == LIMIT
    assert client.post("/echo/", data=fits, content_type="application/json").status_code == 200
    response = client.post("/echo/", data=fits + b" ", content_type="application/json")
    assert response.status_code == 413
    assert response.json()["code"] == "too-large"


def test_a_declared_size_is_believed_before_anything_is_read(client: Any) -> None:
    response = client.post("/echo/", data=b"{", content_type="application/json", CONTENT_LENGTH="65537")

    assert response.status_code == 413


@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
def test_only_json_is_taken(client: Any, media: str) -> None:
    response = client.generic("POST", "/echo/", b'{"name": "a"}', content_type=media)

    assert response.status_code == 415
    assert response.json()["code"] == "unsupported-media-type"


@pytest.mark.parametrize("media", ["application/json; charset=utf-8", "Application/JSON", "application/vnd.x+json"])
def test_all_that_is_json_is_taken(client: Any, media: str) -> None:
    assert client.generic("POST", "/echo/", b'{"name": "a"}', content_type=media).status_code == 200


def test_a_query_string_is_typed_too(client: Any) -> None:
    assert client.get("/ask/?after=12&mine=true&mode=ranked").json() == {"after": 12, "mine": True, "mode": "ranked"}
    assert client.get("/ask/").json() == {"after": 0, "mine": False, "mode": None}


@pytest.mark.parametrize(
    "asked,member",
    [
        ("after=-1", "after"),
        ("after=1.5", "after"),
        ("after=", "after"),
        ("after=1&after=2", "after"),
        ("mine=perhaps", "mine"),
        ("mode=all", "mode"),
        ("mode=%00", "mode"),
        ("other=1", "other"),
        ("after=99999999999999999999999999", "after"),
    ],
)
def test_a_query_string_is_refused_by_its_member(client: Any, asked: str, member: str) -> None:
    response = client.get(f"/ask/?{asked}")

    assert response.status_code == 400
    assert list(response.json()["errors"]) == [member]
