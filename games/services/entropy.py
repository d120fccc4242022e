"""The only source of randomness and of the present time in the service; everything below gets its results handed in."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime

from config.wire.ids import new_id as new_uuid
from games.rules.stream import Stream

CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # no 0/O, no 1/I
CODE_LENGTH = 6
SEED_BYTES = 32


def utcnow() -> datetime:
    """The server's clock, the one that every rule about time goes by."""
    return datetime.now(UTC)


def new_id() -> str:
    """A UUIDv7 in text form."""
    return str(new_uuid())


def new_seed() -> bytes:
    """The seed of a game's random stream."""
    return secrets.token_bytes(SEED_BYTES)


def new_code() -> str:
    """A code that people can read to each other."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def noise() -> Stream:
    """A source of its own for a bot's whims, unrelated to any game's stream."""
    return Stream(secrets.token_bytes(SEED_BYTES), "noise", [])


def fraction(*parts: object) -> float:
    """A number 0 … 1 that depends on nothing but its arguments, for pauses that repeat in every process."""
    digest = hashlib.sha256("|".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32
