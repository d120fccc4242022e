"""The proxy's configuration: judged by crossplane, which knows nginx's grammar, and by nginx itself where it is."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import crossplane

from tests.deploy.fault import Fault

FOLDER = Path("deploy/nginx")
LISTENERS = ("http.conf", "tls.conf")
WANTED = (
    ("proxy_pass", "http://repli"),
    ("proxy_pass", "http://repli_all"),
    ("proxy_http_version", "1.1"),
    ("proxy_set_header", "X-Forwarded-For $remote_addr"),
    ("hash", "$repli_key consistent"),
    ("error_page", "502 = $repli_goes_on"),
    ("include", "listen.conf"),
)
PINGS = 40  # seconds after which a silent socket is closed by the web process


def faults(root: Path) -> Iterator[Fault]:
    for listener in LISTENERS:
        with tempfile.TemporaryDirectory() as scratch:
            found = list(_with(root, listener, Path(scratch)))
        yield from found
        if found:
            return


def laid_out(root: Path, listener: str, scratch: Path) -> Path:
    """The configuration as the container sees it, in `scratch`; with a certificate where it wants one."""
    for file in (root / FOLDER).glob("*.conf"):
        shutil.copy(file, scratch)
    text = (scratch / listener).read_text("utf-8").replace("/run/secrets/", f"{scratch}/")
    (scratch / "listen.conf").write_text(text, "utf-8")
    if listener == "tls.conf" and shutil.which("openssl"):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
             "2", "-subj", "/CN=localhost", "-keyout", "tls_key", "-out", "tls_certificate"],
            cwd=scratch, check=True, capture_output=True, timeout=60,
        )  # fmt: skip
    return scratch / "nginx.conf"


def nginx_says(configuration: Path) -> str:
    """What nginx has to say against it; empty if nothing. Only where nginx is installed."""
    done = subprocess.run(
        ["nginx", "-t", "-q", "-e", "stderr", "-p", configuration.parent, "-c", configuration],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    return done.stderr.strip() if done.returncode else ""


def can_ask_nginx(listener: str) -> bool:
    return shutil.which("nginx") is not None and (listener != "tls.conf" or shutil.which("openssl") is not None)


def _with(root: Path, listener: str, scratch: Path) -> Iterator[Fault]:
    configuration = laid_out(root, listener, scratch)
    parsed = crossplane.parse(str(configuration), strict=True)
    mapped = {line for config in parsed["config"] for line in _mapped(config["parsed"])}
    for error in parsed["errors"]:
        if not (Path(error["file"]).name == "nginx.conf" and error["line"] in mapped):
            yield Fault(FOLDER / _name(error["file"], listener), error["error"].replace(f"{scratch}/", ""))
    directives = [each for config in parsed["config"] for each in _all(config["parsed"])]
    said = {(each["directive"], " ".join(each["args"])) for each in directives}
    for wanted in WANTED:
        if wanted not in said:
            yield Fault(FOLDER / "nginx.conf", f"{' '.join(wanted)} is missing")
    for name in ("proxy_read_timeout", "proxy_send_timeout"):
        seconds = [float(value.removesuffix("s")) for directive, value in said if directive == name]
        if not seconds or min(seconds) <= PINGS:
            yield Fault(
                FOLDER / "nginx.conf", f"{name} is not longer than the {PINGS} s within which sockets are heard"
            )
    closed = [each for each in directives if each["directive"] == "location" and each["args"][-1] == "/metrics"]
    if not any(inner["args"] == ["404"] for each in closed for inner in each["block"]):
        yield Fault(FOLDER / "nginx.conf", "/metrics can be had from outside")
    if can_ask_nginx(listener) and (said_by_nginx := nginx_says(configuration)):
        yield Fault(FOLDER / "nginx.conf", said_by_nginx.replace(f"{scratch}/", ""))


def _name(file: str, listener: str) -> str:
    name = Path(file).name
    return listener if name == "listen.conf" else name


def _all(block: Any) -> Iterator[Any]:
    for directive in block:
        yield directive
        yield from _all(directive.get("block", ()))


def _mapped(block: Any) -> Iterator[int]:
    """Lines within `map`, where crossplane takes values for directives."""
    raw = [each for each in _all(block) if each["directive"] == "map"]
    for each in raw:
        last = max((inner["line"] for inner in each["block"]), default=each["line"])
        # Refused values are left out of the parsed block, so the lines up to the next directive count.
        following = [other["line"] for other in _all(block) if other["line"] > last]
        yield from range(each["line"] + 1, min(following, default=last + 1))
