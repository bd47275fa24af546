"""Replacements for a script's standard input and output.

Invariants: a read beyond the available input calls ``more`` for the next part; None means the end of input. The last
``KEPT_BYTES`` of the output are kept, and all of it is logged immediately. The replacements work with every kind of
access: ``input``, ``sys.stdin``, ``open(0)``, ``/dev/stdin``, ``os.read(0, n)``, ``print``, ``sys.stdout``, ``open(1,
"w")``.
"""

from __future__ import annotations

import builtins
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

KEPT_BYTES = 1 << 20
_STDIN, _STDOUT = 0, 1
_NAMES = {"/dev/stdin": _STDIN, "/dev/stdout": _STDOUT}


class _Input(io.RawIOBase):
    def __init__(self, text: str, more: Callable[[], str | None]) -> None:
        self._left = memoryview(text.encode())
        self._more = more
        self._ended = False

    def fileno(self) -> int:
        return _STDIN

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._left and not self._ended:
            text = self._more()
            self._ended = text is None
            self._left = memoryview((text or "").encode())
        length = min(len(buffer), len(self._left))
        buffer[:length] = self._left[:length]
        self._left = self._left[length:]
        return length


class _Output(io.RawIOBase):
    def __init__(self, log: TextIO | None) -> None:
        self._kept = bytearray()
        self._log = log

    def fileno(self) -> int:
        return _STDOUT

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        part = bytes(data)
        self._kept += part
        if len(self._kept) > 2 * KEPT_BYTES:
            del self._kept[:-KEPT_BYTES]
        if self._log:
            self._log.write(part.decode("utf-8", "replace"))
        return len(part)

    def take(self) -> str:
        """Return the output since the last call."""
        text = self._kept[-KEPT_BYTES:].decode("utf-8", "replace")
        self._kept.clear()
        return text


class Streams:
    """The replacement streams for a script.

    ``log`` also receives everything printed. When the input has been read, ``more`` is called with everything printed
    since its previous call, and returns more input, or None at the end.
    """

    def __init__(self, text: str, more: Callable[[str], str | None], log: TextIO | None) -> None:
        self._more = more
        self._output = _Output(log)
        self.stdin = io.TextIOWrapper(io.BufferedReader(_Input(text, self._read_on)), encoding="utf-8")
        # Unbuffered: output is available immediately.
        raw: Any = self._output
        self.stdout = io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True)

    def printed(self) -> str:
        """Return the output since the last call, even if the script has replaced ``sys.stdout``."""
        for stream in (sys.stdout, self.stdout):
            try:
                stream.flush()
            except (OSError, ValueError, AttributeError):  # closed, or not even a file
                continue
        return self._output.take()

    def _read_on(self) -> str | None:
        return self._more(self.printed())

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Install the replacements for the duration of the block."""
        before = sys.stdin, sys.stdout, builtins.open, io.open, os.read
        sys.stdin, sys.stdout = self.stdin, self.stdout
        builtins.open = io.open = self._opener(builtins.open)
        os.read = self._reader(os.read)
        try:
            yield
        finally:
            sys.stdin, sys.stdout, builtins.open, io.open, os.read = before

    def _opener(self, opens: Callable[..., Any]) -> Callable[..., Any]:
        def open_(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
            number = file if type(file) is int else _NAMES.get(file) if type(file) is str else None
            if number not in (_STDIN, _STDOUT):
                return opens(file, mode, *args, **options)
            stream = self.stdin if number == _STDIN else self.stdout
            return stream.buffer if "b" in mode else stream

        return open_

    def _reader(self, reads: Callable[[int, int], bytes]) -> Callable[[int, int], bytes]:
        def read(fd: int, length: int, /) -> bytes:
            return self.stdin.buffer.read1(length) if fd == _STDIN else reads(fd, length)

        return read
