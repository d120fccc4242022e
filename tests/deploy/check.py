"""All checks of `deploy/`, each by the tool made for it where there is one. A further kind of file: one more entry."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from yamllint import linter
from yamllint.config import YamlLintConfig

from tests.deploy import compose, kubernetes, proxy
from tests.deploy.fault import Fault

CHECKOUT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
YAML = YamlLintConfig(
    "extends: default\n"
    "rules: {line-length: {max: 140}, comments-indentation: disable, document-start: disable,"
    " truthy: {check-keys: false}, comments: {min-spaces-from-content: 2}, braces: {max-spaces-inside: 0}}"
)


def everything(root: Path) -> list[Fault]:
    """What is wrong below `root`, in the checks' order."""
    with ThreadPoolExecutor(2) as pool:
        return [fault for faults in pool.map(lambda check: list(check(root)), CHECKS) for fault in faults]


def yaml_style(root: Path) -> Iterator[Fault]:
    for file in sorted((root / "deploy").rglob("*.yaml")):
        if "secrets" not in file.parts:
            for problem in linter.run(file.read_text("utf-8"), YAML):
                yield Fault(file.relative_to(root), f"line {problem.line}: {problem.message}")


def dockerfile(root: Path) -> Iterator[Fault]:
    """Hadolint's findings, and what it does not look at: one unprivileged user, signals, a health check, sources."""
    file = Path("deploy/Dockerfile")
    done = _run(BIN / "hadolint", "--format", "json", "--no-color", root / file)
    try:
        for finding in json.loads(done.stdout):
            yield Fault(file, f"line {finding['line']}: {finding['code']} {finding['message']}")
    except ValueError:
        yield Fault(file, f"cannot be read: {done.stdout}{done.stderr}")
    text = (root / file).read_text("utf-8")
    last = text[text.rindex("\nFROM ") :]
    for wanted, why in (
        ("\nUSER 10001:10001\n", "runs as a numbered user that is not root"),
        ("\nHEALTHCHECK ", "has a health check"),
        ('\nENTRYPOINT ["', "gets its signals itself (exec form)"),
    ):
        if wanted not in last:
            yield Fault(file, f"the image {why}: {wanted.strip()} is missing")
    let_in = {line.removeprefix("!") for line in (root / ".dockerignore").read_text("utf-8").splitlines()}
    for line in text.splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                if not (root / source).exists() or source not in let_in:
                    yield Fault(file, f"{source} is not there, or .dockerignore does not let it in")


def scripts(root: Path) -> Iterator[Fault]:
    for file in sorted((root / "deploy").rglob("*.sh")):
        done = _run("sh", "-n", file)
        if done.returncode:
            yield Fault(file.relative_to(root), done.stderr.strip())


def _run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


CHECKS: tuple[Callable[[Path], Iterator[Fault]], ...] = (
    dockerfile,
    compose.faults,
    kubernetes.faults,
    proxy.faults,
    yaml_style,
    scripts,
)
