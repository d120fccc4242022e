"""One run of one program: started as the right user, its output read line by line, its end noticed.

No run outlives the supervisor: the kernel tells the child when its parent is gone (Linux), and every child holds
an inherited lock, so that the next start can wait for the last of an earlier run (and of its own children) to end.
"""

import asyncio
import ctypes
import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

from config.embedded.privileges import as_user
from config.supervision.program import Program

PR_SET_PDEATHSIG = 1
LONGEST_LINE = 64 * 1024

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class Child:
    """A running program. Make it inside a running event loop, in the main thread."""

    def __init__(self, program: Program, lock: IO[bytes], write: Callable[[str], None]) -> None:
        self.exited = asyncio.Event()
        self._popen = subprocess.Popen(  # noqa: S603
            program.command,
            cwd=program.folder,
            env=dict(program.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is ours: we stop the programs in order
            pass_fds=(lock.fileno(),),
            preexec_fn=_end_with_parent(program.orphan),  # noqa: PLW1509 (runs after the change of user, as it must)
            **as_user(program.user),
        )
        self._lines = asyncio.create_task(self._read(write))

    @property
    def pid(self) -> int:
        """The program's process id."""
        return self._popen.pid

    @property
    def code(self) -> int:
        """Its exit code; negative: the signal that ended it. Only after its end."""
        assert self._popen.returncode is not None
        return self._popen.returncode

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        code = self._popen.returncode
        if code is not None and code < 0:
            return f"was ended by {signal.Signals(-code).name}"
        return f"ended with code {code}"

    def poll(self) -> None:
        """Look whether it has ended; called at every SIGCHLD."""
        if not self.exited.is_set() and self._popen.poll() is not None:
            self.exited.set()

    def send(self, number: signal.Signals) -> None:
        """Send it a signal; nothing happens when it has ended."""
        self._popen.send_signal(number)

    async def finish(self) -> None:
        """Wait for its end, and shortly for its last words (a grandchild may hold the pipe open)."""
        await self.exited.wait()
        await asyncio.wait([self._lines], timeout=1)
        self._lines.cancel()

    async def _read(self, write: Callable[[str], None]) -> None:
        assert self._popen.stdout is not None
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=LONGEST_LINE)
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), self._popen.stdout)
        try:
            while line := await _line(reader):
                write(line.decode(errors="replace").rstrip())
        finally:
            transport.close()


async def _line(reader: asyncio.StreamReader) -> bytes:
    """The next line, or a piece of one that is too long; empty at the end."""
    try:
        return await reader.readuntil(b"\n")
    except asyncio.IncompleteReadError as error:
        return error.partial
    except asyncio.LimitOverrunError as error:
        return await reader.read(error.consumed)


def _end_with_parent(number: signal.Signals) -> Callable[[], None] | None:
    """What a child does before it becomes the program: ask the kernel for `number` when its parent is gone."""
    if _libc is None:
        return None
    libc, parent = _libc, os.getpid()

    def ask() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return ask


def open_lock(path: Path) -> IO[bytes]:
    """Open (and make) the file that a child's lock is on."""
    return path.open("ab")


def try_lock(lock: IO[bytes]) -> bool:
    """Take the lock if nobody has it: neither a supervisor nor any process that inherited it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
