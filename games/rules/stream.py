"""The verifiable random stream of a game (api.md, Fairness; details.md, Random stream).

A pure function of the seed, the game's id, the client seeds and the number of words used so far. It is the only
randomness that rules may use, and its results go into events, so that replaying never draws.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from typing import TypeVar

from games.rules.keyed import hmac_sha256

T = TypeVar("T")

WORDS_PER_BLOCK = 8
WORD_RANGE = 2**32
ALGORITHM = "repli.v1"


def commitment(seed: bytes) -> str:
    """What is published before the game: SHA-256 over the 32 raw bytes, lower-case hex."""
    return hashlib.sha256(seed).hexdigest()


class Stream:
    """Words of 32 bits in order; `position` counts those used, skipped ones included."""

    __slots__ = ("_block", "_block_number", "_prefix", "_seed", "position")

    def __init__(self, seed: bytes, game_id: str, client_seeds: Sequence[str], position: int = 0) -> None:
        self._seed = seed
        self._prefix = f"{ALGORITHM}|{game_id}|{','.join(client_seeds)}|"
        self._block_number = -1
        self._block: tuple[int, ...] = ()
        self.position = position

    def word(self) -> int:
        """The next word, 0 … 2³² − 1."""
        number, place = divmod(self.position, WORDS_PER_BLOCK)
        self.position += 1
        return self._words(number)[place]

    def below(self, limit: int) -> int:
        """A fair number 0 … limit − 1; a choice among one uses no word."""
        if limit == 1:
            return 0
        ceiling = WORD_RANGE - WORD_RANGE % limit
        while (word := self.word()) >= ceiling:
            pass
        return word % limit

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a fair random order: Fisher–Yates from the last position down. Position 0 is the top.

        The numbers are those of `below`, taken block by block.
        """
        result = list(items)
        last, position = len(result) - 1, self.position
        while last > 0:
            number, place = divmod(position, WORDS_PER_BLOCK)
            for word in self._words(number)[place:]:
                position += 1
                other = word % (last + 1)
                if word - other < WORD_RANGE - last:  # else it is one of the few above the ceiling: take another word
                    result[last], result[other] = result[other], result[last]
                    last -= 1
                    if last == 0:
                        break
        self.position = position
        return result

    def _words(self, number: int) -> tuple[int, ...]:
        """The words of a block; the one used last is kept."""
        if number != self._block_number:
            digest = hmac_sha256(self._seed, f"{self._prefix}{number}".encode())
            self._block, self._block_number = struct.unpack(">8I", digest), number
        return self._block
