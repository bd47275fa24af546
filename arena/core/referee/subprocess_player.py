"""Run a bot in a separate, ordinary process, for the local runner.

There is NO protection here: the bot can do whatever the user can. This is for the user's own bots on their own machine;
workers only use ``JailedPlayer``.

Invariants: this works on every platform. Messages go over the process's standard input and output, each prefixed with
its length in four bytes; threads read the pipes, and the referee only waits on a socket. A bot that writes half a
message blocks nothing. Only wall time is known and charged. Output beyond the size of the jail's log is discarded, as
in the jail.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from arena.core.memory_layout import fixed_layout
from arena.core.referee import messages
from arena.core.referee.fair_time import Usage
from arena.core.referee.faults import FaultKind, RefereeFailure
from arena.core.referee.players import PlayerExit, PlayerGone, restart_line, signal_name
from arena.core.referee.protocol import MAX_REPLY_BYTES, BadMessage

MAX_LOG_BYTES = 256 * 1024  # equal to the limit in arena.core.sandbox.jail.limits, which loads on Linux only
_TOO_LONG = object()
_WINDOWS_CRASH = 0xC0000000  # the smallest NTSTATUS that is an error; an access violation is 0xC0000005
# Seconds to wait until the threads have read what a dead process left in its pipes. A process that the bot started and
# that outlived it may keep the pipes open indefinitely.
_DRAIN_SECONDS = 1.0


class SubprocessPlayer:
    """A player in an ordinary process. ``command`` starts the harness, with ``folder`` as its last argument."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self.folder: Path | None = folder
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._printed: _OutputReader | None = None
        self._replies: list[object] = []
        self._wake: tuple[socket.socket, socket.socket] | None = None
        self._reader: threading.Thread | None = None
        self._earlier = b""  # the log of earlier processes, and the separator
        self._starts = 0

    def start(self) -> None:
        self._starts += 1
        try:
            with fixed_layout():
                process = subprocess.Popen(
                    [*self._command, str(self.folder)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1", "PYTHONHASHSEED": "0"},
                    # Ctrl-C is for the referee; first the POSIX option, then the Windows one
                    start_new_session=True,
                    creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                )
        except OSError as error:
            raise RefereeFailure(f"The bot's process could not be started: {error}") from error
        assert process.stdout is not None  # noqa: S101 - both were asked for
        assert process.stderr is not None  # noqa: S101
        self._process = process
        self._replies = []
        self._wake = socket.socketpair()
        self._wake[0].setblocking(False)
        self._printed = _OutputReader(process.stderr)
        self._reader = threading.Thread(
            target=_deliver_replies, args=(process.stdout, self._replies, self._wake[1]), daemon=True
        )
        self._reader.start()

    def restart(self) -> None:
        self.close()
        log = self.log()
        self._earlier = log + restart_line(log, self._starts + 1)
        self._printed = None
        self.start()

    def fileno(self) -> int | None:
        return None if self._wake is None else self._wake[0].fileno()

    def ask(self, payload: bytes) -> None:
        if self._process is None or self._process.stdin is None:
            raise PlayerGone(PlayerExit(FaultKind.EXIT, messages.NOT_RUNNING()))
        frame = memoryview(len(payload).to_bytes(4, "big") + payload)
        try:
            while frame:
                frame = frame[self._process.stdin.write(frame) :]
        except OSError:
            raise PlayerGone(self._player_exit()) from None

    def receive(self) -> bytes | None:
        if self._wake is None:
            raise PlayerGone(PlayerExit(FaultKind.EXIT, messages.NOT_RUNNING()))
        try:
            self._wake[0].recv(1)
        except BlockingIOError:
            return None
        reply = self._replies.pop(0)
        if reply is None:
            raise PlayerGone(self._player_exit())
        if not isinstance(reply, bytes):
            raise BadMessage(messages.TOO_LONG(n=MAX_REPLY_BYTES))
        return reply

    def suspend(self) -> None:
        return  # on the user's own machine, thinking on the opponent's time is harmless

    def usage(self) -> Usage | None:
        return None

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            _kill_group(process)
            if self._printed:
                self._printed.drain()
            if self._reader:
                self._reader.join(_DRAIN_SECONDS)
            if process.stdin:
                process.stdin.close()
            if process.stdout and self._reader and not self._reader.is_alive():
                process.stdout.close()
        for end in self._wake or ():
            end.close()
        self._wake = self._reader = None

    def log(self) -> bytes:
        return self._earlier + (b"" if self._printed is None else self._printed.text())

    def printed_bytes(self) -> int:
        """Return the number of bytes read so far; output printed just before the answer may still be in the pipe."""
        return len(self._earlier) + (0 if self._printed is None else self._printed.size)

    def _player_exit(self) -> PlayerExit:
        assert self._process is not None  # noqa: S101 - only asked of a started process
        assert self._printed is not None  # noqa: S101
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return PlayerExit(FaultKind.BAD_MESSAGE, messages.CHANNEL_CLOSED())
        self._printed.drain()
        if code < 0:
            return PlayerExit(FaultKind.CRASH, messages.CRASHED(signal=signal_name(-code)))
        if code >= _WINDOWS_CRASH:
            return PlayerExit(FaultKind.CRASH, messages.CRASHED_ON_WINDOWS(status=f"{code:#x}"))
        return PlayerExit(FaultKind.EXIT, messages.EXITED(code=code))


def _deliver_replies(pipe: IO[bytes], replies: list[object], wake: socket.socket) -> None:
    """Deliver replies until the process exits; then deliver None."""
    reply: object = b""
    while reply is not None:
        head = _read_exactly(pipe, 4)
        length = int.from_bytes(head or b"", "big")
        reply = None
        if head is not None:
            reply = _read_exactly(pipe, length) if length <= MAX_REPLY_BYTES else _TOO_LONG
        replies.append(reply)
        try:
            wake.send(b"\0")
        except OSError:
            return
        if reply is _TOO_LONG:
            return


class _OutputReader:
    """A thread that reads a process's output; output beyond the limit is discarded, as in the jail."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.size = 0  # bytes kept so far
        self._chunks: list[bytes] = []
        self._thread = threading.Thread(target=self._collect, args=(pipe,), daemon=True)
        self._thread.start()

    def text(self) -> bytes:
        """Return the output so far, at most ``MAX_LOG_BYTES``."""
        return b"".join(list(self._chunks))

    def drain(self) -> None:
        """Read the remaining output of a dead process from its pipe."""
        self._thread.join(_DRAIN_SECONDS)

    def _collect(self, pipe: IO[bytes]) -> None:
        with pipe:
            while chunk := pipe.read(1 << 16):
                if kept := chunk[: MAX_LOG_BYTES - self.size]:
                    self._chunks.append(kept)
                    self.size += len(kept)


def _read_exactly(pipe: IO[bytes], length: int) -> bytes | None:
    """Read this many bytes; return None if the pipe closes first."""
    data = b""
    while len(data) < length:
        chunk = pipe.read(length - len(data))
        if not chunk:
            return None
        data += chunk
    return data


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the process, and its children if the system keeps them in a group."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has exited (macOS: the second error)
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
