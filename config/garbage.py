"""How often a web process looks for garbage in cycles.

What was loaded at the start never becomes garbage, and sockets and cached games live long: looked through again after
every few hundred new objects, they cost a third of a move's processor time and pauses of half a second. Invariant: what
piles up between two looks at everything is bounded. Most of it are closed sockets, which the server leaves in cycles,
some 17 KiB each, so these are counted.
"""

from __future__ import annotations

import asyncio
import gc
from itertools import count

YOUNG, MIDDLE, OLD = 20_000, 20, 8  # new objects until a look at them; such looks until one at the next older ones
SOCKETS = 2_000  # closed ones until a look at everything

_closed = count(1)


async def look_seldom() -> None:
    """Set what is there aside for good, and look at the rest seldom. Called when the process begins to serve."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)


def socket_closed() -> None:
    """Count a socket that is garbage soon; after many, look at everything."""
    if next(_closed) % SOCKETS == 0:
        asyncio.get_running_loop().call_soon(gc.collect)
