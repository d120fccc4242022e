"""Makes `.venv` and fills it from uv.lock; run by the Makefile with the machine's own Python, as `-I`.

What only benchmarks need goes to `.venv-bench`, so that they change nothing for run and test.
Quick when nothing changed: a stamp in the environment says what it was filled from. Plain enough for an old Python to
read it far enough to be told that it is too old. Package indexes are the user's business: pip and uv find them in
their own configuration.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
KIND = sys.argv[1] if len(sys.argv) > 1 else "dev"
KINDS = {  # --inexact: leave the tools of `make test` in place
    "run": ("--no-dev", "--inexact"),
    "dev": (),
    "bench": ("--no-dev", "--group", "bench"),
}
VENV = CHECKOUT / (".venv-bench" if KIND == "bench" else ".venv")
PYTHON = VENV / "bin" / "python"


def main() -> int:
    """Bring the environment up to date for "run", "dev" or "bench"; 0 when it is."""
    if sys.version_info < OLDEST:
        version = sys.version.split()[0]
        return _fail(f"Repli needs Python 3.11 or newer; this is {version}. Name another: make PYTHON=python3.12 run")
    with (CHECKOUT / ".setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two starts in one checkout: the second waits
        if _up_to_date():
            return 0
        _say(f"preparing the environment in {VENV.name} (once; needs the package index or its cache)")
        try:
            return _make_venv() or _get_uv() or _sync()
        except subprocess.CalledProcessError as error:
            return _fail(f"Setting up failed at: {' '.join(map(str, error.cmd))}")


def _up_to_date() -> bool:
    """Whether the environment was filled from the present lock for this kind (one for "dev" serves "run" too)."""
    return os.access(PYTHON, os.X_OK) and any(_stamp(each) == _wanted() for each in (KIND, "dev"))


def _stamp(kind: str) -> str:
    try:
        return (VENV / f"stamp-{kind}").read_text()
    except OSError:
        return ""


def _wanted() -> str:
    """What it depends on: the lock, the project file, the Python that runs this, and the checkout's place."""
    digest = hashlib.sha256(repr((sys.version_info[:3], sys.base_prefix, CHECKOUT)).encode())
    for name in ("uv.lock", "pyproject.toml"):
        digest.update((CHECKOUT / name).read_bytes())
    return digest.hexdigest()


def _make_venv() -> int:
    """Make the environment, without pip where this Python cannot put it there (Debian without python3-venv)."""
    same = f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]!r})"
    if _works(PYTHON, "-c", same):
        return 0
    if _works(sys.executable, "-m", "venv", "--clear", VENV):
        return 0
    if _works(sys.executable, "-m", "venv", "--clear", "--without-pip", VENV):
        return 0
    return _fail("This Python cannot make virtual environments: install its venv module (apt install python3-venv).")


def _get_uv() -> int:
    if _works(PYTHON, "-m", "uv", "--version"):
        return 0
    _say("getting uv")
    install = ("install", "--quiet", "--disable-pip-version-check", "uv")
    if _works(PYTHON, "-m", "pip", "--version"):
        _run(PYTHON, "-m", "pip", *install)
    elif _works(sys.executable, "-m", "pip", "--version"):
        _run(sys.executable, "-m", "pip", "--python", PYTHON, *install)
    else:
        return _fail("This Python has no pip: install it (apt install python3-pip).")
    return 0


def _sync() -> int:
    _say("installing the locked packages")
    for other in KINDS:
        (VENV / f"stamp-{other}").unlink(missing_ok=True)
    _run(PYTHON, "-m", "uv", "sync", "--frozen", "--no-progress", "--quiet", "--python", PYTHON, *KINDS[KIND])
    (VENV / f"stamp-{KIND}").write_text(_wanted())
    return 0


def _works(*command: str | Path) -> bool:
    quiet = subprocess.DEVNULL
    try:
        return subprocess.call(command, stdin=quiet, stdout=quiet, stderr=quiet, cwd=CHECKOUT) == 0  # noqa: S603
    except OSError:
        return False


def _run(*command: str | Path) -> None:
    environment = {**os.environ, "UV_PROJECT_ENVIRONMENT": str(VENV), "UV_PYTHON_DOWNLOADS": "never"}
    environment.pop("VIRTUAL_ENV", None)
    subprocess.run(command, check=True, cwd=CHECKOUT, env=environment, stdin=subprocess.DEVNULL)  # noqa: S603


def _say(text: str) -> None:
    print(f"repli    | {text}", flush=True)  # noqa: T201 (nothing else to print with yet)


def _fail(text: str) -> int:
    print(f"repli    | {text}", file=sys.stderr, flush=True)  # noqa: T201
    return 1


if __name__ == "__main__":
    sys.exit(main())
