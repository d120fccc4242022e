"""One web process: uvicorn with this project's values, and an end that loses nothing and takes a bounded time.

`python -m config.web`. Asked to end (SIGTERM, SIGINT): it no longer listens and is not ready; every socket hears 1012
after the answer to what it had sent; requests that have begun are answered; what was opened is closed; exit code 0.
After REPLI_DRAIN_SECONDS whoever is left is cut off, and soon after the process ends in any case, with code 1.
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import socket
import sys
import threading
import time
from typing import Any

import uvicorn
from pydantic import ValidationError

from config.drain import DRAIN
from config.environment import Environment, faults
from config.sockets import SocketProtocol

APPLICATION = "config.asgi:application"
LAST_SECONDS = 2.0  # that closing and leaving may take when the time for clients is over
PING_SECONDS = 20  # a proxy's timeouts are longer
KEEP_ALIVE = 5  # seconds that an idle connection is kept; a proxy lets go of it earlier


class WebServer(uvicorn.Server):
    """Uvicorn, which closes sockets within a message and dies of the signal that it was asked by, ends better."""

    def __init__(self, config: uvicorn.Config, seconds: float, linger: float) -> None:
        super().__init__(config)
        self._seconds = seconds
        self._linger = linger

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        limit = time.monotonic() + self._seconds
        _end_at_last(self._seconds + LAST_SECONDS)
        for server in self.servers:
            server.close()
        DRAIN.begin()
        await DRAIN.emptied(self._seconds)
        await self._let_idle_connections_go(min(limit, time.monotonic() + self._linger))
        # The rest is uvicorn's: it closes what is idle, waits for answers under way, then asks the lifespan to end.
        self.config.timeout_graceful_shutdown = max(1, math.ceil(limit - time.monotonic()))
        await super().shutdown(sockets)

    async def _let_idle_connections_go(self, limit: float) -> None:
        """A proxy may just now be sending a request on a connection that it has kept: it lets go first."""
        while self.server_state.connections and time.monotonic() < limit and not self.force_exit:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def _end_at_last(seconds: float) -> None:
    """Whatever hangs, a thread in a query say, the process ends."""

    def end() -> None:
        sys.stderr.write("not everything could be closed in time\n")
        sys.stderr.flush()
        os._exit(1)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()


def configuration(environment: Environment) -> uvicorn.Config:
    """Uvicorn's settings; why these: stack.md, sockets."""
    return uvicorn.Config(
        APPLICATION,
        host=environment.host,
        port=environment.port,
        loop="uvloop",
        http="httptools",
        ws=SocketProtocol,  # websockets-sansio
        ws_per_message_deflate=False,
        ws_max_size=16384,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        timeout_keep_alive=KEEP_ALIVE,
        access_log=False,
        forwarded_allow_ips=environment.forwarded_allow_ips,
    )


def _leave(*_signal: Any) -> None:
    """What a signal means before uvicorn listens for it, and after it has ended: uvicorn raises it once more then."""
    sys.exit(0)


def main() -> int:
    """Serve until asked to end."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    os.environ.setdefault("REPLI_PROCESS", "web")
    try:
        environment = Environment()
    except ValidationError as error:
        for fault in faults(error):
            sys.stderr.write(f"setting {fault}\n")
        return 1
    WebServer(configuration(environment), environment.drain_seconds, environment.drain_linger).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
