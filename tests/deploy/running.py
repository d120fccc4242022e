"""The real nginx with the configuration of `deploy/` before web processes of a test's own."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from config.embedded import ports
from tests.deploy import proxy
from tests.deploy.check import CHECKOUT

WAIT = 30.0


@contextmanager
def nginx(scratch: Path, webs: Sequence[int]) -> Iterator[tuple[str, Path]]:
    """Its address and access log; it passes on to these ports of this machine. `errors.log` lies beside the log."""
    port, log = ports.free(besides=frozenset(webs)), scratch / "access.log"
    configuration = proxy.laid_out(CHECKOUT, "http.conf", scratch)
    for name, there, instead in (
        ("nginx.conf", "/tmp/", f"{scratch}/"),
        ("nginx.conf", "/dev/stdout", str(log)),
        ("listen.conf", "listen 8080", f"listen 127.0.0.1:{port}"),
    ):
        text = (scratch / name).read_text("utf-8")
        assert there in text
        (scratch / name).write_text(text.replace(there, instead), "utf-8")
    upstream = scratch / "upstream.conf"
    upstream.write_text(_before(webs, upstream.read_text("utf-8")), "utf-8")
    command = ["nginx", "-e", "stderr", "-p", str(scratch), "-c", str(configuration), "-g", "daemon off;"]
    with log.with_name("errors.log").open("wb") as errors:
        process = subprocess.Popen(command, stderr=errors)
    try:
        yield f"127.0.0.1:{port}", log
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(WAIT)


def _before(webs: Sequence[int], upstream: str) -> str:
    """`upstream.conf` with these ports in place of the servers named there, each with its list's parameters."""
    lists = re.split(r"^(?=upstream )", upstream, flags=re.MULTILINE)
    return "".join(_list(webs, each) for each in lists)


def _list(webs: Sequence[int], text: str) -> str:
    servers = re.findall(r"^ +server \S+( .*;\n)", text, re.MULTILINE)
    if not servers:
        return text
    ours = "".join(f"    server 127.0.0.1:{port}{servers[0]}" for port in webs)
    head, _, rest = text.partition("    server ")
    return head + ours + re.sub(r"^ +server .*\n", "", "    server " + rest, flags=re.MULTILINE)
