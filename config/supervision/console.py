"""The one log: every line of every program, with a short prefix that says whose it is."""

import os
import sys
from typing import TextIO

COLOURS = {
    "repli": "1",
    "postgres": "34",
    "valkey": "35",
    "migrate": "33",
    "web": "32",
    "worker": "36",
    "beat": "90",
}
WIDTH = 8


class Console:
    """Writes lines to `stream`; when nobody reads it any more, it falls silent and the programs run on."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._coloured = self._stream.isatty() and "NO_COLOR" not in os.environ
        self._open = True

    def say(self, text: str) -> None:
        """A line of the supervisor's own (several, where `text` has line breaks)."""
        for line in text.splitlines() or [""]:
            self.write("repli", line)

    def write(self, name: str, line: str) -> None:
        """One line of the program `name`."""
        prefix = f"{name:<{WIDTH}} | "
        if self._coloured:
            prefix = f"\x1b[{COLOURS.get(name.split('-', maxsplit=1)[0], '0')}m{prefix}\x1b[0m"
        if not self._open:
            return
        try:
            self._stream.write(f"{prefix}{line}\n")
            self._stream.flush()
        except (OSError, ValueError):
            self._open = False
