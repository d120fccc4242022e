"""Twenty minutes at 1,000 moves a second: does anything grow? A command of its own, not part of `all`.

Games that are over are left and fresh ones joined, so sockets come and go all the time. Every fifteen seconds the
memory of every process is noted, and the latency of that stretch. The slopes leave out the first minutes, in which
caches fill.
"""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from tests.benchmarks import usage
from tests.benchmarks.load.orders import Add, Connect, Done, Play
from tests.benchmarks.maker import Wish
from tests.benchmarks.rows import Row
from tests.benchmarks.stack import Load, Trouble, games, settle, stack
from tests.servers import RunningStack

SECONDS = 20 * 60.0
WARM = 4 * 60.0
STRETCH = 15.0
RATE = 1_000.0
GAMES = 200
MOVES_A_GAME = 90  # fewer than on average: rather too many games than too few
PLOT = Path(__file__).with_name("soak.png")
SUMMARY = Path(__file__).with_name("soak.txt")
UNWATCHED = ("_bucket{", "_created{")
WATCHED = ("cache", "room", "queue", "registry", "socket", "host")  # words in the names of gauges that are kept


class Sample(msgspec.Struct, frozen=True):
    """One stretch: seconds since the beginning, MiB by process, gauges of the service, and what the load says."""

    at: float
    memory: dict[str, float]
    gauges: dict[str, float]
    done: Done


def run(quick: bool) -> list[Row]:
    total, warm, stretch, rate, count = (20.0, 5.0, 2.0, 100.0, 20) if quick else (SECONDS, WARM, STRETCH, RATE, GAMES)
    samples: list[Sample] = []
    with stack() as running, Load() as load, ThreadPoolExecutor(1) as beside:
        more = int(rate * stretch / MOVES_A_GAME) + 1
        done = load.do(Connect(urls=running.urls, games=games(running, Wish(count=count))))
        if done.errors:
            raise Trouble(f"not all sockets could be opened: {done.errors}")
        settle(running)
        batch = Wish(count=max(50, 4 * more))
        load.do(Add(urls=running.urls, games=games(running, batch)))
        began, now, lost = time.monotonic(), 0.0, 0
        fresh = beside.submit(games, running, batch)  # made while others are played
        while now < total:
            done = load.do(Play(seconds=stretch, at_once=count, rate=rate))
            if done.spare < 2 * more and fresh.done():
                load.do(Add(urls=running.urls, games=fresh.result()))
                fresh = beside.submit(games, running, batch)
            now, lost = time.monotonic() - began, lost + sum(done.errors.values())
            memory = {name: usage.rss(pid) for name, pid in running.pids().items()}
            samples.append(Sample(now, memory, _gauges(running), done))
            said = f"p99 {done.times[1]:6.1f} ms  web {memory['web']:.0f} MiB"
            print(f"soak {now:6.0f} s  {done.rate:6.0f} moves/s  {said}", flush=True)
    steady = [sample for sample in samples if sample.at >= warm] or samples
    rows = _rows(steady, warm, lost)
    if not quick:
        SUMMARY.write_text(_text(rows, samples, warm), encoding="utf-8")
        _plot(samples, warm)
    return rows


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the straight line through the points that misses them least (least squares); 0 for one point."""
    count = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


def _rows(steady: Sequence[Sample], warm: float, lost: int) -> list[Row]:
    rows = []
    for name in steady[0].memory:
        values = [sample.memory[name] for sample in steady if name in sample.memory]
        grown = 3600 * slope([(sample.at, sample.memory[name]) for sample in steady if name in sample.memory])
        rows.append(
            Row(
                figure=f"soak, {name}: growth of memory",
                value=grown,
                unit="MiB/hour",
                spread=(grown, grown),
                better="less",
                note=f"{values[0]:.0f} → {values[-1]:.0f} MiB; the first {warm / 60:.0f} minutes are left out",
            )
        )
    for name in sorted(steady[-1].gauges):
        values = [sample.gauges[name] for sample in steady if name in sample.gauges]
        rows.append(
            Row(figure=f"soak, {name}", value=values[-1], unit="", spread=(min(values), max(values)), better="less")
        )
    for place, part in enumerate(("p50", "p99")):
        times = sorted(sample.done.times[place] for sample in steady)
        figure = f"soak, latency {part}"
        rows.append(
            Row(
                figure=figure,
                value=times[len(times) // 2],
                unit="ms",
                spread=(times[0], times[-1]),
                better="less",
                note=f"{sum(sample.done.moves for sample in steady):,} moves, {lost} errors; "
                f"{sum(sample.done.games_over for sample in steady):,} games played to their end",
            )
        )
    return rows


def _gauges(running: RunningStack) -> dict[str, float]:
    """Sizes that the service tells of itself at /metrics; none where it does not."""
    found: dict[str, float] = {}
    try:
        with urllib.request.urlopen(f"{running.url}/metrics", timeout=5) as answer:
            lines = answer.read().decode().splitlines()
    except OSError:
        return {}
    for line in lines:
        name, _, value = line.rpartition(" ")
        if (
            name.startswith("repli_")
            and any(word in name for word in WATCHED)
            and not any(part in name for part in UNWATCHED)
        ):
            found[name] = float(value)
    return found


def _text(rows: Sequence[Row], samples: Sequence[Sample], warm: float) -> str:
    lines = [
        f"{samples[-1].at / 60:.0f} minutes at {RATE:,.0f} moves/s over {GAMES} games",
        f"slopes from minute {warm / 60:.0f} on, by least squares",
        "",
    ]
    lines += [
        f"{row.figure:45} {row.value:10.2f} {row.unit:9} ({row.spread[0]:.2f} to {row.spread[1]:.2f})  {row.note}"
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _plot(samples: Sequence[Sample], warm: float) -> None:
    """Memory above, latency below, over the minutes."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    minutes = [sample.at / 60 for sample in samples]
    figure, axes = plt.subplots(2, 1, sharex=True, figsize=(9, 7), constrained_layout=True)
    upper, lower = (axes[0], axes[1])
    for name in samples[0].memory:
        upper.plot(minutes, [sample.memory.get(name, float("nan")) for sample in samples], label=name)
    upper.set_ylabel("memory (RSS), MiB")
    for place, part in enumerate(("p50", "p99")):
        lower.plot(minutes, [sample.done.times[place] for sample in samples], label=f"latency {part}")
    lower.set_ylabel("move → all four sockets, ms")
    lower.set_xlabel("minutes")
    lower.set_yscale("log")
    shown: list[Any] = [upper, lower]
    for each in shown:
        each.axvspan(0, warm / 60, color="0.92")
        each.legend(loc="upper left", fontsize="small", ncols=3)
        each.grid(alpha=0.3)
    figure.suptitle(f"{RATE:,.0f} moves/s over {GAMES} games (grey: not counted in the slopes)")
    figure.savefig(PLOT, dpi=110)
    plt.close(figure)
