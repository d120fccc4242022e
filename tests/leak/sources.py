"""Where a world takes its clock, ids, codes, seeds and shuffles from; nothing else of the product is replaced.

Two worlds of one trial agree in everything that a viewer may know: ids, codes, times, the commitment. They differ in
what no viewer may know: the seed itself (the second one stands for the same stream and the same commitment) and the
order in which `exchanges` lays the pack.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from django.conf import settings

from games.rules.conformance.playthrough import Case
from games.rules.stream import Stream, commitment
from games.rules.table import Table
from games.services import bots, clock, entropy, tables

EPOCH = datetime(2035, 1, 1, 12, tzinfo=UTC)  # later than all other games of the database: ours is listed first
SETTINGS = {
    "bot_pause_min": 0.5,
    "bot_pause_max": 2.0,
    "deploy_grace": 1e7,  # leases are renewed by the machine's clock, but end by ours
}

Exchange = Mapping[str, str]
Choose = Callable[[Table, int], Any]


class Shuffle(NamedTuple):
    """A shuffle that the game's stream was asked for, at its place in the stream."""

    position: int
    items: tuple[Any, ...]


class Sources:
    """The sources of one world."""

    def __init__(self, case: Case, exchanges: Mapping[int, Exchange] | None = None, *, second: bool = False) -> None:
        self.case = case
        self.stream_seed = case.bytes_for("seed")
        self.seed = case.bytes_for("another seed") if second else self.stream_seed
        self.exchanges = dict(exchanges or {})
        self.shuffles: list[Shuffle] = []
        self.now = EPOCH + timedelta(hours=case.number % 10_000, milliseconds=case.noise("clock").below(1000))
        self.choose: Choose = bots.choose
        self._noises = 0
        self.phase("setting up")

    def phase(self, name: str) -> None:
        """Ids depend on the phase and on how many were made in it, not on who did what in others."""
        self._phase, self._made = name, 0

    def pass_time(self, milliseconds: int) -> None:
        self.now += timedelta(milliseconds=milliseconds)

    # --- in the place of the product's sources ----------------------------------------------------------------

    def utcnow(self) -> datetime:
        return self.now

    def new_id(self) -> str:
        self._made += 1
        digest = hashlib.sha256(self.case.bytes_for(f"id {self._phase} {self._made}")).digest()
        tail = bytearray(digest[:10])
        tail[0], tail[2] = 0x70 | tail[0] & 0x0F, 0x80 | tail[2] & 0x3F
        return str(UUID(bytes=int(self.now.timestamp() * 1000).to_bytes(6, "big") + bytes(tail)))

    def new_seed(self) -> bytes:
        return self.seed

    def new_code(self) -> str:
        drawn = self.case.noise(f"code {self._phase}")
        return "".join(entropy.CODE_ALPHABET[drawn.below(32)] for _ in range(entropy.CODE_LENGTH))

    def noise(self) -> Stream:
        self._noises += 1
        return self.case.noise(f"bots {self._noises}")

    def bots_choice(self, table: Table, seat: int) -> Any:
        return self.choose(table, seat)

    def commitment(self, seed: bytes) -> str:
        return commitment(self.stream_seed if seed == self.seed else seed)

    def disguised(self, position: int, items: Sequence[Any], result: list[Any]) -> list[Any]:
        """What a shuffle of the game's stream gives in this world."""
        self.shuffles.append(Shuffle(position, tuple(items)))
        exchange = self.exchanges.get(position, {})
        return [exchange.get(item, item) for item in result]


@contextmanager
def taken_from(sources: Sources) -> Iterator[None]:
    """The product draws from these sources."""
    init, shuffled = Stream.__init__, Stream.shuffled

    def begin(self: Stream, seed: bytes, *args: Any, **more: Any) -> None:
        init(self, sources.stream_seed if seed == sources.seed else seed, *args, **more)

    def shuffle(self: Stream, items: Sequence[Any]) -> list[Any]:
        position, result = self.position, shuffled(self, items)
        return sources.disguised(position, items, result) if self._seed == sources.stream_seed else result

    with pytest.MonkeyPatch.context() as patch:
        for name in ("utcnow", "new_id", "new_seed", "new_code", "noise"):
            patch.setattr(entropy, name, getattr(sources, name))
        patch.setattr(clock.look_after, "__defaults__", (sources.utcnow,))
        patch.setattr(tables, "commitment", sources.commitment)
        patch.setattr(bots, "choose", sources.bots_choice)
        patch.setattr(Stream, "__init__", begin)
        patch.setattr(Stream, "shuffled", shuffle)
        patch.setattr(settings, "REPLI", settings.REPLI.model_copy(update=SETTINGS))
        yield
