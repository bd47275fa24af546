"""Run a bot in this process, without any protection: only for tests and measurements."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena.core.referee.fair_time import Usage


class InProcessPlayer:
    """A player that does not limit the time, memory or actions of its bot.

    ``begin`` returns a function from request to reply, such as ``bots.sdk.harness.Session.handle``. A restart calls
    ``begin`` again, but does not undo what the bot changed in this process.
    """

    def __init__(self, begin: Callable[[], Callable[[bytes], bytes]], folder: Path | None = None) -> None:
        self._begin = begin
        self._answer = begin()
        self._reply: bytes | None = None
        self.folder = folder

    def start(self) -> None:
        return

    def restart(self) -> None:
        self._answer = self._begin()

    def fileno(self) -> int | None:
        return None

    def ask(self, payload: bytes) -> None:
        self._reply = self._answer(payload)

    def receive(self) -> bytes | None:
        reply, self._reply = self._reply, None
        return reply

    def suspend(self) -> None:
        return

    def usage(self) -> Usage | None:
        return None

    def close(self) -> None:
        return

    def log(self) -> bytes:
        return b""

    def printed_bytes(self) -> int:
        return 0
