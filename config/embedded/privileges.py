"""Whom the embedded servers run as, and from where.

PostgreSQL refuses to run as root. Started as root, the servers run as an existing unprivileged user; where that
user cannot reach the programs or our data folder (a checkout below /root, say), they run from copies and keep
their data in a folder of our own below /var/lib or /var/tmp. No user is made, and no permission outside our own
folders is changed.
"""

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.embedded import programs
from config.embedded.trouble import Trouble

CANDIDATES = ("nobody", "daemon")
HOMES = (Path("/var/lib"), Path("/var/tmp"))  # noqa: S108 (a folder of our own below it, owned by root)


@dataclass(frozen=True, kw_only=True)
class ServiceUser:
    """An unprivileged user of this machine."""

    name: str
    uid: int
    gid: int


@dataclass(frozen=True, kw_only=True)
class Premises:
    """Where the servers' programs and data are, and the user to run them as (None: as ourselves)."""

    user: ServiceUser | None
    postgres: Path
    valkey: Path
    data: Path


def choose(data_dir: Path, instance: str) -> Premises:
    """The premises for `data_dir`; `instance` is its own random word, which stays with it when it is moved."""
    postgres, valkey = programs.postgres_folder(), programs.valkey_server()
    if os.geteuid() != 0:
        return Premises(user=None, postgres=postgres, valkey=valkey, data=data_dir)
    user = _service_user()
    if not (_can_run(postgres / "bin" / "initdb", user) and _can_run(valkey, user)):
        postgres, valkey = _copies(postgres, valkey)
    home = home_of(instance)
    data = data_dir
    if home.exists() or not _can_enter(data_dir, user):
        data = _moved_in(home, data_dir)
    return Premises(user=user, postgres=postgres, valkey=valkey, data=data)


def home_of(instance: str) -> Path:
    """The folder for data that cannot stay in the data folder; it need not exist."""
    homes = [place / "repli" / instance for place in HOMES]
    return next((home for home in homes if home.is_dir()), homes[0] if os.access(HOMES[0], os.W_OK) else homes[1])


def own_folder(folder: Path, user: ServiceUser | None) -> Path:
    """Make `folder` (mode 700) and give it to `user`."""
    folder.mkdir(mode=0o700, exist_ok=True)
    if user is not None:
        os.chown(folder, user.uid, user.gid, follow_symlinks=False)
    return folder


def as_user(user: ServiceUser | None) -> dict[str, Any]:
    """The arguments of `subprocess.Popen` that run a program as `user`."""
    if user is None:
        return {}
    return {"user": user.uid, "group": user.gid, "extra_groups": []}


def _service_user() -> ServiceUser:
    for name in CANDIDATES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return ServiceUser(name=name, uid=entry.pw_uid, gid=entry.pw_gid)
    raise Trouble(
        "PostgreSQL does not run as root, and this machine has no user `nobody`: "
        "start Repli as an ordinary user, or set DATABASE_URL."
    )


def _can_run(program: Path, user: ServiceUser) -> bool:
    return _succeeds([str(program), "--version"], user)


def _can_enter(folder: Path, user: ServiceUser) -> bool:
    return _succeeds(["/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder)], user)


def _succeeds(command: list[str], user: ServiceUser) -> bool:
    try:
        done = subprocess.run(  # noqa: S603
            command,
            cwd="/",
            user=user.uid,
            group=user.gid,
            extra_groups=[],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=30,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _base() -> Path:
    """Our own folder below the first of /var/lib and /var/tmp that can be written; root's alone to change."""
    base = next((place for place in HOMES if os.access(place, os.W_OK)), HOMES[-1]) / "repli"
    if base.is_symlink() or (base.exists() and base.stat().st_uid != 0):
        raise Trouble(f"{base} is not ours: remove it, or start Repli as an ordinary user.")
    base.mkdir(mode=0o711, exist_ok=True)
    base.chmod(0o711)
    return base


def _moved_in(home: Path, data_dir: Path) -> Path:
    """Make `home`; servers' data from a time when the data folder could still be entered move along."""
    _base()
    home.mkdir(mode=0o711, exist_ok=True)
    home.chmod(0o711)
    (home / "belongs-to").write_text(f"{data_dir}\n", encoding="utf-8")
    for name in ("postgres", "valkey"):
        if (data_dir / name).is_dir() and not (home / name).exists():
            shutil.move(data_dir / name, home / name)
    return home


def _copies(postgres: Path, valkey: Path) -> tuple[Path, Path]:
    """Copies of the programs that every user may run; made once per version, whole or not at all."""
    package = postgres.parent
    target = _base() / programs.label()
    if not target.is_dir():
        unfinished = target.with_name(f"{target.name}.{os.getpid()}")
        shutil.copytree(
            postgres,
            unfinished / package.name / postgres.name,
            symlinks=True,
            ignore=shutil.ignore_patterns("include", "*.a", "pkgconfig"),
        )
        libraries = package.parent / f"{package.name}.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, unfinished / libraries.name, symlinks=True)
        shutil.copy2(valkey, unfinished / valkey.name)
        _open_to_all(unfinished)
        try:
            unfinished.rename(target)
        except OSError:  # another start was faster
            shutil.rmtree(unfinished)
    return target / package.name / postgres.name, target / valkey.name


def _open_to_all(folder: Path) -> None:
    """Readable by everyone and writable by root alone, whatever the umask of the copy was."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
