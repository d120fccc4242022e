"""How long a move takes until it is on all four sockets of its game, at a steady pace over 200 games.

Time runs from the sending of the move to the last of its deliveries, in one process and by one clock. The pace does not
wait for the server: a move is late only if its game's last one is still on its way, and lateness is told.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.benchmarks.load.orders import Close, Connect, Done, Play
from tests.benchmarks.maker import Wish
from tests.benchmarks.rows import Row, middle
from tests.benchmarks.stack import Load, Trouble, games, settle, stack, trusted

RUNS = 3
SECONDS = 5.0
MOVES_A_GAME = 100
TARGETS = {1_000: (2.5, 10.0), 4_000: (8.0, 25.0)}  # a pace: milliseconds at the median and the 99th percentile


def run(quick: bool) -> list[Row]:
    runs, seconds, count = (1, 1.0, 40) if quick else (RUNS, SECONDS, 200)
    rows = []
    with stack() as running, Load() as load:
        for rate in (200, 400) if quick else TARGETS:
            needed = count + int(1.4 * rate * (runs * seconds + 1) / MOVES_A_GAME)
            done = load.do(Connect(urls=running.urls, games=games(running, Wish(count=needed))))
            if done.errors:
                raise Trouble(f"not all sockets could be opened: {done.errors}")
            settle(running)
            trusted(load.do(Play(seconds=1.0, at_once=count, rate=float(rate))))
            found = [trusted(load.do(Play(seconds=seconds, at_once=count, rate=float(rate)))) for _ in range(runs)]
            rows += _rows(rate, count, found)
            load.do(Close())
    return rows


def _rows(rate: int, count: int, found: Sequence[Done]) -> list[Row]:
    reached = middle([done.rate for done in found])[0]
    note = f"{reached:,.0f} moves/s came through, sent {middle([done.late[1] for done in found])[0]:.1f} ms late at p99"
    note += f"; load takes {max(done.share for done in found):.0%} of a core"
    kept = reached >= 0.95 * rate
    rows = []
    for place, name in enumerate(("p50", "p99")):
        value, spread = middle([done.times[place] for done in found])
        target = TARGETS[rate][place] if rate in TARGETS else None
        rows.append(
            Row(
                figure=f"latency at {rate:,} moves/s over {count} games, {name}",
                value=value if kept else float("inf"),
                unit="ms",
                spread=spread,
                target=target,
                better="less",
                note=note if kept else f"the pace was not kept, so no latency counts: {note}",
            )
        )
    return rows
