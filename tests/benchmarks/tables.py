"""Rows and targets as Markdown tables that are also readable in a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.benchmarks.rows import Row
from tests.benchmarks.targets import Target


def of_rows(rows: Sequence[Row]) -> str:
    """Every figure with its spread, and beside its baseline."""
    cells = [["figure", "median", "least – greatest", "", "÷ baseline", "target", "met", "remark"]]
    for row in rows:
        met = "" if row.target is None else _word(_met(row))
        ratio = "" if row.baseline is None else f"{'?' if row.ratio is None else _number(row.ratio)} · {row.baseline}"
        spread = f"{_number(row.spread[0])} – {_number(row.spread[1])}"
        target = "" if row.target is None else f"{'≥' if row.better == 'more' else '≤'} {_number(row.target)}"
        cells.append([row.figure, _number(row.value), spread, row.unit, ratio, target, met, row.note])
    return _table(cells)


def of_targets(targets: Sequence[Target], rows: Sequence[Row]) -> str:
    """Every target, what was measured, and whether it was met; also those that nothing answers."""
    cells = [["target", "wanted", "measured", "met", "stretch", "reached"]]
    for target in targets:
        sign, measured = "≥" if target.better == "more" else "≤", target.measured(rows)
        stretch = "" if target.stretch is None else f"{sign} {_number(target.stretch)}"
        found = ["not measured", "?", stretch, "?" if stretch else ""]
        if measured is not None:
            reached = "" if target.stretch is None else _word(target.met(measured, target.stretch))
            found = [f"{_number(measured)} {target.unit}", _word(target.met(measured, target.goal)), stretch, reached]
        cells.append([target.label, f"{sign} {_number(target.goal)} {target.unit}", *found])
    return _table(cells)


def _met(row: Row) -> bool:
    assert row.target is not None
    return row.value >= row.target if row.better == "more" else row.value <= row.target


def _word(met: bool) -> str:
    return "yes" if met else "NO"


def _number(value: float) -> str:
    """Three figures that mean something, and thousands set apart."""
    if not math.isfinite(value):
        return "∞"
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def _table(cells: Sequence[Sequence[str]]) -> str:
    cells = [[cell.replace("|", "/") for cell in line] for line in cells]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in cells
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)
