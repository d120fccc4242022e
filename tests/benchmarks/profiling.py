"""A sampling profile of a running process by py-spy, as a text to be read: the functions with most time in them."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.benchmarks.stack import Trouble

FOLDER = Path(__file__).parent / "profiles"
SAMPLES = 400  # a second
LINES = 45
WAITING = (  # threads of a pool that have nothing to do, or for whom Valkey has no answer yet
    "_worker (concurrent/futures/thread.py)",
    "Condition.wait (threading.py)",
    "wait (threading.py)",
    "SocketBuffer._read_from_socket (redis/_parsers/socket.py)",
    "_socket_can_read (redis/_parsers/hiredis.py)",
)


@contextlib.contextmanager
def sampled(pid: int, seconds: int, name: str) -> Iterator[None]:
    """Sample the process from now on for so many seconds; the text is in profiles/NAME.txt afterwards."""
    own = Path(sys.executable).with_name("py-spy")
    program = str(own) if own.exists() else shutil.which("py-spy")
    if program is None:
        raise Trouble("py-spy is not installed: it is in the group `bench`")
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "stacks"
        command = [program, "record", "--pid", str(pid), "--duration", str(seconds), "--rate", str(SAMPLES)]
        spy = subprocess.Popen(
            [*command, "--format", "raw", "--output", str(raw)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        try:
            yield
            said, _ = spy.communicate(timeout=60)
        except BaseException:
            spy.kill()
            spy.communicate()
            raise
        if not raw.exists():
            raise Trouble(f"py-spy took no profile: {said.decode(errors='replace')[-500:]}")
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.txt").write_text(summary(raw.read_text(encoding="utf-8").splitlines()), encoding="utf-8")


def summary(stacks: Iterable[str]) -> str:
    """Collapsed stacks (`frame;frame;frame count`) as two lists: time in a function itself, and with all it calls."""
    own, whole, total = Counter[str](), Counter[str](), 0
    for line in stacks:
        stack, _, count = line.rpartition(" ")
        frames = [_shortened(frame) for frame in stack.split(";") if not frame.startswith(("process ", "thread "))]
        if not frames or frames[-1].endswith(WAITING):
            continue
        total += int(count)
        own[frames[-1]] += int(count)
        for frame in set(frames):
            whole[frame] += int(count)
    lines = [f"{total} samples of busy threads"]
    for title, counted in (("the function itself", own), ("with all that it calls", whole)):
        lines += ["", f"{title}:"]
        lines += [f"{100 * count / max(1, total):6.1f} %  {frame}" for frame, count in counted.most_common(LINES)]
    return "\n".join(lines) + "\n"


def _shortened(frame: str) -> str:
    """`function (path:line)` without the line, and with the end of the path only."""
    name, _, place = frame.partition(" (")
    path = place.removesuffix(")").rpartition(":")[0] or place.removesuffix(")")
    return f"{name} ({'/'.join(path.split('/')[-3:])})" if place else name
