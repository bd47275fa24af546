"""Start processes with the same memory layout each time.

The hashes of ``None`` (before Python 3.12), built-in classes and functions depend on their addresses, which Linux
randomizes, so sets that contain them would have a different order in every process.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_ADDR_NO_RANDOMIZE: Final = 0x0040000  # <sys/personality.h>
_CURRENT: Final = 0xFFFFFFFF
_FAILED: Final = -1


@contextmanager
def fixed_layout() -> Iterator[bool]:
    """Disable address space layout randomization (ASLR) for this thread's child processes; yield whether that worked.

    The thread itself keeps its layout: the kernel applies the setting to new programs.
    """
    if sys.platform != "linux":
        yield False
        return
    personality = ctypes.CDLL(None).personality
    personality.argtypes, personality.restype = [ctypes.c_ulong], ctypes.c_int
    before = personality(_CURRENT)
    if before == _FAILED or personality(before | _ADDR_NO_RANDOMIZE) == _FAILED:
        yield False
        return
    try:
        yield True
    finally:
        personality(before)
