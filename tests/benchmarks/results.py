"""RESULTS.md: the measured part stands between two marks and is written anew; what people wrote around it stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks import tables
from tests.benchmarks.rows import Row
from tests.benchmarks.targets import TARGETS

FILE = Path(__file__).with_name("RESULTS.md")
BEGIN, END = "<!-- measured: written by `make bench ARGS=--write` -->", "<!-- end of what was measured -->"


def measured(machine: str, rows: Mapping[str, Sequence[Row]], troubles: Mapping[str, str]) -> str:
    """The targets, every benchmark's table, and what could not be run."""
    everything = [row for some in rows.values() for row in some]
    parts = [machine, "", tables.of_targets(TARGETS, everything)]
    for name, some in rows.items():
        parts += ["", f"## {name}", "", tables.of_rows(some)]
    if troubles:
        parts += ["", "## not run", "", *(f"- {name}: {text.splitlines()[0]}" for name, text in troubles.items())]
    return "\n".join(parts)


def write(text: str, file: Path = FILE) -> None:
    """Put the text between the marks."""
    before, begin, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{file} has lost its marks")
    file.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
