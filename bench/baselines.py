"""Measure the baselines: the cost of the kernel and the interpreter alone.

They include no jail, no requests and no verdicts.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

_LARGEST = 262_144
_FORKER = Path(__file__).with_name("bare_fork.py")


class ForkBaseline:
    """A small interpreter that has loaded the fork server's modules and does nothing but fork."""

    def __init__(self, libraries: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", str(_FORKER), str(libraries)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def measure(self, count: int) -> float:
        """Return the seconds until ``count`` children, all alive at the same time, have sent one byte each."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"%d\n" % count)
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


class EchoProcesses:
    """Forked children that answer every datagram with one byte."""

    def __init__(self, count: int = 1, core: int | None = None) -> None:
        self._links: list[socket.socket] = []
        self._children: list[int] = []
        self._poll = select.poll()
        self._by_fd: dict[int, socket.socket] = {}
        for _ in range(count):
            self._add(core)

    def _add(self, core: int | None) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        child = os.fork()
        if child == 0:
            if core is not None:
                os.sched_setaffinity(0, {core})
            for link in (*self._links, ours):
                link.close()
            _echo(theirs)
        theirs.close()
        self._children.append(child)
        self._links.append(ours)
        self._by_fd[ours.fileno()] = ours
        self._poll.register(ours, select.POLLIN)

    def ask(self, payload: bytes) -> float:
        """Send the payload to all children; return the seconds until all of them have answered."""
        started = time.perf_counter()
        for link in self._links:
            link.send(payload)
        missing = len(self._links)
        while missing:
            for fd, _ in self._poll.poll():
                self._by_fd[fd].recv(1)
                missing -= 1
        return time.perf_counter() - started

    def close(self) -> None:
        for link in self._links:
            link.close()
        for child in self._children:
            os.waitpid(child, 0)


def _echo(link: socket.socket) -> None:
    buffer = bytearray(_LARGEST)
    try:
        while link.recv_into(buffer):
            link.send(b".")
    finally:
        os._exit(0)


def measure_bare_kill() -> Sequence[float]:
    """Return the time in seconds from SIGKILL to the exit of a sleeping child, as one sample."""
    child = os.fork()
    if child == 0:
        signal.pause()
        os._exit(0)
    time.sleep(0.005)  # the child is asleep by then
    started = time.perf_counter()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return (time.perf_counter() - started,)
