"""Memory of idle sockets: four at each running game, everything counted that the web process holds for them."""

from __future__ import annotations

import time

from tests.benchmarks import usage
from tests.benchmarks.load.orders import Connect
from tests.benchmarks.maker import Wish
from tests.benchmarks.rows import Row, middle
from tests.benchmarks.stack import Load, Trouble, games, settle, stack

STEPS = (1_000, 4_000, 7_000, 10_000)
WARM = 200
SETTLE = 3.0  # seconds
TARGET = 30.0  # MiB per 1,000


def run(quick: bool) -> list[Row]:
    """The three runs are the three stretches between the steps, in one process that only grows."""
    steps = (100, 200, 300, 400) if quick else STEPS
    with stack() as running, Load() as load:
        made = games(running, Wish(count=(steps[-1] + WARM) // 4))
        settle(running)
        opened, memory = 0, []
        for step in (0, *steps):
            wanted = (WARM + step) // 4
            done = load.do(Connect(urls=running.urls, games=made[opened:wanted]))
            if done.errors or done.sockets != 4 * wanted:
                raise Trouble(f"{done.sockets} of {4 * wanted} sockets were opened: {done.errors}")
            opened = wanted
            time.sleep(SETTLE)
            memory.append(usage.web_memory(running))
        valkey = usage.rss(running.pids()["valkey"])
    grown = [
        1000 * (memory[place + 1] - memory[place]) / (steps[place] - steps[place - 1]) for place in range(1, len(steps))
    ]
    _, spread = middle(grown)
    whole = 1000 * (memory[-1] - memory[0]) / steps[-1]
    return [
        Row(
            figure="memory per 1,000 idle sockets",
            value=whole,
            unit="MiB",
            spread=spread,
            target=TARGET,
            better="less",
            note=f"web holds {memory[0]:.0f} MiB with {WARM} sockets, {memory[-1]:.0f} with {WARM + steps[-1]:,}; "
            f"games, rooms and caches included; the last stretch was opened in {done.seconds:.0f} s; "
            f"valkey {valkey:.0f} MiB",
        )
    ]
