"""What a check finds."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Fault(NamedTuple):
    """Something wrong in a file, which is named from the top folder."""

    file: Path
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.text}"
