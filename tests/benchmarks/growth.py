"""Do latency and memory per game stay the same from 100 running games to 10,000, and over 100,000 finished ones?

Every game has one socket, and all of them are played, at 1,000 moves a second together: by REST, whose moves take the
sockets' road, so that a game costs one open file. Time runs from sending a move until it is answered and on the socket.
The games of each size are added to those of the size before, as memory that was freed would be used again unseen.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

from tests.benchmarks import usage
from tests.benchmarks.load.orders import ByRest, Close, Connect, Done
from tests.benchmarks.maker import Wish
from tests.benchmarks.rows import Row, middle
from tests.benchmarks.stack import Load, Trouble, games, settle, stack, trusted
from tests.servers import RunningStack

SIZES = (100, 1_000, 10_000)
FINISHED = 100_000
RATE = 1_000.0
RUNS = 3
SECONDS = 3.0
WARM = 0.3  # seconds
STEPS = 24  # moves of a first deal at four seats: a game's script
FLAT = 1.2


class Sized(NamedTuple):
    """What was measured at a number of running games."""

    runs: list[Done]
    memory: float  # KiB of the web process for each game that was added
    pace: float  # moves/s that were asked for

    @property
    def rate(self) -> float:
        return middle([done.rate for done in self.runs])[0]

    def time(self, place: int) -> float:
        """The median of the runs; infinite where the pace was not kept, so that no latency counts."""
        kept = self.rate >= 0.95 * self.pace
        return middle([done.times[place] for done in self.runs])[0] if kept else math.inf

    def spread(self, place: int) -> tuple[float, float]:
        return middle([done.times[place] for done in self.runs])[1]


def run(quick: bool) -> list[Row]:
    sizes, finished, rate = ((50, 200), 1_000, 200.0) if quick else (SIZES, FINISHED, RATE)
    with stack(more={"REPLI_CACHED_GAMES": str(2 * sizes[-1])}) as running:  # a process that is to serve so many
        with Load() as load:  # what the first games need once is not theirs
            _grown(running, load, 50, 50, rate / 4)
        found, before = {}, 0
        with Load() as load:
            for size in sizes:
                found[size] = _grown(running, load, size - before, size, rate)
                before = size
        without = _fresh(running, sizes[1], rate)
        games(running, Wish(count=finished, seats=2, status="finished", told=False))
        within = _fresh(running, sizes[1], rate)
    rows = []
    for size, sized in found.items():
        rows += [*_figures(f"{size:,} running games", sized), _memory(size, sized)]
    rows += _figures(f"{sizes[1]:,} running, {finished:,} finished games", within)
    first, last = found[sizes[0]], found[sizes[-1]]
    span = f"{sizes[-1]:,} running games ÷ {sizes[0]:,}"
    return [
        *rows,
        _flat(f"growth, latency p50: {span}", last.time(0), first.time(0)),
        _flat(f"growth, latency p99: {span}", last.time(1), first.time(1), judged=False),
        _flat(f"growth, memory per game: {span}", last.memory, first.memory),
        _flat(f"growth, latency p50: {finished:,} finished games ÷ none", within.time(0), without.time(0)),
    ]


def _fresh(running: RunningStack, size: int, rate: float) -> Sized:
    """The same for games on sockets of their own, which are gone afterwards."""
    with Load() as load:
        sized = _grown(running, load, size, size, rate)
        load.do(Close())
    time.sleep(1)
    return sized


def _grown(running: RunningStack, load: Load, more: int, size: int, rate: float) -> Sized:
    """Add so many games, which makes `size` altogether, and play them all."""
    seconds = min(SECONDS, 0.97 * more * STEPS / rate / RUNS - WARM)
    made = games(running, Wish(count=more, scripted=True))
    settle(running)
    empty = usage.web_memory(running)
    done = load.do(Connect(urls=running.urls, games=made, seats=1))
    if done.errors:
        raise Trouble(f"not all of {size} sockets could be opened: {done.errors}")
    trusted(load.do(ByRest(url=running.url, seconds=WARM, rate=rate)))
    found = [trusted(load.do(ByRest(url=running.url, seconds=seconds, rate=rate))) for _ in range(RUNS)]
    return Sized(found, 1024 * (usage.web_memory(running) - empty) / more, rate)


def _figures(name: str, sized: Sized) -> list[Row]:
    rows = []
    note = f"{sized.rate:,.0f} moves/s of {sized.pace:,.0f}"
    for place, part in enumerate(("p50", "p99")):
        value, figure = sized.time(place), f"growth, {name}: latency {part}"
        rows.append(Row(figure=figure, value=value, unit="ms", spread=sized.spread(place), better="less", note=note))
    return rows


def _memory(size: int, sized: Sized) -> Row:
    return Row(
        figure=f"growth, {size:,} running games: memory per added game",
        value=sized.memory,
        unit="KiB",
        spread=(sized.memory, sized.memory),
        better="less",
        note="of the web process, with one socket",
    )


def _flat(figure: str, last: float, first: float, *, judged: bool = True) -> Row:
    ratio = last / first if 0 < first < math.inf else math.inf
    return Row(
        figure=figure,
        value=ratio,
        unit="×",
        spread=(ratio, ratio),
        target=FLAT if judged else None,
        better="less",
        note="flat within 20 %" if judged else "",
    )
