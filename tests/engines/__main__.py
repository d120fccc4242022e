"""`python -m tests.engines partitioned|debian|pgbouncer|all [--partitions N] [-- ARGUMENTS OF PYTEST]`.

Runs the suite on other engines than `make test` does, and says at the end, on one line for each, what came of it.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.engines import servers
from tests.servers import CHECKOUT

PARTITIONS = 16
VARIABLES = ("DATABASE_URL", "MIGRATE_DATABASE_URL", "SUPERUSER_DATABASE_URL", "REDIS_URL", "REPLI_PREPARED_STATEMENTS")
# Those that need no server, or always start servers of their own, would only do the same again.
BRING_THEIR_OWN = (
    *("tests/rules", "tests/browser", "tests/drills", "tests/deploy", "tests/benchmarks"),
    *("tests/test_launcher.py", "tests/test_stack.py", "tests/test_readme.py"),
)


@dataclass(kw_only=True)
class Outcome:
    """What came of one run; `code` is pytest's, or 1 where nothing could be run."""

    name: str
    code: int
    seconds: float = 0.0
    where: str = ""
    counts: str = ""
    failed: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        word = "passed" if self.code == 0 else "FAILED"
        return f"{self.name}: {word} after {self.seconds:.0f} s; {self.counts} ({self.where})"


def run(name: str, partitions: int, arguments: Sequence[str]) -> Outcome:
    """The suite, or a part of it, on one set of engines."""
    environment = {key: value for key, value in os.environ.items() if key not in VARIABLES}
    environment["REPLI_EVENT_PARTITIONS"] = str(partitions)
    if name == "partitioned":
        return _pytest(name, environment, f"embedded servers, {partitions} partitions", arguments)
    pgbouncer = name == "pgbouncer"
    if packages := servers.missing(pgbouncer=pgbouncer):
        return Outcome(name=name, code=1, counts="nothing was run", where=f"not installed: {', '.join(packages)}")
    with servers.debian(pgbouncer=pgbouncer) as engines:
        where = ", ".join([*engines.versions, f"{partitions} partitions" if partitions else "one plain table"])
        ignored = [] if _names_tests(arguments) else [f"--ignore={path}" for path in BRING_THEIR_OWN]
        return _pytest(name, environment | engines.variables, where, [*ignored, *arguments])


def _pytest(name: str, environment: Mapping[str, str], where: str, arguments: Sequence[str]) -> Outcome:
    print(f"=== {name}: {where}", flush=True)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="repli-engines-") as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", f"--junitxml={report}", *arguments]
        code = subprocess.run(command, cwd=CHECKOUT, env=environment, check=False).returncode
        outcome = Outcome(name=name, code=code, seconds=time.monotonic() - begun, where=where)
        _count(outcome, report)
    return outcome


def _count(outcome: Outcome, report: Path) -> None:
    if not report.exists():
        outcome.counts = "no report was written"
        return
    cases = list(ET.parse(report).iter("testcase"))
    found = {kind: [case for case in cases if case.find(kind) is not None] for kind in ("failure", "error", "skipped")}
    outcome.failed = [f"{case.get('classname')}::{case.get('name')}" for case in found["failure"] + found["error"]]
    passed = len(cases) - sum(map(len, found.values()))
    parts = {"passed": passed, "failed": len(found["failure"]), "errors": len(found["error"])}
    parts["skipped"] = len(found["skipped"])
    outcome.counts = ", ".join(f"{number} {word}" for word, number in parts.items() if number or word == "passed")


def _names_tests(arguments: Sequence[str]) -> bool:
    return any((CHECKOUT / argument.split("::", maxsplit=1)[0]).exists() for argument in arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; 0 if all that was run passed."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    ours, theirs = (words[: (cut := words.index("--"))], words[cut + 1 :]) if "--" in words else (words, [])
    parser = argparse.ArgumentParser(prog="python -m tests.engines", description=__doc__)
    parser.add_argument("engines", choices=("partitioned", "debian", "pgbouncer", "all"))
    parser.add_argument("--partitions", type=int, help=f"partitions of the events (partitioned: {PARTITIONS}, else 0)")
    options = parser.parse_args(ours)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the servers are stopped
    names = ("partitioned", "debian", "pgbouncer") if options.engines == "all" else (options.engines,)
    outcomes = []
    for name in names:
        default = PARTITIONS if name == "partitioned" else 0
        outcomes.append(run(name, default if options.partitions is None else options.partitions, theirs))
    print()
    for outcome in outcomes:
        for failed in outcome.failed:
            print(f"FAILED {outcome.name}: {failed}")
    for outcome in outcomes:
        print(f"=== {outcome.line}", flush=True)
    return max(1 if outcome.code else 0 for outcome in outcomes)


if __name__ == "__main__":
    sys.exit(main())
