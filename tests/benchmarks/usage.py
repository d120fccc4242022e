"""What the stack's processes use, from /proc: processor time and memory, children included."""

from __future__ import annotations

import os
from pathlib import Path

from tests.servers import RunningStack

TICKS = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and all its descendants that live now."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := _stat(int(entry.name))):
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, position = [pid], 0
    while position < len(found):
        found += parents.get(found[position], [])
        position += 1
    return found


def cpu(pid: int) -> float:
    """Seconds of processor time of a process and its living descendants."""
    return sum(_cpu(member) for member in family(pid))


def _cpu(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0


def rss(pid: int) -> float:
    """MiB of memory that a process and its living descendants hold, PostgreSQL's shared buffers and the like apart."""
    return sum(_rss(member) for member in family(pid))


def _rss(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    sizes = {name: int(size.split()[0]) for name, _, size in (line.partition(":") for line in lines) if "kB" in size}
    return (sizes.get("VmRSS", 0) - sizes.get("RssShmem", 0)) / 1024


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the third on, or nothing for a process that is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def of_stack(stack: RunningStack) -> dict[str, float]:
    """Seconds of processor time so far, by the stack's own names: web, web-2, worker, beat, postgres, valkey."""
    return {name: cpu(pid) for name, pid in stack.pids().items()}


def webs(stack: RunningStack) -> list[int]:
    """The process ids of the web processes."""
    return [pid for name, pid in stack.pids().items() if name.split("-")[0] == "web"]


def web_memory(stack: RunningStack) -> float:
    """MiB that the web processes hold together."""
    return sum(rss(pid) for pid in webs(stack))
