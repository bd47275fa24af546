"""Tie a process to its parent: when the parent dies for any reason, the kernel kills the child.

Linux only; elsewhere the calls do nothing, and only an orderly stop terminates children.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

# <linux/prctl.h>
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

_LINUX = sys.platform == "linux"
# Loaded at import: a forked child must not start loading libraries.
_libc = ctypes.CDLL(None, use_errno=True) if _LINUX else None


def die_with_parent(number: signal.Signals = signal.SIGKILL, *, parent: int | None = None) -> None:
    """Have the kernel send the signal ``number`` to this process when the thread that created it exits.

    The setting survives ``exec``. ``parent`` is the parent's pid before the fork: a parent that died in between is
    detected.
    """
    if _libc is None:
        return
    _libc.prctl(_PR_SET_PDEATHSIG, int(number), 0, 0, 0)
    if parent is not None and os.getppid() != parent:
        os.kill(os.getpid(), number)


def become_subreaper() -> None:
    """Make this process a subreaper: it becomes the parent of descendants whose parent has died, and can kill them."""
    if _libc is not None:
        _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
