"""`python -m tests.drills kill|races|clocks|games`: the long forms, with a table of what was observed."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.drills import kills
from tests.drills.kills import Kill, Report

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
    options = parser.parse_args(arguments)
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
