"""A progress bar in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

_CELLS = 24
_INTERVAL = 0.1  # seconds between two redraws


class Progress:
    """A progress line on ``stream``, redrawn in place; nothing is shown if the stream is not a terminal.

    ``now``: returns the current time in seconds.
    """

    def __init__(self, stream: TextIO, total: int, now: Callable[[], float], *, wanted: bool = True) -> None:
        self._stream, self._total, self._now = stream, total, now
        self._on = wanted and stream.isatty()
        self._begun = now()
        self._next = self._begun
        self._width = 0

    def show(self, done: int, detail: str = "") -> None:
        """Show ``done`` of the total; ``detail`` describes the current step."""
        if not self._on or self._now() < self._next:
            return
        self._next = self._now() + _INTERVAL
        full = _CELLS * done // self._total
        line = (
            f"[{'#' * full}{'.' * (_CELLS - full)}] {done}/{self._total}  {detail}{self._format_remaining_time(done)}"
        )
        self._stream.write("\r" + line.ljust(self._width))
        self._stream.flush()
        self._width = len(line)

    def clear(self) -> None:
        """Clear the line for other output; the next ``show`` redraws it immediately."""
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()
        self._width, self._next = 0, self._now()

    def _format_remaining_time(self, done: int) -> str:
        if not done:
            return ""
        seconds = round((self._now() - self._begun) / done * (self._total - done))
        return f"  about {seconds // 60}:{seconds % 60:02} left"
