"""Lock the installation, so that only one supervisor runs: Valkey and SQLite would not stop a second one."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.platform.supervisor.options import StartupError


@contextmanager
def installation_lock(var: Path) -> Iterator[None]:
    """Lock the installation in ``var``; raises StartupError while another process holds the lock.

    The lock is released when its holder dies.
    """
    var.mkdir(mode=0o700, parents=True, exist_ok=True)  # private: contains sessions, passwords, uploads, mail
    with (var / "lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            holder = file.read().strip()
            raise StartupError(
                f"The arena is already running from {var} (process {holder or 'unknown'}). "
                "Stop it first, or start a second arena in its own folder: make up ARENA_VAR=/path PORT=8001"
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield
