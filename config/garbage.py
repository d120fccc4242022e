"""How often a web process looks for garbage in cycles.

What was loaded at the start never becomes garbage, and sockets and cached games live long: looked through again after
every few hundred new objects, they cost a third of a move's processor time and pauses of half a second. The first
look, at new objects alone, is kept short: a longer one holds up every move that comes meanwhile.
"""

from __future__ import annotations

import gc

YOUNG, MIDDLE, OLD = 4_000, 100, 50  # new objects until a look at them; such looks until one at the next older ones


async def look_seldom() -> None:
    """Set what is there aside for good, and look at the rest seldom. Called when the process begins to serve."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
