"""`python -m config.probe`: exit code 0 while this container's process works; for health checks without a shell.

A worker or beat is known by its sign of life (REPLI_ALIVE_FILE), a web process by its answer to `/healthz`.
"""

from __future__ import annotations

import http.client
import os
import sys
import time
from pathlib import Path

SILENCE = 60.0  # seconds without a sign of life


def main() -> int:
    """0: well; 1: not."""
    if file := os.environ.get("REPLI_ALIVE_FILE"):
        try:
            return int(time.time() - Path(file).stat().st_mtime > SILENCE)
        except FileNotFoundError:
            return 1
    connection = http.client.HTTPConnection("127.0.0.1", int(os.environ.get("PORT", "8000")), timeout=3)
    try:
        connection.request("GET", "/healthz", headers={"Host": "localhost"})
        return int(connection.getresponse().status != http.client.OK)
    except OSError:
        return 1
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main())
