"""A harness session that runs in this process and can keep a script waiting for its next turn."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from queue import Queue

from arena.games.bot_packages import sdk_packages
from bots.sdk.harness import Session


class _Closed(BaseException):
    """Raised in the bot's thread when the session is closed."""


class WaitingSession:
    """A session that receives requests and returns replies, with the bot in its own thread."""

    def __init__(self, folder: Path) -> None:
        self._requests: Queue[bytes | None] = Queue()
        self._replies: Queue[bytes] = Queue()
        for name in sdk_packages():
            import_module(name)
        self._session = Session(str(folder), exchange=self._exchange)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def handle(self, payload: bytes) -> bytes:
        self._requests.put(payload)
        return self._replies.get(timeout=60)

    def close(self) -> None:
        """End the waiting script, so that the real streams are restored."""
        self._requests.put(None)
        self._thread.join(10)
        assert not self._thread.is_alive()

    def _serve(self) -> None:
        while (request := self._requests.get()) is not None:
            try:
                self._replies.put(self._session.handle(request))
            except _Closed:
                return

    def _exchange(self, reply: bytes) -> bytes:
        self._replies.put(reply)
        request = self._requests.get()
        if request is None:
            self._requests.put(None)  # ``_serve`` receives this after the script has ended
            raise _Closed
        return request


@contextmanager
def waiting_session(folder: Path, main: str, **files: str) -> Iterator[WaitingSession]:
    """Yield a script's session; ``files``: the other files in its folder, by name."""
    for name, text in {"main": main, **files}.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    session = WaitingSession(folder)
    try:
        yield session
    finally:
        session.close()
