"""Report the status of one jailed process line by line through a pipe that the process cannot access.

jailed              all restrictions are active; written by the child just before it calls the entry point
failed MESSAGE      a restriction failed; written by the child, which then exits
ended STATUS CPU    wait status and CPU seconds; written by the fork server after reaping

Invariant: a line is far shorter than PIPE_BUF, so it arrives whole. An end of file without `ended` means that the fork
server has exited.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

_MAX_MESSAGE_CHARACTERS = 1000


def report_jailed(fd: int) -> None:
    os.write(fd, b"jailed\n")


def report_failed(fd: int, message: str) -> None:
    os.write(fd, b"failed " + " ".join(message.split()).encode()[:_MAX_MESSAGE_CHARACTERS] + b"\n")


def report_ended(fd: int, wait_status: int, cpu_seconds: float) -> None:
    os.write(fd, f"ended {wait_status} {cpu_seconds:.3f}\n".encode())


@dataclass(slots=True)
class StatusReader:
    """A reader of the status pipe. `read` never blocks; it raises OSError, or ValueError for an invalid line."""

    fd: int
    read_some: Callable[[int, int], bytes] = os.read
    jailed: bool = False
    failure: str | None = None
    ended: tuple[int, float] | None = None
    lost: bool = False
    _begun: bytes = b""  # incomplete last line

    def read(self) -> None:
        while self.ended is None and not self.lost:
            try:
                data = self.read_some(self.fd, 4096)
            except BlockingIOError:
                return
            self.lost = not data
            *lines, self._begun = (self._begun + data).split(b"\n")
            for line in lines:
                self._parse_line(line.decode(errors="replace"))

    def _parse_line(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        match word:
            case "jailed":
                self.jailed = True
            case "failed":
                self.failure = rest
            case "ended":
                status, cpu = rest.split()
                self.ended = int(status), float(cpu)
