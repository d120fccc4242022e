"""`python -m tests.drills races|games|together|clocks|kill|rolling|all`: the long forms, and what was observed."""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.drills import clocks, kills, races, rolling, tables, together
from tests.drills.deployment import deployed
from tests.drills.journal import Journal
from tests.drills.kills import SETTINGS, Kill, Report
from tests.drills.metering import Meter, shown
from tests.drills.wire import Wire
from tests.servers import RunningStack, running_stack

console = Console(width=None if sys.stdout.isatty() else 150, highlight=False)


def kill(options: argparse.Namespace, folder: Path) -> list[str]:
    """Kill -9, and the log against the tables."""
    report = kills.kill_drill(
        folder,
        each=options.each,
        seconds=options.minutes * 60,
        tables=options.tables,
        seed=options.seed,
        targets=options.only.split(","),
        say=console.print,
    )
    _print_kills(report)
    return report.broken


def _print_kills(report: Report) -> None:
    table = Table(title=f"kill -9 under load, {report.seconds:.0f} s")
    heads = (
        "process",
        "kills",
        "acknowledged before (least)",
        "in flight (least, most)",
        "of these: acknowledged",
        "(after a repeat)",
        "refused",
        "given up: there",
        "absent",
        "runs again s (median, most)",
        "play goes on s (median, most)",
    )
    for head in heads:
        table.add_column(head, justify="left" if head == "process" else "right")
    for target in dict.fromkeys(each.target for each in report.kills):
        table.add_row(*_row(target, [each for each in report.kills if each.target == target], report))
    console.print(table)
    verdict, journal = report.verdict, report.journal
    lines = {
        "games, events": f"{verdict.games}, {verdict.events}",
        "moves acknowledged, refused": f"{verdict.acknowledged}, {verdict.refused}",
        "given up without an answer: there, absent": f"{verdict.unknown_there}, {verdict.unknown_absent}",
        "repeated with their command id, standing once": str(verdict.repeated),
        "answers": ", ".join(f"{kind}: {times}" for kind, times in sorted(journal.answers.items())),
        "sockets closed, by code": ", ".join(f"{code}: {times}" for code, times in sorted(journal.closes.items())),
        "tracebacks in the log": "; ".join(report.tracebacks) or "none",
    }
    for name, value in lines.items():
        console.print(f"{name}: {value}")


def _row(target: str, found: Sequence[Kill], report: Report) -> list[str]:
    flights = [len(each.in_flight) for each in found]
    fates = [report.verdict.fate.get(command_id, "") for each in found for command_id in each.in_flight]
    commands = [report.journal.commands[command_id] for each in found for command_id in each.in_flight]
    repeated = [command for command in commands if command.outcome == "acknowledged" and command.attempts > 1]
    return [
        target,
        str(len(found)),
        str(min(each.acknowledged_before for each in found)),
        f"{min(flights)}, {max(flights)}",
        str(fates.count("acknowledged")),
        f"({len(repeated)})",
        *(str(fates.count(fate)) for fate in ("refused", "there", "absent")),
        _seconds([each.again for each in found]),
        _seconds([each.goes_on for each in found]),
    ]


def _seconds(found: Sequence[float]) -> str:
    return f"{statistics.median(found):.1f}, {max(found):.1f}"


def _on_a_stack(folder: Path, drill: Callable[[RunningStack, Wire], Awaitable[list[str]]]) -> list[str]:
    """Run a drill on two web processes of its own; all broken promises."""

    async def run(stack: RunningStack) -> list[str]:
        async with Wire(stack.urls, Journal(), random.Random(1)) as wire:
            found = await drill(stack, wire)
            return [*found, *wire.journal.broken]

    with running_stack(folder, web_processes=2, settings=SETTINGS | clocks.GRACES) as stack:
        return asyncio.run(run(stack))


