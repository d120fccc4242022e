"""TCP ports on this machine: is one taken, and which one is free.

Ports for the embedded servers lie below 32768, where the kernel picks the ports of outgoing connections: a
client that keeps knocking while its server is down could otherwise be given the server's own port, connect to
itself, and keep the server from coming back.
"""

import contextlib
import errno
import random
import socket

EMBEDDED_PORTS = range(20_000, 32_000)
ATTEMPTS = 200


def taken(host: str, port: int) -> bool:
    """Whether something listens on `host`:`port`. Raises OSError when `host` is no address of this machine."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return True
            raise
    return False


def free(*, besides: frozenset[int] = frozenset()) -> int:
    """A port on 127.0.0.1 that nothing uses now; raises RuntimeError when 200 random ones are all taken."""
    for _ in range(ATTEMPTS):
        port = random.choice(EMBEDDED_PORTS)  # noqa: S311 (no secret: a port)
        with contextlib.suppress(OSError):
            if port not in besides and not taken("127.0.0.1", port):
                return port
    raise RuntimeError("no free port was found on 127.0.0.1")
