"""Forward the children's output line by line, prefixed with their names, and log it to a file per child.

Invariant: if the disk is full, only lines in the log files are lost.
"""

from __future__ import annotations

import os
import selectors
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

# At startup, a log file that exceeds this size is renamed to NAME.log.1.
ROTATE_BYTES = 5 * 1024 * 1024
# Longer lines are forwarded in pieces.
MAX_LINE_BYTES = 64 * 1024


class _Pipe:
    """One child's pipe and its unfinished line."""

    def __init__(self, name: str, pipe: IO[bytes], log: IO[bytes]) -> None:
        self.name, self.pipe, self.log = name, pipe, log
        self.rest = b""


class Output:
    """The children's output, read without blocking; ``emit`` receives whole lines prefixed with the child's name.

    Output of the children in ``silent`` goes only to the file.
    """

    def __init__(
        self, folder: Path, emit: Callable[[str], None], *, width: int, silent: frozenset[str] = frozenset()
    ) -> None:
        self._folder, self._emit, self._width, self._silent = folder, emit, width, silent
        self._selector = selectors.DefaultSelector()
        folder.mkdir(parents=True, exist_ok=True)

    def attach(self, name: str, pipe: IO[bytes]) -> None:
        """Start forwarding a child's output, which arrives in ``pipe``."""
        os.set_blocking(pipe.fileno(), False)
        self._selector.register(pipe, selectors.EVENT_READ, _Pipe(name, pipe, self._log_of(name)))

    def _log_of(self, name: str) -> IO[bytes]:
        path = self._folder / f"{name}.log"
        try:
            if path.exists() and path.stat().st_size > ROTATE_BYTES:
                path.replace(path.with_suffix(".log.1"))
            return path.open("ab", buffering=0)
        except OSError as error:
            self._emit(f"{path} cannot be written: {error}")
            return open(os.devnull, "ab", buffering=0)

    def watch(self, descriptor: int) -> None:
        """Make ``pump`` return early when ``descriptor`` becomes readable; the caller reads it."""
        self._selector.register(descriptor, selectors.EVENT_READ, None)

    def pump(self, timeout: float) -> None:
        """Forward output; wait at most ``timeout`` seconds for something to happen."""
        for key, _ in self._selector.select(timeout):
            if isinstance(key.data, _Pipe):
                self._read(key.data)
            else:
                os.read(key.fd, 4096)

    def _read(self, source: _Pipe) -> None:
        data = source.pipe.read(65536)
        if data is None:
            return
        if not data:
            self._show(source, source.rest)
            self._selector.unregister(source.pipe)
            source.pipe.close()
            source.log.close()
            return
        with suppress(OSError):
            source.log.write(data)
        *lines, rest = (source.rest + data).split(b"\n")
        for line in lines:
            self._show(source, line)
        if len(rest) > MAX_LINE_BYTES:
            self._show(source, rest)
            rest = b""
        source.rest = rest

    def _show(self, source: _Pipe, line: bytes) -> None:
        if line.strip() and source.name not in self._silent:
            self._emit(f"{source.name:<{self._width}} | {line.decode('utf-8', 'replace').rstrip()}")
