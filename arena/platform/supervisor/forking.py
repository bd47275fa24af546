"""Fork children from the supervisor, which has imported their code: they start faster and share its memory.

Invariants: the supervisor has only one thread, and no open resource that a child could share by mistake; a child keeps
none of the supervisor's descriptors and never returns into the supervisor's code. Nothing is forked once a loaded file
has changed, because the child would run the old code.
"""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
import resource
import runpy
import signal
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import IO

from setproctitle import getproctitle, setproctitle

from arena.platform.parent_death import die_with_parent
from arena.platform.supervisor.processes import ChildSpec

FileState = tuple[int, int, int]  # time of the last change in ns, size in bytes, inode


@dataclass(frozen=True, slots=True)
class LoadedCode:
    """The files of the modules that this process has imported, each with its state at the time of the import."""

    files: Mapping[str, FileState | None]

    def is_current(self) -> bool:
        """Return whether all loaded files are unchanged: only then does a fork run the same code as a new process."""
        return all(_file_state(path) == state for path, state in self.files.items())


def load(module: str, environment: Mapping[str, str]) -> LoadedCode:
    """Import ``module`` with the children's environment; raises any exception that the import raises."""
    getproctitle()  # locates the process title, which is impossible once the environment has changed
    os.environ.update(environment)
    for line in filter(None, environment.get("PYTHONWARNINGS", "").split(",")):
        action, _, message = line.partition(":")
        warnings.filterwarnings(action, message)  # type: ignore[arg-type]  # from our own list
    importlib.import_module(module)
    gc.collect()
    gc.freeze()  # objects that are never collected remain shared
    paths = {getattr(loaded, "__file__", None) for loaded in list(sys.modules.values())}
    return LoadedCode({path: _file_state(path) for path in paths if path})


def _file_state(path: str) -> FileState | None:
    """Return the file's modification time, size and inode, which reveal any change of its content.

    Return None if there is no such file, as for a module in an archive.
    """
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def fork(spec: ChildSpec, root: Path) -> tuple[ForkProcess, IO[bytes]]:
    """Run the Python command line ``spec`` in a fork of this process; return the fork and a pipe with its output."""
    reader, writer = os.pipe()
    process = multiprocessing.get_context("fork").Process(
        target=_run_child, args=(spec.argv, spec.environment, root, writer, os.getpid()), name=spec.name
    )
    process.start()
    os.close(writer)
    return process, open(reader, "rb", buffering=0)


def _run_child(argv: Sequence[str], environment: Mapping[str, str], root: Path, output: int, parent: int) -> None:
    """Become the process that ``argv`` would have started, in a new session. Raises whatever its code raises."""
    os.setsid()  # Ctrl-C in the terminal reaches only the supervisor
    die_with_parent(signal.SIGKILL, parent=parent)
    _detach(output)
    os.chdir(root)
    os.environ.clear()  # imports may have changed it
    os.environ.update(environment)
    setproctitle(" ".join(argv))
    _, *rest = argv
    if rest[0] == "-m":
        sys.argv = rest[1:]
        runpy.run_module(rest[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = rest
        runpy.run_path(rest[0], run_name="__main__")


def _detach(output: int) -> None:
    """Drop the supervisor's signal handlers and descriptors; redirect output to ``output``, and close the input."""
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    os.closerange(3, most)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # the supervisor's own, which is text