def race(options: argparse.Namespace, folder: Path) -> list[str]:
    """Equal versions and equal keys, many at once."""

    async def drill(_stack: RunningStack, wire: Wire) -> list[str]:
        versions, keys = await races.races(wire, options.rounds)
        for name, seen in (("50 moves at one version", versions), ("20 times one key", keys)):
            answers = ", ".join(f"{answer}: {times}" for answer, times in sorted(seen.answers.items()))
            console.print(f"{name}, {seen.rounds} rounds: {answers}")
        return versions.broken + keys.broken

    return _on_a_stack(folder, drill)


def clock(_options: argparse.Namespace, folder: Path) -> list[str]:
    """Late and lost seats."""

    async def drill(stack: RunningStack, wire: Wire) -> list[str]:
        scenes = clocks.Clocks(stack, wire)
        table = Table(
            "scene",
            "reason",
            "taken over after s",
            "played after s",
            title="late: since the deadline; lost: since the socket closed",
        )
        for seen in await clocks.all_scenes(scenes):
            played = "" if seen.played is None else f"{seen.played:.2f}"
            table.add_row(seen.what, seen.reason, f"{seen.taken_over:.2f}", played)
        console.print(table)
        return scenes.broken

    return _on_a_stack(folder, drill)


def games(options: argparse.Namespace, folder: Path) -> list[str]:
    """Games of four at once, to their ends."""

    async def drill(_stack: RunningStack, wire: Wire) -> list[str]:
        played = await asyncio.gather(*(tables.played(wire, 4, 4) for _ in range(options.games)))
        clients = [client for table in played for client in table]
        found = [fault for client in clients for fault in await tables.differences(client)]
        journal = wire.journal
        console.print(
            f"{len(played)} games, {len(clients)} clients, {journal.acknowledged} moves, "
            f"versions at the end: {sorted(table[0].version for table in played)}"
        )
        console.print(f"answers: {dict(sorted(journal.answers.items()))}; sockets closed: {dict(journal.closes)}")
        return found

    return _on_a_stack(folder, drill)


def roll(options: argparse.Namespace, folder: Path) -> list[str]:
    """A rolling restart of every process."""
    settings = SETTINGS | {"REPLI_RANKED_START_DELAY": "1", "REPLI_EVENT_PARTITIONS": str(options.partitions)}
    settings["REPLI_BOT_THINKING"] = "0"
    folder.mkdir(mode=0o711)
    with deployed(folder, settings, pgbouncer=options.pgbouncer) as (deployment, words):
        console.print(f"{', '.join(deployment.names)}, on {words}")
        chosen = rolling.plans(options.games, options.ranked)
        drill = rolling.Rolling(
            fleet=deployment, plans=chosen, at_once=options.at_once, seed=options.seed, say=console.print
        )
        report = asyncio.run(drill.run())
    _print_rolling(report)
    return report.broken


def _print_rolling(report: rolling.Report) -> None:
    heads = ("process", "stopped after s", "exit code", "ready after s", "moves acknowledged meanwhile")
    table = Table(*heads, title=f"rolling restart under load, {report.seconds:.0f} s")
    for each in report.restarts:
        code = "unknown" if each.code is None else str(each.code)
        table.add_row(each.process, f"{each.stopped:.1f}", code, f"{each.ready:.1f}", str(report.during(each)))
    console.print(table)
    journal, verdict = report.journal, report.verdict
    lines = {
        "games, events": f"{verdict.games}, {verdict.events}",
        "games by ruleset": _counted(report.games),
        "games that ended before, during and after the restarts": ", ".join(
            str(report.ended[phase]) for phase in ("before", "during", "after")
        ),
        "moves acknowledged before, during, after": ", ".join(map(str, report.moves.values())),
        "moves refused": str(verdict.refused),
        "repeated with their command id, standing once": str(verdict.repeated),
        "ratings changed, one for each player and game": str(report.rated),
        "answers": _counted(journal.answers),
        "sockets closed, by code": _counted(journal.closes),
        "sockets opened again": str(journal.reopened),
        "tracebacks in the log": "; ".join(report.tracebacks) or "none",
    }
    for name, value in lines.items():
        console.print(f"{name}: {value}", markup=False)
    _print_figures(report.meter)


