"""For processes under libfaketime, what Debian 12's breaks: Python's sleep, and the clocks of other processes' CPU.

Whoever sets a machine's clock moves neither.
"""

import ctypes
import platform
import select
import time

CLOCK_GETTIME = {"x86_64": 228, "aarch64": 113}[platform.machine()]
libc = ctypes.CDLL(None, use_errno=True)
faked_clock_gettime = time.clock_gettime


def sleep(seconds: float) -> None:
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    select.select([], [], [], seconds)


def clock_gettime(clock: int) -> float:
    if clock >= 0:
        return faked_clock_gettime(clock)
    told = (ctypes.c_long * 2)()
    if libc.syscall(ctypes.c_long(CLOCK_GETTIME), ctypes.c_long(clock), told):
        raise OSError(ctypes.get_errno(), "no such process")
    return told[0] + told[1] / 1e9


time.sleep = sleep
time.clock_gettime = clock_gettime
