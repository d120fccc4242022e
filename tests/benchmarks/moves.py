"""Durable WebSocket moves a second: each game's next move is sent when the last one is acknowledged and on all four
sockets. GG at default options (its clock apart), every seat with a socket; one server process, then two.

Two processes listen on a port each, as behind a proxy. Either each game has one process, as where the proxy hashes
the game's id, or its seats are spread over both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from tests.benchmarks import pgbench, profiling, usage
from tests.benchmarks.load.orders import Close, Connect, Done, Game, Play
from tests.benchmarks.maker import Wish
from tests.benchmarks.rows import Row, middle
from tests.benchmarks.stack import Load, Trouble, games, settle, stack, trusted
from tests.benchmarks.usual import serving
from tests.servers import RunningStack

RUNS = 3
SECONDS = 4.0
MOVES_A_GAME = 100  # at the least, on average, when played at random
MOST_GAMES = 4_000  # four sockets each, in the server and in the load
RECORDED = {  # moves/s on the reference machine; the name, the figure, and the target as a multiple of it
    "boardgame.io in memory": (2_817.0, 1.7),
    "boardgame.io FlatFile": (958.0, 5.0),
    "Colyseus": (12_999.0, 0.4),
}
OF_PGBENCH, OF_USUAL = 0.25, 12.0


class Played(NamedTuple):
    """One measured run: what the load says, and the seconds of processor time of each process of the stack."""

    done: Done
    cpu: dict[str, float]

    def micro(self, *names: str) -> float:
        """Microseconds of processor time a move in these processes."""
        return 1e6 * sum(self.cpu.get(name, 0.0) for name in names) / max(1, self.done.moves)


def run(quick: bool, profile: str | None = None) -> list[Row]:
    if quick:
        return _one_process(counts=(20,), runs=1, seconds=1.0, profile=profile)
    rows = _one_process(counts=(200, 50), runs=RUNS, seconds=SECONDS, profile=profile)
    return rows if profile else rows + _two_processes(200, rows[0].value)


def _one_process(*, counts: Sequence[int], runs: int, seconds: float, profile: str | None) -> list[Row]:
    rows: list[Row] = []
    with stack() as running:
        for count in counts:
            disk: list[float] = []

            def measure_disk(disk: list[float] = disk) -> None:
                disk.append(_yardstick(running, seconds))

            played = _played(running, count, runs, seconds, measure_disk)
            rows += _rows(f"moves, {count} games", played, disk, compared=count == counts[0])
            if count == counts[0]:
                rows.insert(1, _usual(running, count, runs, seconds, rows[0]))
        if profile is not None:
            _profiled(running, counts[0], seconds, profile)
    return rows


def _played(
    running: RunningStack,
    at_once: int,
    runs: int,
    seconds: float,
    between: Callable[[], None] = lambda: None,
    *,
    by_game: bool = False,
) -> list[Played]:
    """So many runs, on sockets of all games that will be needed; `between` comes before each."""
    found = []
    with Load() as load:
        _connect(running, load, at_once, 2 * at_once, by_game=by_game)
        warm = trusted(load.do(Play(seconds=1.0, at_once=at_once)))
        needed = int(1.4 * warm.rate * runs * seconds / MOVES_A_GAME) + at_once - warm.spare
        if needed > 0:
            _connect(running, load, at_once, min(needed, MOST_GAMES - 2 * at_once), by_game=by_game)
        for _ in range(runs):
            between()
            before = usage.of_stack(running)
            done = trusted(load.do(Play(seconds=seconds, at_once=at_once)))
            after = usage.of_stack(running)
            found.append(Played(done, {name: after[name] - before.get(name, 0.0) for name in after}))
        load.do(Close())
    return found


def _connect(running: RunningStack, load: Load, at_once: int, count: int, *, by_game: bool) -> None:
    made = games(running, Wish(count=max(count, at_once)))
    done = load.do(Connect(urls=running.urls, games=made, by_game=by_game))
    if done.errors:
        raise Trouble(f"not all sockets could be opened: {done.errors}")
    settle(running)


def _yardstick(running: RunningStack, seconds: float) -> float:
    return pgbench.transactions_per_second(running.servers["superuser_database_url"], seconds=int(seconds)) or 0.0


def _rows(figure: str, played: Sequence[Played], disk: Sequence[float], *, compared: bool) -> list[Row]:
    value, spread = middle([each.done.rate for each in played])
    yardstick = middle(disk)[0] if disk else 0.0
    rows = [
        Row(
            figure=figure,
            value=value,
            unit="1/s",
            spread=spread,
            target=OF_PGBENCH * yardstick if compared and yardstick else None,
            baseline="pgbench, 32 clients",
            ratio=value / yardstick if yardstick else None,
            note=_note(played) + (f"; pgbench {yardstick:,.0f} transactions/s" if yardstick else "; no pgbench"),
        )
    ]
    if compared and yardstick:
        for name, (recorded, goal) in RECORDED.items():
            theirs = pgbench.scaled(recorded, yardstick)
            rows.append(
                Row(
                    figure=figure,
                    value=value,
                    unit="1/s",
                    spread=spread,
                    target=goal * theirs,
                    baseline=f"{name}, not re-run",
                    ratio=value / theirs,
                    note=f"recorded {recorded:,.0f}/s, today worth {theirs:,.0f}/s by pgbench's figures",
                )
            )
    micro, around = middle([each.micro(*_web_names(each)) for each in played])
    rows.append(
        Row(
            figure=f"{figure}: web's processor time per move",
            value=micro,
            unit="µs",
            spread=around,
            better="less",
            note=", ".join(f"{name} {_median(played, name):.0f} µs" for name in ("postgres", "valkey", "worker")),
        )
    )
    return rows


def _web_names(played: Played) -> list[str]:
    return [name for name in played.cpu if name.split("-")[0] == "web"]


def _median(played: Sequence[Played], name: str) -> float:
    return middle([each.micro(name) for each in played])[0]


def _note(played: Sequence[Played]) -> str:
    share = max(each.done.share for each in played)
    median = middle([each.done.times[0] for each in played])[0]
    late = middle([each.done.times[1] for each in played])[0]
    note = f"{median:.1f} ms at the median, {late:.1f} ms at p99; load takes {share:.0%} of a core"
    if any(each.done.ran_out for each in played):
        note += "; shorter runs, for all games were over"
    return note


def _usual(running: RunningStack, count: int, runs: int, seconds: float, ours: Row) -> Row:
    """The usual stack on the same servers, in the same minutes."""
    seats = [str(seat) for seat in range(4)]
    with serving.sockets(running) as (url, pid), Load() as load:
        tables = [Game(id=each.id, tokens=seats) for each in games(running, Wish(count=count))]
        done = load.do(Connect(urls=[url], games=tables))
        if done.errors:
            raise Trouble(f"the usual stack's sockets could not be opened: {done.errors}")
        load.do(Play(seconds=1.0, at_once=count))
        rates, times = [], []
        for _ in range(runs):
            before = usage.cpu(pid)
            done = trusted(load.do(Play(seconds=seconds, at_once=count)))
            rates.append(done.rate)
            times.append(1e6 * (usage.cpu(pid) - before) / max(1, done.moves))
    theirs, micro = middle(rates)[0], middle(times)[0]
    return Row(
        figure=ours.figure,
        value=ours.value,
        unit="1/s",
        spread=ours.spread,
        target=OF_USUAL * theirs,
        baseline="usual stack: ORM + channels_redis",
        ratio=ours.value / theirs,
        note=f"the usual stack {theirs:,.0f} moves/s, {micro:,.0f} µs of its process per move",
    )


def _two_processes(count: int, alone: float) -> list[Row]:
    rows = []
    for name, by_game in (("a game in one of them", True), ("seats spread over both", False)):
        with stack(web_processes=2) as running:
            played = _played(running, count, 2, SECONDS, by_game=by_game)
        row = _rows(f"moves, {count} games, 2 processes on 2 ports, {name}", played, [], compared=False)
        value, spread = middle([each.done.rate for each in played])
        rows.append(
            Row(
                figure=row[0].figure,
                value=value,
                unit="1/s",
                spread=spread,
                baseline="1 process",
                ratio=value / alone,
                note=f"the second adds {value / alone - 1:+.0%} on this machine's cores; {_note(played)}",
            )
        )
        rows.append(row[-1])
    return rows


def _profiled(running: RunningStack, count: int, seconds: float, name: str) -> None:
    """Play once more under a sampling profiler."""
    with ExitStack() as held:
        load = held.enter_context(Load())
        _connect(running, load, count, 6 * count, by_game=False)
        trusted(load.do(Play(seconds=1.0, at_once=count)))
        with profiling.sampled(usage.webs(running)[0], max(2, int(seconds)), name):
            trusted(load.do(Play(seconds=max(2, int(seconds)) + 1.0, at_once=count)))
