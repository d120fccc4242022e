"""`python -m tests.deploy [FOLDER]`: check all of `deploy/`; one line a fault, exit code 1 if there is one."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.deploy.check import CHECKOUT, everything


def main() -> int:
    """0 when nothing is wrong."""
    found = everything(Path(sys.argv[1]) if len(sys.argv) > 1 else CHECKOUT)
    for fault in found:
        print(fault)
    print(f"deploy: {len(found)} faults" if found else "deploy: no fault")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