def _counted(found: Mapping[str, int]) -> str:
    return ", ".join(f"{kind}: {times}" for kind, times in sorted(found.items()))


def _print_figures(meter: Meter) -> None:
    if not meter.scrapes:
        console.print("/metrics: not there; no figures were read")
        return
    table = Table("figure", "labels", "process", "first", "last", "least", "most", "moved", title="/metrics")
    for row in meter.rows():
        values = (shown(value) for value in (row.first, row.last, row.least, row.most))
        table.add_row(row.figure, row.labels, row.process, *values, "yes" if row.moved else "no")
    console.print(table)


def both(options: argparse.Namespace, folder: Path) -> list[str]:
    """The same games' moves on two processes."""

    async def drill(stack: RunningStack, wire: Wire) -> list[str]:
        seen = await together.together(stack, wire, options.seconds)
        verdict = seen.verdict
        console.print(
            f"{verdict.games} games, {verdict.events} events; moves acknowledged {verdict.acknowledged}, "
            f"refused {verdict.refused}, without an answer {verdict.unknown_there + verdict.unknown_absent}"
        )
        console.print(
            f"sent to two processes under one key: {seen.twins}; rivals at one version: {seen.rivals}, "
            f"of which {seen.rivals_that_stand} won"
        )
        console.print(f"answers: {dict(sorted(wire.journal.answers.items()))}")
        return seen.broken

    return _on_a_stack(folder, drill)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one drill; 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.drills", description=__doc__)
    chosen = parser.add_subparsers(required=True)
    one = chosen.add_parser("kill", help="kill -9 of each process under load")
    one.add_argument("--each", type=int, default=20, help="kills of each process")
    one.add_argument("--minutes", type=float, default=10, help="begin no further kill after so long")
    one.add_argument("--tables", type=int, default=12, help="games at a time")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--only", default=",".join(kills.TARGETS), help="these processes, separated by commas")
    one.set_defaults(run=kill)
    one = chosen.add_parser("races", help="equal versions and equal keys, many at once")
    one.add_argument("--rounds", type=int, default=20)
    one.set_defaults(run=race)
    chosen.add_parser("clocks", help="late and lost seats").set_defaults(run=clock)
    one = chosen.add_parser("games", help="games of four clients, to their ends")
    one.add_argument("--games", type=int, default=12)
    one.set_defaults(run=games)
    one = chosen.add_parser("together", help="two processes are fed the same games' moves")
    one.add_argument("--seconds", type=float, default=60)
    one.set_defaults(run=both)
    one = chosen.add_parser("rolling", help="every process restarted in the middle of many games")
    one.add_argument("--games", type=int, default=100)
    one.add_argument("--ranked", type=int, default=8, help="how many of them are ranked")
    one.add_argument("--at-once", type=int, default=12, help="casual games at a time")
    one.add_argument("--partitions", type=int, default=0, help="partitions of the events")
    one.add_argument("--pgbouncer", action="store_true", help="the application behind pgbouncer")
    one.add_argument("--seed", type=int, default=1)
    one.set_defaults(run=roll)
    chosen.add_parser("all", help="each of them, as it is without options").set_defaults(run=None)
    options = parser.parse_args(arguments)
    if options.run is None:
        return max(main([name]) for name in ("races", "games", "together", "clocks", "kill", "rolling"))
    with tempfile.TemporaryDirectory(prefix="repli-drill-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        broken = options.run(options, folder / "data")
    for fault in broken[:50]:
        console.print(f"BROKEN: {fault}", markup=False)
    console.print("every promise was kept" if not broken else f"{len(broken)} promises were broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
