"""Compose files: valid by the specification's schema, and right in what a schema cannot see."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from config.web import LAST_SECONDS
from tests.deploy.fault import Fault

MAIN, TLS = Path("deploy/compose.yaml"), Path("deploy/compose.tls.yaml")
UPSTREAM = Path("deploy/nginx/upstream.conf")
SENSITIVE = re.compile(r"PASSWORD|SECRET|TOKEN|_KEY|_URL")


def faults(root: Path) -> Iterator[Fault]:
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", root / MAIN, root / TLS],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    if done.returncode:
        named = [file for file in (MAIN, TLS) if str(root / file) in done.stdout + done.stderr]
        for file in named or [MAIN]:
            yield Fault(file, (done.stdout + done.stderr).strip())
        return
    main, tls = (yaml.safe_load((root / file).read_text("utf-8")) for file in (MAIN, TLS))
    yield from _references(root, MAIN, main, main)
    yield from _references(root, TLS, tls, main)
    yield from _secrets(main)
    yield from _ends(main)
    yield from _addresses(root, main)


def _references(root: Path, file: Path, document: Any, main: Any) -> Iterator[Fault]:
    """Whatever a service names is there."""
    known = {kind: {*main.get(kind, {}), *document.get(kind, {})} for kind in ("secrets", "networks", "volumes")}
    for name, service in document["services"].items():
        for kind in ("secrets", "networks"):
            for used in service.get(kind, ()):
                if used not in known[kind]:
                    yield Fault(file, f"{name}: no {kind[:-1]} is called {used}")
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            if source.startswith("."):
                if not (root / file.parent / source).exists():
                    yield Fault(file, f"{name}: {source} is not there")
            elif source not in known["volumes"]:
                yield Fault(file, f"{name}: no volume is called {source}")
        for needed, how in service.get("depends_on", {}).items():
            other = main["services"].get(needed)
            if other is None:
                yield Fault(file, f"{name}: no service is called {needed}")
            elif how["condition"] == "service_healthy" and "build" not in other and "healthcheck" not in other:
                yield Fault(file, f"{name} waits for the health of {needed}, which has no health check")


def _secrets(main: Any) -> Iterator[Fault]:
    """They come from files, and no variable has one in it or a value in its place."""
    for name, service in main["services"].items():
        for variable, value in service.get("environment", {}).items():
            if SENSITIVE.search(variable) and not variable.endswith(("_FILE", "_DIR")) and value:
                yield Fault(MAIN, f"{name}: {variable} is written down; it belongs into a secret's file")
        if name not in {"migrate", "postgres"} and {"migrate_database_url", "owner_password"} & set(
            service.get("secrets", ())
        ):
            yield Fault(MAIN, f"{name} may not be the database's owner")
    for name, secret in main["secrets"].items():
        if set(secret) != {"file"}:
            yield Fault(MAIN, f"the secret {name} does not come from a file")


def _ends(main: Any) -> Iterator[Fault]:
    """Nothing is killed while it is still letting its clients go."""
    for name, service in main["services"].items():
        if name.startswith("web"):
            environment = service["environment"]
            drain, linger = (float(environment[f"REPLI_DRAIN_{word}"]) for word in ("SECONDS", "LINGER"))
            if _seconds(service["stop_grace_period"]) <= drain + LAST_SECONDS:
                yield Fault(MAIN, f"{name}: stop_grace_period is not longer than REPLI_DRAIN_SECONDS and what follows")
            if linger >= drain:
                yield Fault(MAIN, f"{name}: REPLI_DRAIN_LINGER leaves no time of REPLI_DRAIN_SECONDS")
    if _seconds(main["services"]["worker"]["stop_grace_period"]) <= 60:
        yield Fault(MAIN, "worker: stop_grace_period is not longer than a task's 60 s")


def _addresses(root: Path, main: Any) -> Iterator[Fault]:
    """The proxy finds the web processes, and they believe it, and nobody else, who the client is."""
    services = main["services"]
    webs = {name: each for name, each in services.items() if name.startswith("web")}
    here = {f"{each['networks']['edge']['ipv4_address']}:8000" for each in webs.values()}
    lists = re.split(r"^upstream ", (root / UPSTREAM).read_text("utf-8"), flags=re.MULTILINE)[1:]
    for each in lists:
        there = set(re.findall(r"^ +server ([\d.:]+)", each, re.MULTILINE))
        if here != there:
            yield Fault(
                UPSTREAM, f"{each.split()[0]} names {sorted(there)}, but deploy/compose.yaml has {sorted(here)}"
            )
    proxy = services["proxy"]["networks"]["edge"]["ipv4_address"]
    for name, each in webs.items():
        if each["environment"].get("FORWARDED_ALLOW_IPS") != proxy:
            yield Fault(MAIN, f"{name}: FORWARDED_ALLOW_IPS is not the proxy's address, {proxy}")
    for name, each in services.items():
        if "ports" in each and name != "proxy":
            yield Fault(MAIN, f"{name} can be reached from outside")


def _seconds(text: str) -> float:
    return float(text.removesuffix("s"))
