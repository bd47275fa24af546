"""Start processes, each in its own process group; they die with the supervisor, and their output is forwarded."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, cast

from arena.platform.parent_death import die_with_parent
from arena.platform.supervisor import forking
from arena.platform.supervisor.processes import ChildSpec

# Called with the child's name and the pipe for its stdout and stderr.
OnOutput = Callable[[str, IO[bytes]], None]


class SystemProcess:
    """A running child; ``poll`` returns its exit code, negative for a signal, or None while it runs."""

    def __init__(self, pid: int, poll: Callable[[], int | None]) -> None:
        self.pid, self.poll = pid, poll

    def send_signal(self, number: signal.Signals) -> None:
        if number is signal.SIGKILL:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)
        if self.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, number)  # SIGKILL goes here too, because the group may not exist yet


class SystemLauncher:
    """A launcher of children in the folder ``root``; use it only in the main thread of a single-threaded process."""

    def __init__(self, root: Path, on_output: OnOutput) -> None:
        self._root, self._on_output = root, on_output
        self._started: list[SystemProcess] = []
        self._code: forking.LoadedCode | None = None

    def load(self, module: str, environment: Mapping[str, str]) -> None:
        """Import the code that forked child processes run; propagate any exception from the import."""
        self._code = forking.load(module, environment)

    def pids(self) -> list[int]:
        """Return the process ids of the running children."""
        self._started = [process for process in self._started if process.poll() is None]
        return [process.pid for process in self._started]

    def start(self, spec: ChildSpec) -> SystemProcess:
        forks = spec.copies and self._code is not None and self._code.is_current()
        process, output = self._fork(spec) if forks else self._run(spec)
        self._on_output(spec.name, output)
        self._started.append(process)
        return process

    def _fork(self, spec: ChildSpec) -> tuple[SystemProcess, IO[bytes]]:
        process, output = forking.fork(spec, self._root)
        return SystemProcess(cast(int, process.pid), lambda: process.exitcode), output

    def _run(self, spec: ChildSpec) -> tuple[SystemProcess, IO[bytes]]:
        parent = os.getpid()
        process = subprocess.Popen(
            spec.argv,
            cwd=self._root,
            env=dict(spec.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C in the terminal reaches only the supervisor
            # Safe, because the supervisor is single-threaded and the call uses only ctypes.
            preexec_fn=lambda: die_with_parent(signal.SIGKILL, parent=parent),
        )
        return SystemProcess(process.pid, process.poll), cast(IO[bytes], process.stdout)


def allow_many_sockets(most: int = 65_536) -> None:
    """Raise the soft limit on open files to ``most`` or the hard limit, because each viewer needs a file descriptor.

    Children inherit the limit.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if hard == resource.RLIM_INFINITY else min(hard, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def kill_orphans(spared: Iterable[int] = ()) -> None:
    """Kill and reap every child of this process except those whose ids are in ``spared``.

    The supervisor is a subreaper (see ``parent_death``), so these include descendants whose parent has died.
    """
    kept = frozenset(spared)
    for _ in range(20):  # killed processes leave their own children behind
        orphans = [pid for pid in _own_children() if pid not in kept]
        if not orphans:
            return
        for pid in orphans:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in orphans:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _own_children() -> list[int]:
    try:
        text = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    except OSError:
        return []
    return [int(pid) for pid in text.split()]
