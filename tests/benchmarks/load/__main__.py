"""The load process: `python -m tests.benchmarks.load` reads orders, one JSON line each, and answers with a line."""

from __future__ import annotations

import asyncio
import gc
import sys
from typing import Any

import msgspec
import uvloop

from tests.benchmarks.load.orders import Add, AnyOrder, ByRest, Close, Connect, Done, Play, Rest
from tests.benchmarks.load.player import Player


async def obey() -> None:
    """Follow orders until standard input ends."""
    kind: Any = AnyOrder
    decoder, player, loop = msgspec.json.Decoder(kind), Player(), asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.buffer.readline):
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        done = await _follow(player, decoder.decode(line))
        sys.stdout.buffer.write(msgspec.json.encode(done) + b"\n")
        sys.stdout.buffer.flush()


async def _follow(player: Player, order: AnyOrder) -> Done:
    match order:
        case Connect():
            return await player.connect(order)
        case Add():
            return player.add(order)
        case Play():
            return await player.play(order)
        case Rest():
            return await player.rest(order)
        case ByRest():
            return await player.by_rest(order)
        case Close():
            return await player.close(order)


if __name__ == "__main__":
    gc.disable()
    uvloop.run(obey())
