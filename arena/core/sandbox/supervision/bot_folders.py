"""Manage the bots' folders if bots see the host's paths.

Invariants:
- A folder is locked as long as its worker lives. The next worker that starts removes unlocked folders.
- A lock file gets its final name only once it is locked, so a new folder is never mistaken for an abandoned one.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

_PREFIX = "arena-bots-"
_LOCK = "lock"
_UNFINISHED = 3600.0  # seconds after which a folder without a lock counts as abandoned


class BotFolders:
    """A new folder for one worker's bot folders; only its owner can enter it. Raises OSError.

    It is created in the system's temporary folder.
    """

    def __init__(self, owner: tuple[int, int] | None) -> None:
        """Create and lock the folder. owner: its uid and gid; None for the worker's own."""
        remove_abandoned(owner)
        self.path = Path(os.path.realpath(tempfile.mkdtemp(prefix=_PREFIX)))
        unfinished = self.path / f"{_LOCK}-unfinished"
        self._lock = os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            unfinished.rename(self.path / _LOCK)
            if owner is not None:
                os.chown(self.path, *owner)
        except OSError:
            self.remove()
            raise

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def remove_abandoned(owner: tuple[int, int] | None) -> None:
    """Remove the folders of workers that were killed together with their fork servers.

    Removes only folders that belong to ``owner`` (uid and gid) or to the current user.
    """
    ours = {os.geteuid(), *(owner or ())[:1]}
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # another process is removing or using it
            status = path.lstat()
            if status.st_uid in ours and _is_abandoned(path, status.st_mtime):
                shutil.rmtree(path, ignore_errors=True)


def _is_abandoned(path: Path, changed: float) -> bool:
    """Return whether a folder was abandoned by its worker. Raises OSError if its lock is held.

    ``changed``: when the folder was last modified. A folder without a lock counts as abandoned after a while.
    """
    try:
        lock = os.open(path / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return time.time() > changed + _UNFINISHED
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(lock)
    return True
