"""On what the figures were measured."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from config.embedded import programs


def described() -> str:
    """One line: cores, processor, memory, Python, PostgreSQL, date."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    parts = (
        f"{os.cpu_count()} cores",
        _processor(),
        f"{memory:.0f} GiB",
        f"{platform.system()} {platform.release()}",
        f"Python {platform.python_version()}",
        _postgres(),
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"load at the start {os.getloadavg()[0]:.1f}",
    )
    return ", ".join(parts)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def _postgres() -> str:
    command = [str(programs.postgres_folder() / "bin" / "postgres"), "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
    return f"PostgreSQL {said[2]}" if len(said) > 2 else "PostgreSQL"
