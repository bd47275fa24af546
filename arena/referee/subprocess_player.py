"""A bot in a plain process of its own, for the local runner.

There is NO protection here: the bot may do whatever the person may who starts it. It is for a
person's own bots on their own machine; workers play ``JailedPlayer`` and nothing else.

Invariants: messages go over the process's standard input and output, each behind its length in
four bytes, so it works wherever Python does; a thread reads, so that a bot that writes half a
message blocks nobody. Only wall time is known and charged.
"""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from arena.referee.fair_time import Usage
from arena.referee.faults import FaultKind, RefereeFailure
from arena.referee.players import Departure, PlayerGone
from arena.referee.protocol import MAX_REPLY_BYTES, BadMessage

MAX_LOG_BYTES = 1 << 20
_TOO_LONG = object()


class SubprocessPlayer:
    """``command`` starts the harness, which is given ``folder`` as its last argument."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self.folder: Path | None = folder
        self._command = [*command, str(folder)]
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._printed = b""
        self._replies: list[object] = []
        self._wake: tuple[socket.socket, socket.socket] | None = None
        self._reader: threading.Thread | None = None

    def start(self) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        self._wake = socket.socketpair()
        self._wake[0].setblocking(False)
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"},
                start_new_session=True,  # Ctrl-C is for the referee
            )
        except OSError as error:
            raise RefereeFailure(f"The bot's process could not be started: {error}") from error
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout, self._wake[1]), daemon=True)
        self._reader.start()

    def fileno(self) -> int | None:
        return None if self._wake is None else self._wake[0].fileno()

    def ask(self, payload: bytes) -> None:
        if self._process is None or self._process.stdin is None:
            raise PlayerGone(Departure(FaultKind.EXIT, "Its process is not running."))
        try:
            self._process.stdin.write(len(payload).to_bytes(4, "big") + payload)
            self._process.stdin.flush()
        except OSError:
            raise PlayerGone(self._departure()) from None

    def receive(self) -> bytes | None:
        if self._wake is None:
            raise PlayerGone(Departure(FaultKind.EXIT, "Its process is not running."))
        try:
            self._wake[0].recv(1)
        except BlockingIOError:
            return None
        reply = self._replies.pop(0)
        if reply is None:
            raise PlayerGone(self._departure())
        if not isinstance(reply, bytes):
            raise BadMessage("A message is too long.")
        return reply

    def rest(self) -> None:
        return  # on the person's own machine nobody has a reason to think on the opponent's time

    def usage(self) -> Usage | None:
        return None

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._reader:
                self._reader.join()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe:
                    _close_quietly(pipe)
        if self._log is not None:
            self._printed = self.log()
            self._log.close()
        for end in self._wake or ():
            end.close()
        self._process = self._log = self._wake = self._reader = None

    def log(self) -> bytes:
        if self._log is None:
            return self._printed
        size = os.fstat(self._log.fileno()).st_size
        # not seek and read: the bot writes at the same position
        return os.pread(self._log.fileno(), MAX_LOG_BYTES, max(0, size - MAX_LOG_BYTES))

    def _read(self, replies: IO[bytes], wake: socket.socket) -> None:
        """Hand on replies until the process ends; None is the end."""
        reply: object = b""
        while reply is not None:
            head = replies.read(4)
            length = int.from_bytes(head, "big")
            reply = None
            if len(head) == 4:
                reply = replies.read(length) if length <= MAX_REPLY_BYTES else _TOO_LONG
            self._replies.append(reply)
            try:
                wake.send(b"\0")
            except OSError:
                return
            if reply is _TOO_LONG:
                return

    def _departure(self) -> Departure:
        assert self._process is not None  # noqa: S101 - only asked of a started process
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return Departure(FaultKind.BAD_MESSAGE, "It closed the referee's channel.")
        if code < 0:
            return Departure(FaultKind.CRASH, f"Its process was ended by signal {-code}.")
        return Departure(FaultKind.EXIT, f"It ended its own process with exit code {code}.")


def _close_quietly(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except BrokenPipeError:  # flushing to a process that is gone
        return
