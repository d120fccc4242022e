"""Imports only point downward, and the rules touch nothing but themselves (architecture: five floors)."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = (  # from the bottom up; a floor may import itself and those before it
    ("games.rules",),
    ("games.store", "games.models"),
    ("games.services", "games.statistics"),
    ("games.api", "games.ws", "games.web", "games.tasks", "games.management", "games.admin"),
)
FORBIDDEN = {
    "games": ("rankings",),
    "accounts": ("games", "rankings"),
    "config/observability": ("accounts", "games", "rankings"),
}
RULES_MAY_IMPORT = {"msgspec", "games"}
# No input or output, no clock, no chance: none of these, not even from the standard library.
NOT_IN_RULES = {
    "asyncio", "http", "io", "logging", "multiprocessing", "os", "random", "secrets", "shutil", "socket", "sqlite3",
    "subprocess", "sys", "tempfile", "threading", "time", "urllib", "pathlib",
}  # fmt: skip
READS_RULES_PAGES = "games.rules.wire"  # once, at import: the Markdown that lies beside the code
CALLS_NOT_IN_RULES = re.compile(
    r"(.*\.)?((datetime|date)\.(now|utcnow|today)|uuid[14678]|urandom)|open|print|input|(.*\.)?(read|write)_(text|bytes)"
)


def modules(package: str) -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(path: Path) -> Iterator[str]:
    """Every module that is imported, inside functions too; `from a import b` counts as `a.b`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide where they point"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def inside(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def floor_of(name: str) -> int | None:
    return next((n for n, packages in enumerate(FLOORS) if any(inside(name, package) for package in packages)), None)


def arrows_up(name: str, imported: str) -> bool:
    here, there = floor_of(name), floor_of(imported)
    return here is not None and there is not None and there > here


def in_rules(path: Path) -> Iterator[str]:
    """What a module of the rules may not have: as sentences."""
    tree = ast.parse(path.read_text("utf-8"))
    for name in imports(path):
        top = name.split(".")[0]
        if top in NOT_IN_RULES:
            yield f"imports {name}"
        elif top == "games":
            if not inside(name, "games.rules"):
                yield f"imports {name}"
        elif top not in RULES_MAY_IMPORT and top not in sys.stdlib_module_names:
            yield f"imports {name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if CALLS_NOT_IN_RULES.fullmatch(called):
                yield f"calls {called}"


def test_imports_only_point_downward() -> None:
    up = [
        (name, imported) for name, path in modules("games") for imported in imports(path) if arrows_up(name, imported)
    ]

    assert up == []


@pytest.mark.parametrize("package", FORBIDDEN)
def test_apps_do_not_import_those_that_stand_above_or_beside_them(package: str) -> None:
    wrong = [
        (name, imported)
        for name, path in modules(package)
        for imported in imports(path)
        if any(inside(imported, other) for other in FORBIDDEN[package])
    ]

    assert wrong == []


def test_the_rules_touch_nothing_but_themselves() -> None:
    found = [(name, fault) for name, path in modules("games/rules") for fault in in_rules(path)]
    pages = [(name, fault) for name, fault in found if name == READS_RULES_PAGES and fault.endswith("read_text")]

    assert len(pages) == 1
    assert found == pages


def test_bots_know_views_and_never_states() -> None:
    bots = [
        (name, path) for name, path in modules("games/rules") if any(part.startswith("bot") for part in _parts(name))
    ]
    wrong = [(name, imported) for name, path in bots for imported in imports(path) if "state" in _parts(imported)]

    assert "games.rules.gg.bot" in dict(bots)
    assert wrong == []


def _parts(name: str) -> list[str]:
    return name.split(".")


def test_the_package_of_all_floors_is_empty() -> None:
    assert (ROOT / "games" / "__init__.py").read_text("utf-8") == ""


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "from time import monotonic",
        "import django",
        "from games.store import append",
        "from datetime import datetime\ndatetime.now()",
        "open('x')",
        "def f():\n    import os",
    ],
)
def test_what_the_rules_may_not_do_is_noticed(source: str, tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(source, "utf-8")

    assert list(in_rules(module))


@pytest.mark.parametrize(
    "name, imported, up",
    [
        ("games.rules.gg", "games.store.append", True),
        ("games.store.append", "games.services.play", True),
        ("games.services.play", "games.api.views", True),
        ("games.services.play", "games.store.append", False),
        ("games.ws.game", "games.api.views", False),
    ],
)
def test_an_arrow_that_points_up_is_noticed(name: str, imported: str, up: bool) -> None:
    assert arrows_up(name, imported) is up
