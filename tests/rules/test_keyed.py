"""HMAC-SHA-256 for many messages: the standard library's values, for keys of all lengths."""

from __future__ import annotations

import hmac

from hypothesis import example, given
from hypothesis import strategies as st

from games.rules.keyed import hmac_sha256


@given(key=st.binary(max_size=200), messages=st.lists(st.binary(max_size=200), min_size=1, max_size=4))
@example(key=b"", messages=[b""])
@example(key=bytes(64), messages=[b"a", b"b"])
@example(key=bytes(65), messages=[b"a", b"b"])
def test_equals_the_standard_library(key: bytes, messages: list[bytes]) -> None:
    for message in messages:
        assert hmac_sha256(key, message) == hmac.digest(key, message, "sha256")
