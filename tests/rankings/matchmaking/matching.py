"""A matcher as a process of its own, until its standard input closes; then it prints how many tables it has made.

Run as a module, with the servers' addresses in the environment.
"""

from __future__ import annotations

import os
import select
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from rankings.matchmaking import matcher

    made = 0
    print("ready", flush=True)
    while not select.select([sys.stdin], [], [], 0.3)[0]:
        made += matcher.run()
    print(made, flush=True)


if __name__ == "__main__":
    main()
