"""Makes `.venv` and fills it from uv.lock; run by the Makefile with the machine's own Python, as `-I`.

Quick when nothing changed: a stamp in `.venv` says what it was filled from. Written so that an old Python can
still read it far enough to be told that it is too old. Package indexes are the user's business: pip and uv find
them in their own configuration.
"""

import fcntl
import hashlib
import os
import subprocess
import sys

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(CHECKOUT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
OLDEST = (3, 11)
KINDS = {"run": ("--no-dev", "--inexact"), "dev": ()}  # --inexact: leave the tools of `make test` in place


def main():
    # type: () -> int
    """Bring `.venv` up to date for "run" or "dev"; 0 when it is."""
    kind = sys.argv[1] if len(sys.argv) > 1 else "dev"
    if sys.version_info < OLDEST:
        return _fail(
            "Repli needs Python 3.11 or newer; `%s` is %s. Name another one: make PYTHON=python3.12 run"
            % (sys.executable, sys.version.split()[0])
        )
    with open(os.path.join(CHECKOUT, ".setup.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two starts in one checkout: the second waits
        if _up_to_date(kind):
            return 0
        _say("preparing the environment in .venv (once; needs the package index or its cache)")
        try:
            _make_venv()
            _get_uv()
            _sync(kind)
        except subprocess.CalledProcessError as error:
            return _fail("Setting up failed at: %s" % " ".join(map(str, error.cmd)))
    return 0


def _up_to_date(kind):
    # type: (str) -> bool
    """Whether `.venv` was filled from the present lock for `kind` (an environment for "dev" serves "run" too)."""
    return any(_stamp(each) == _wanted() for each in {kind, "dev"}) and os.access(PYTHON, os.X_OK)


def _stamp_path(kind):
    # type: (str) -> str
    return os.path.join(VENV, "stamp-" + kind)


def _stamp(kind):
    # type: (str) -> str
    try:
        with open(_stamp_path(kind)) as file:
            return file.read()
    except OSError:
        return ""


def _wanted():
    # type: () -> str
    """What `.venv` depends on: the lock, the project file, the Python that runs this, and the checkout's place."""
    digest = hashlib.sha256(repr((sys.version_info[:3], sys.base_prefix, CHECKOUT)).encode())
    for name in ("uv.lock", "pyproject.toml"):
        with open(os.path.join(CHECKOUT, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def _make_venv():
    # type: () -> None
    """Make `.venv`, without pip where this Python cannot put it there (Debian without python3-venv)."""
    if _works([PYTHON, "-c", "import sys; sys.exit(sys.version_info[:2] != %r)" % (sys.version_info[:2],)]):
        return
    if _works([sys.executable, "-m", "venv", "--clear", VENV]):
        return
    if not _works([sys.executable, "-m", "venv", "--clear", "--without-pip", VENV]):
        raise SystemExit(
            _fail("This Python cannot make virtual environments: install its venv module (apt install python3-venv).")
        )


def _get_uv():
    # type: () -> None
    if _works([PYTHON, "-m", "uv", "--version"]):
        return
    _say("getting uv")
    quiet = ["--quiet", "--disable-pip-version-check"]
    if _works([PYTHON, "-m", "pip", "--version"]):
        _run([PYTHON, "-m", "pip", "install"] + quiet + ["uv"])
    else:
        _run([sys.executable, "-m", "pip", "--python", PYTHON, "install"] + quiet + ["uv"])


def _sync(kind):
    # type: (str) -> None
    _say("installing the locked packages")
    environment = dict(os.environ, UV_PROJECT_ENVIRONMENT=VENV, UV_PYTHON_DOWNLOADS="never")
    environment.pop("VIRTUAL_ENV", None)
    for other in KINDS:
        if os.path.exists(_stamp_path(other)):
            os.remove(_stamp_path(other))
    _run(
        [PYTHON, "-m", "uv", "sync", "--frozen", "--no-progress", "--quiet", "--python", PYTHON] + list(KINDS[kind]),
        environment,
    )
    with open(_stamp_path(kind), "w") as file:
        file.write(_wanted())


def _works(command):
    # type: (list[str]) -> bool
    try:
        quiet = subprocess.DEVNULL
        return subprocess.call(command, stdin=quiet, stdout=quiet, stderr=quiet, cwd=CHECKOUT) == 0
    except OSError:
        return False


def _run(command, environment=None):
    # type: (list[str], dict[str, str] | None) -> None
    subprocess.run(command, check=True, cwd=CHECKOUT, env=environment, stdin=subprocess.DEVNULL)


def _say(text):
    # type: (str) -> None
    print("repli    | " + text, flush=True)


def _fail(text):
    # type: (str) -> int
    print("repli    | " + text, file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
