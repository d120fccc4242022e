"""What the README shows is true: its sessions are run, its tables are made from the code.

`python -m tests.test_readme` writes the tables anew.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.environment import ROOT, Environment, variable
from config.observability import figures, sources
from config.observability.families import DESCRIBED
from games.store import watching
from games.ws.messages import CLOSE_CODES
from tests.servers import RunningStack, running_stack
from tests.test_env_example import OURS, default

README = ROOT / "README.md"
ADDRESS = "127.0.0.1:8000"
SECONDS = 90


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """What `make run` starts, with bots that do not wait."""
    quick = {"REPLI_BOT_PAUSE_MIN": "0", "REPLI_BOT_PAUSE_MAX": "0"}
    with running_stack(tmp_path_factory.mktemp("readme") / "data", settings=quick) as running:
        yield running


def test_the_curl_session_plays_a_game_to_its_end(stack: RunningStack) -> None:
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    script = block("bash")
    assert len(script.splitlines()) == 10

    said = run(["bash", "-eu", "-c", script.replace(ADDRESS, stack.url.removeprefix("http://"))])

    assert said[0] == "playing"
    assert any('"tricks"' in line for line in said), "we have bid"
    assert any('"card"' in line for line in said), "we have played"
    assert '"standing"' in said[-1]


def test_the_socket_session_plays_a_game_to_its_end(stack: RunningStack) -> None:
    script = block("python")
    assert len([line for line in script.splitlines() if line]) == 20

    said = run([sys.executable, "-c", script.replace(ADDRESS, stack.url.removeprefix("http://"))])

    assert said[0] == "welcome"
    assert "ack" in said
    assert "error" not in said
    assert said[-1].strip().startswith("game_finished")


@pytest.mark.parametrize("name", ["settings", "close codes", "metrics"])
def test_tables_say_what_the_code_says(name: str) -> None:
    text = README.read_text("utf-8")
    assert with_table(text, name) == text, "to write it anew: python -m tests.test_readme"


def test_every_command_is_named() -> None:
    text = README.read_text("utf-8")
    commands = [path.stem for path in ROOT.glob("*/management/commands/[a-z]*.py")]
    ours = set(commands) - {"serve"}  # what the supervisor starts

    assert {name for name in ours if f"| `{name}" not in text} == set()


def test_every_path_that_is_named_is_there() -> None:
    named = re.findall(r"`((?:config|games|accounts|tests|\.ci)/[\w./]*)`", README.read_text("utf-8"))
    here = [path for path in named if "NAME" not in path]

    assert here
    assert [path for path in here if not (ROOT / path).exists()] == []


def block(language: str) -> str:
    """The README's only block in that language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


def run(command: list[str]) -> list[str]:
    """The lines that a command says; it must succeed and complain of nothing."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout.splitlines()


def with_table(text: str, name: str) -> str:
    """The README with that table as the code makes it."""
    rows = "\n".join(TABLES[name]())
    return re.sub(rf"(?<=<!-- {name} -->\n).*?(?=\n<!-- end -->)", lambda _: rows, text, count=1, flags=re.DOTALL)


def settings_rows() -> Iterator[str]:
    yield from ("", "| variable | default | what it is |", "|---|---|---|")
    for name, field in Environment.model_fields.items():
        if name not in OURS:
            value = default(field)
            yield f"| `{variable(name)}` | {f'`{value}`' if value else ''} | {field.description} |"
    yield ""


def close_code_rows() -> Iterator[str]:
    yield from ("", "| close code | meaning | try again |", "|---|---|---|")
    for code, (meaning, again) in CLOSE_CODES.items():
        yield f"| {code} | {meaning} | {'yes' if again else 'no'} |"
    yield ""


def metrics_rows() -> Iterator[str]:
    assert {figures, sources, watching}, "loaded: they describe all there is"
    yield from ("", "| metric | labels | unit | meaning |", "|---|---|---|---|")
    for each in sorted(DESCRIBED.values(), key=lambda each: each.whole):
        labels = ", ".join(f"`{label}`" for label in each.labels)
        kind = "" if each.kind == "gauge" else f" ({each.kind})"
        yield f"| `{each.name}`{kind} | {labels} | {each.unit} | {each.meaning} |"
    yield ""


TABLES = {"settings": settings_rows, "close codes": close_code_rows, "metrics": metrics_rows}

if __name__ == "__main__":
    written = README.read_text("utf-8")
    for table in TABLES:
        written = with_table(written, table)
    Path(README).write_text(written, "utf-8")
