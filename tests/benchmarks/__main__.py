"""`make bench`: every benchmark in a process of its own, then all figures and the table of targets.

`python -m tests.benchmarks [NAME ...] [--quick] [--write] [--profile NAME]`; no name: all but `soak`. The exit code is
1 when a benchmark could not be run; a missed target is an answer, not a failure.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

import msgspec

from tests.benchmarks import machine, results, tables
from tests.benchmarks.rows import Row
from tests.benchmarks.stack import Trouble, allow_many_files
from tests.benchmarks.targets import TARGETS
from tests.servers import CHECKOUT

LIMITS = {  # seconds until a benchmark is given up; all of them take about ten minutes
    "rules": 120, "rebuild": 120, "append": 120, "rest": 150, "latency": 180, "moves": 300, "sockets": 180,
    "growth": 300, "soak": 1_800,
}  # fmt: skip
ALL = tuple(name for name in LIMITS if name != "soak")
IN_ALL = 12 * 60.0  # seconds for all together: what has not begun by then is not run


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    if options.module:
        return _one(options.module, quick=options.quick, profile=options.profile)
    signal.signal(signal.SIGTERM, _leave)
    allow_many_files()
    described, began = machine.described(), time.monotonic()
    print(described, flush=True)
    rows: dict[str, list[Row]] = {}
    troubles: dict[str, str] = {}
    for name in options.names or ALL:
        begun = time.monotonic()
        limit = LIMITS[name] if options.names else min(LIMITS[name], IN_ALL - (begun - began))
        try:
            rows[name] = _apart(name, limit, quick=options.quick, profile=options.profile)
            print(f"\n== {name}, after {time.monotonic() - begun:.0f} s\n\n{tables.of_rows(rows[name])}", flush=True)
        except Trouble as trouble:
            troubles[name] = str(trouble)
            print(f"\n== {name}: NOT RUN: {trouble}", flush=True)
    everything = [row for some in rows.values() for row in some]
    wanted = [target for target in TARGETS if not options.names or target.benchmark in options.names]
    if wanted:
        print(
            f"\n== targets ({described}; {time.monotonic() - began:.0f} s)\n\n{tables.of_targets(wanted, everything)}"
        )
    for name, text in troubles.items():
        print(f"not run: {name}: {text}")
    if options.write:
        results.write(results.measured(described, rows, troubles))
        print(f"written: {results.FILE.relative_to(CHECKOUT)}")
    return 1 if troubles else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measure how fast Repli is.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(LIMITS)}; none: all but soak")
    parser.add_argument("--quick", action="store_true", help="small and short, to see that it works")
    parser.add_argument("--write", action="store_true", help="write the figures into tests/benchmarks/RESULTS.md")
    parser.add_argument("--profile", metavar="NAME", help="with moves: a profile of web in profiles/NAME.txt")
    parser.add_argument("--module", choices=LIMITS, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(LIMITS):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    return options


def _one(name: str, *, quick: bool, profile: str | None) -> int:
    """Run one benchmark in this process and write its rows to the file descriptor that is waiting for them."""
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_until_abandoned, daemon=True).start()
    allow_many_files()
    try:
        rows = _rows(name, quick=quick, profile=profile)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    with os.fdopen(int(os.environ["BENCHMARK_ROWS"]), "wb") as answer:
        answer.write(msgspec.msgpack.encode(rows))
    return 0


def _leave(*_signal: object) -> None:
    """Asked to end: so that all that was started is stopped."""
    sys.exit(1)


def _until_abandoned() -> None:
    """Standard input ends when whoever waits for the rows is gone, killed perhaps."""
    os.read(sys.stdin.fileno(), 1)  # not through a buffer, which would be locked when this process ends
    os.kill(os.getpid(), signal.SIGTERM)


def _rows(name: str, *, quick: bool, profile: str | None) -> list[Row]:
    from importlib import import_module

    module = import_module(f"tests.benchmarks.{name}")
    found: list[Row] = module.run(quick, profile) if name == "moves" else module.run(quick)
    return found


def _apart(name: str, limit: float, *, quick: bool, profile: str | None) -> list[Row]:
    """Run one benchmark in a process group of its own, which is ended with all that it started; its rows."""
    if limit < 10:
        raise Trouble("no time was left for it")
    command = [sys.executable, "-m", "tests.benchmarks", "--module", name]
    command += (["--quick"] if quick else []) + (["--profile", profile] if profile else [])
    reading, writing = os.pipe()
    ears, lifeline = os.pipe()
    process = subprocess.Popen(
        command,
        cwd=CHECKOUT,
        env={**os.environ, "BENCHMARK_ROWS": str(writing)},
        stdin=ears,
        pass_fds=[writing],
        stderr=None if name == "soak" else subprocess.PIPE,
        start_new_session=True,
    )
    os.close(writing)
    os.close(ears)
    try:
        _, said = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        said = b""
        raise Trouble(f"given up after {limit:.0f} s") from None
    finally:
        _ended(process)
        os.close(lifeline)
        with os.fdopen(reading, "rb") as answer:
            found = answer.read() if process.returncode == 0 else b""
    if process.returncode != 0:
        raise Trouble((said or b"it failed").decode(errors="replace").strip()[-3000:])
    return msgspec.msgpack.decode(found, type=list[Row])


def _ended(process: subprocess.Popen[bytes]) -> None:
    """Ask the benchmark to stop what it started, and see to it that nothing of its group stays."""
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=30)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


if __name__ == "__main__":
    sys.exit(main())
