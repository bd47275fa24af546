"""The system calls with which a worker controls a jailed process, bundled in one object.

Invariant: production code uses `KERNEL`, whose fields are the calls themselves, so the indirection costs one attribute
lookup. Tests replace individual fields to simulate failing calls.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kernel:
    """The system calls to use; each field has the signature and the errors of its default."""

    send: Callable[[socket.socket, bytes, int], int] = socket.socket.send
    receive: Callable[[socket.socket, int, int], bytes] = socket.socket.recv
    poll: Callable[[], select.poll] = select.poll
    open: Callable[[str, int], int] = os.open
    read: Callable[[int, int], bytes] = os.read
    read_at: Callable[[int, int, int], bytes] = os.pread
    status: Callable[[int], os.stat_result] = os.fstat
    close: Callable[[int], None] = os.close
    send_signal: Callable[[int, int], None] = signal.pidfd_send_signal
    clock: Callable[[int], int] = time.clock_gettime_ns


KERNEL = Kernel()
