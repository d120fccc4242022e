"""Moves by REST: 50 keep-alive connections as fast as they go, then 8; beside it a usual view under WSGI, in turn."""

from __future__ import annotations

from tests.benchmarks.load.orders import Rest
from tests.benchmarks.maker import Wish
from tests.benchmarks.rows import Row, middle
from tests.benchmarks.stack import Load, games, settle, stack, trusted
from tests.benchmarks.usual import serving

RUNS = 3
SECONDS = 4.0
MANY, FEW = 50, 8
STEPS = 24  # moves of a first deal at four seats
OF_USUAL, AT_MOST = 4.0, 3.0  # times the usual view; milliseconds at the median of 8 connections
MOST = 10_000.0  # moves/s that there are games for


def run(quick: bool) -> list[Row]:
    runs, seconds = (1, 1.0) if quick else (RUNS, SECONDS)
    with stack() as running, Load() as load:
        load.do(Rest(url=running.url, games=games(running, Wish(count=50, scripted=True)), connections=8, seconds=1.0))
        share = int((1_000.0 if quick else MOST) * seconds / STEPS) + MANY
        made = games(running, Wish(count=share * runs * 2, scripted=True))
        usual = games(running, Wish(count=(int(4_000 * seconds / STEPS) + MANY) * runs + MANY, scripted=True))
        settle(running)
        many, few, theirs = [], [], []
        with serving.rest(running, usual) as (url, usual_games):
            warm, tables = usual_games[:MANY], usual_games[MANY:]
            load.do(Rest(url=url, games=warm, connections=MANY, seconds=1.0))
            for number in range(runs):
                mine = made[2 * number * share :][: 2 * share]
                order = Rest(url=running.url, games=mine[:share], connections=MANY, seconds=seconds)
                many.append(trusted(load.do(order)))
                order = Rest(url=running.url, games=mine[share:], connections=FEW, seconds=seconds)
                few.append(trusted(load.do(order)))
                part = len(tables) // runs
                order = Rest(url=url, games=tables[number * part :][:part], connections=MANY, seconds=seconds)
                theirs.append(trusted(load.do(order)))
    value, spread = middle([done.rate for done in many])
    baseline = middle([done.rate for done in theirs])[0]
    median, around = middle([done.times[0] for done in few])
    share_of_load = max(done.share for done in many)
    return [
        Row(
            figure=f"REST moves, {MANY} connections",
            value=value,
            unit="1/s",
            spread=spread,
            target=OF_USUAL * baseline,
            baseline="REST framework under WSGI (gunicorn)",
            ratio=value / baseline,
            note=f"p50 {middle([done.times[0] for done in many])[0]:.1f} ms, p99 "
            f"{middle([done.times[1] for done in many])[0]:.1f} ms; load takes {share_of_load:.0%} of a core; "
            f"the usual view {baseline:,.0f}/s, p50 {middle([done.times[0] for done in theirs])[0]:.1f} ms",
        ),
        Row(
            figure=f"REST move, {FEW} connections, p50",
            value=median,
            unit="ms",
            spread=around,
            target=AT_MOST,
            better="less",
            note=f"{middle([done.rate for done in few])[0]:,.0f} moves/s",
        ),
    ]
