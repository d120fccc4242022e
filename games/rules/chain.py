"""The salted hash chain over a game's stored events (details.md, Chain), and the canonical bytes that it covers.

Pure: no database. Invariant: what is hashed is exactly what is stored in `data` and what the wire sends as `at`,
`seq` and `type`, so that anyone can recompute a link from a replay once the seed is shown.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from typing import Any

import msgspec

from games.rules.keyed import hmac_sha256
from games.rules.moments import rfc3339

ZERO = bytes(32)  # link 0

# Text in which a value may hide that PostgreSQL or another JSON writer would treat otherwise; a second look decides.
_NOTHING = b"\\u0000"
_FRACTION = re.compile(rb"(?:^|[:,\[])-?\d+[.eE]")  # a number begins the text or follows one of these: no spaces
_encode = msgspec.json.Encoder(order="sorted").encode


class Unstorable(ValueError):
    """A value that must not reach the database: U+0000, half a surrogate pair, a fraction."""


def canonical(value: Any) -> bytes:
    """JSON with sorted keys, no spaces, UTF-8: what `json.dumps(…, sort_keys=True, ensure_ascii=False)` writes.

    `value` holds JSON values with string keys; numbers are whole. Raises Unstorable.
    """
    try:
        encoded = _encode(value)
    except (UnicodeEncodeError, TypeError) as error:
        raise Unstorable(str(error)) from None
    if _NOTHING in encoded or _FRACTION.search(encoded):
        _look(msgspec.json.decode(encoded))
    return encoded


def _look(value: Any) -> None:
    match value:
        case str():
            if "\0" in value:
                raise Unstorable("U+0000")
        case float():
            raise Unstorable("a fraction")
        case dict():
            for key, member in value.items():
                _look(key)
                _look(member)
        case list():
            for member in value:
                _look(member)


def salt(seed: bytes, version: int) -> bytes:
    """What keeps a small hidden card from being guessed from a receipt while the seed is secret."""
    return hmac_sha256(seed, b"repli.v1.chain|%d" % version)


def stored(version: int, kind: str, at: datetime, data: bytes) -> bytes:
    """The canonical form of a stored event, from its canonical `data`."""
    return b'{"at":"%b","data":%b,"seq":%d,"type":"%b"}' % (rfc3339(at).encode(), data, version, kind.encode())


def link(before: bytes, seed: bytes, version: int, event: bytes) -> bytes:
    """Link `version` of the chain: 32 bytes made of the link before it, the salt and the event as `stored`."""
    return hashlib.sha256(before + salt(seed, version) + event).digest()
