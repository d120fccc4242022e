"""One process of a deployment: `python -m config.role web`, `worker`, `beat`, `migrate`, or any command of manage.py.

It becomes that process, so that signals reach it; what the commands are is said once, in config/supervision/stack.py.
"""

from __future__ import annotations

import os
import sys

from config.supervision.stack import CHECKOUT, COMMANDS


def command(arguments: list[str]) -> tuple[str, ...]:
    """What to run for these arguments; the role alone, or a command of manage.py with its own."""
    if len(arguments) == 1 and arguments[0] in COMMANDS:
        return (sys.executable, *COMMANDS[arguments[0]])
    return (sys.executable, "manage.py", *arguments)


def main() -> None:
    arguments = sys.argv[1:]
    if arguments and arguments[0] in {"web", "worker", "beat"}:
        os.environ["REPLI_PROCESS"] = arguments[0]
        os.environ.pop("MIGRATE_DATABASE_URL", None)
    os.chdir(CHECKOUT)
    os.execv(sys.executable, command(arguments))  # noqa: S606 (no shell is wanted)


if __name__ == "__main__":
    main()
